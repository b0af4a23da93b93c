// Rows of a run under way, on the disk before anybody can lose them: see journal.h.
#include "record/journal.h"

#include "base/descriptor.h"
#include "record/growing_file.h"
#include "record/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WAITING_BYTES = 1 << 18, // of rows, before they are written without being asked
};

// One journal under way. It has more than 20 members because it is a file, the rows that wait for
// it and the run it is of, and none of these is of use without the others.
typedef struct {
    sink base;
    context *ctx;
    sink_request asked; // its terms are there only while the journal begins
    const sink_kind *kind;
    row_layout layout;
    output_file output;
    growing_file disk;
    guard open;
    double *waiting; // rows not written yet
    uint32_t waiting_count, waiting_most;
    text lines; // the same rows as lines, where they have more digits
    text bytes; // pieces on their way
    uint32_t events_stored;
    recording past;
    bool restored; // .. and the run has gone on from there
    bool is_copy;  // made from FILE, which is still there: may be thrown away
} journal;

// --- bytes to the disk ---------------------------------------------------------------------------

// The pieces on their way, and behind them `more`, which belongs to the last of them
static bool send_with(journal *j, const void *more, size_t size) {
    const bool good = growing_file_append(&j->disk, j->bytes.bytes, j->bytes.length, more, size);
    text_clear(&j->bytes);
    return good;
}

static bool send(journal *j) { return send_with(j, NULL, 0); }

// Rows that wait, as one piece. On failure they go on waiting.
static bool write_waiting(journal *j) {
    if (!j->waiting_count) return true;
    if (j->lines.length) recording_put_lines(&j->bytes, &j->lines);
    const uint64_t numbers = (uint64_t)j->waiting_count * j->layout.column_count;
    unsigned char head[SEALED_HEAD];
    recording_rows_head(head, numbers, j->waiting);
    text_append_n(&j->bytes, (const char *)head, sizeof head);
    if (!send_with(j, j->waiting, 8 * numbers)) return false;
    j->waiting_count = 0;
    text_clear(&j->lines);
    return true;
}

static bool write_events(journal *j) {
    const run_record *r = j->asked.record;
    for (uint32_t i = j->events_stored; i < r->events_count; i++)
        recording_put_event(&j->bytes, &r->events[i], &j->layout);
    if (!send(j)) return false;
    j->events_stored = r->events_count;
    return true;
}

static bool row(sink *s, const double *value) {
    journal *j = (journal *)s;
    const size_t columns = j->layout.column_count;
    memcpy(j->waiting + j->waiting_count++ * columns, value, columns * sizeof *value);
    if (j->kind->put_line && j->asked.put_exact) j->kind->put_line(&j->asked, value, &j->lines);
    if (j->waiting_count < j->waiting_most && j->lines.length < WAITING_BYTES) return true;
    return write_waiting(j) && growing_file_reserve(&j->disk);
}

static bool write_all(journal *j, const run_position *here) {
    if (!write_waiting(j) || !write_events(j)) return false;
    if (!here) return true; // it is saved, before the last row, or nothing is to go on from
    recording_put_position(&j->bytes, here, j->asked.record, &j->layout);
    return send(j);
}

static bool save(sink *s, const run_position *here) {
    journal *j = (journal *)s;
    if (!write_all(j, here)) return false;
    return growing_file_sync(&j->disk) && !j->disk.failure && growing_file_reserve(&j->disk);
}

static bool publish_own(journal *j, text *why) {
    recording all;
    bool good = recording_read(j->ctx, j->disk.file, RECORDING_OWN, &all, why);
    if (good && all.length != j->disk.length) {
        text_append(why, "its journal was changed by somebody else");
        good = false;
    }
    good = good && output_file_publish(&j->output, j->kind, &all, !j->disk.is_long, why);
    recording_free(&all);
    return good;
}

// --- the end -------------------------------------------------------------------------------------

static void release(journal *j) {
    descriptor_close(&j->open, j->disk.file); // and lets go of the lock
    recording_free(&j->past);
    output_file_free(&j->output);
    text_free(&j->lines), text_free(&j->bytes);
    memory_free(j->waiting);
    memory_free(j);
}

// Where the rows are that did not become a file
static void say_kept(const journal *j, text *why) {
    text_format(why, "; %llu rows are kept in `%s`, and `hamel recover %s` makes the file of them",
                (unsigned long long)j->asked.record->rows - j->waiting_count, j->output.journal,
                j->asked.file);
}

static bool finish(sink *s, const run_position *here, const char *outcome, text *why) {
    journal *j = (journal *)s;
    bool good = !j->base.restore || j->restored; // what could not be read is not changed
    if (!good) {
        good = !j->disk.failure;
        if (!good)
            text_format(why, "`%s` cannot be read: %s", j->output.journal,
                        strerror(j->disk.failure));
        if (j->is_copy) unlink(j->output.journal);
        release(j);
        return good;
    }
    const int before = j->disk.failure;
    good = write_all(j, here) || write_all(j, here); // what failed once may not fail again
    recording_put_outcome(&j->bytes, outcome);
    good = good && send(j) && !before;
    if (!good) text_append(why, strerror(before ? before : j->disk.failure));
    good = good && publish_own(j, why);
    if (!good) say_kept(j, why);
    release(j);
    return good;
}

// --- the beginning -------------------------------------------------------------------------------

static row_layout layout_of(const simulation *sim) {
    return (row_layout){sim->column_count, sim->column, sim->eq->system->n, sim->o->size};
}

static journal *begin(const sink_request *r, text *why) {
    journal *j = memory_new(journal);
    *j = (journal){.base = {.row = row, .save = save, .finish = finish, .wants_position = true},
                   .ctx = r->sim->m->ctx,
                   .asked = *r,
                   .kind = sink_find(r->file),
                   .layout = layout_of(r->sim),
                   .output = output_file_find(r->file),
                   .past.file = -1};
    const uint64_t each = 8 * (uint64_t)j->layout.column_count;
    j->waiting_most = each < WAITING_BYTES ? (uint32_t)(WAITING_BYTES / each) : 1;
    j->waiting = memory_array(double, (size_t)j->waiting_most * j->layout.column_count);
    j->disk = growing_file_begin(output_file_lock(&j->output, true, why), 0);
    descriptor_guard(&j->open, j->disk.file);
    return j;
}

// An earlier run may have left rows here that nobody has anywhere else.
static bool is_free(journal *j, text *why) {
    text none = {0};
    recording there;
    struct stat s;
    bool good = fstat(j->disk.file, &s) == 0;
    if (good && s.st_size > 0) {
        const bool is_journal =
            recording_read(j->ctx, j->disk.file, RECORDING_WHOLE, &there, &none);
        // cut off before the first row
        good = is_journal ? there.rows == 0 : there.length > 0 && !there.unreadable;
        if (there.unreadable)
            text_format(why, "`%s`: %s", j->output.journal, strerror(there.unreadable));
        else if (!good && is_journal)
            text_format(why,
                        "an earlier run was cut short, and `%s` holds its %llu rows; `hamel "
                        "recover %s` makes the file of them, or remove it",
                        j->output.journal, (unsigned long long)there.rows, j->asked.file);
        else if (!good)
            text_format(why, "`%s` is there, and %s", j->output.journal, text_string(&none));
        recording_free(&there);
    }
    text_free(&none);
    return good;
}

static bool start_over(journal *j) {
    bool good = ftruncate(j->disk.file, 0) == 0;
    if (!good) j->disk.failure = errno;
    recording_put_magic(&j->bytes);
    recording_put_head(&j->bytes, j->asked.terms, &j->layout);
    return good && send(j) && growing_file_reserve(&j->disk);
}

static bool is_regular_or_new(const char *name, text *why) {
    struct stat s, link;
    const bool is_there = stat(name, &s) == 0;
    if (is_there && !S_ISREG(s.st_mode)) text_append(why, "it is there, and no regular file");
    else if (!is_there && lstat(name, &link) == 0) text_append(why, "it is a link to nothing");
    return !why->length;
}

sink *journal_create(const sink_request *r, text *why) {
    if (!is_regular_or_new(r->file, why)) return NULL;
    journal *j = begin(r, why);
    bool good = j->disk.file >= 0 && is_free(j, why);
    if (good && !start_over(j)) {
        text_append(why, strerror(j->disk.failure));
        unlink(j->output.journal);
        good = false;
    }
    if (good) return &j->base;
    release(j);
    return NULL;
}

// --- going on ------------------------------------------------------------------------------------

static int take_bytes(const void *bytes, size_t size, void *to) {
    journal *j = to;
    text_append_n(&j->bytes, bytes, size);
    return send(j) && growing_file_reserve(&j->disk);
}

// What becomes of the copy where memory runs out
static void remove_copy(void *name) { unlink(name); }

static bool recall(journal *j, text *why) {
    const hamel_status status = j->kind->recall(j->ctx, j->asked.file, RECALL_ROWS_TO_POSITION,
                                                &(byte_writer){take_bytes, NULL, j}, why);
    if (!status && rename(j->output.part, j->output.journal) == 0) return true;
    if (!why->length) text_append(why, strerror(errno));
    if (status == HAMEL_LIMIT && j->asked.short_of_memory) *j->asked.short_of_memory = true;
    return false;
}

// Without a journal the earlier run is in FILE: a journal is made from it. It gets its name when it
// is whole, else a kill would leave one with fewer rows than FILE.
static bool copy_file(journal *j, text *why) {
    struct stat s;
    if (fstat(j->disk.file, &s) == 0 && s.st_size > 0) return true;
    j->is_copy = true;
    if (!j->kind->recall) {
        text_append(why, "no journal of an unfinished run is beside it");
        return false;
    }
    const int locked = j->disk.file,
              copy =
                  open(j->output.part, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (copy < 0 || flock(copy, LOCK_EX | LOCK_NB) != 0) {
        text_append(why, strerror(errno));
        if (copy >= 0) close(copy);
        return false;
    }
    guard copying, unfinished;
    descriptor_guard(&copying, copy);
    guard_set(&unfinished, remove_copy, j->output.part);
    j->disk.file = copy;
    const bool good = recall(j, why);
    guard_lift(&unfinished), guard_lift(&copying);
    if (!good) unlink(j->output.part);
    close(good ? locked : copy);
    guard_lift(&j->open);
    j->disk.file = good ? copy : locked;
    descriptor_guard(&j->open, j->disk.file);
    return good;
}

static const char *known_event(const model *m, const char *name) {
    for (uint32_t i = 0; i < m->events_count; i++)
        if (strcmp(m->events[i].name, name) == 0) return m->events[i].name;
    return NULL;
}

static void restore_events(const journal *j, run_record *record) {
    const size_t numbers = 2 * (size_t)j->layout.coordinates;
    for (uint32_t i = 0; i < j->past.events_there; i++) {
        event_record e = j->past.events[i];
        e.name = known_event(j->asked.sim->m, e.name);
        if (e.state) {
            double *own = memory_array(double, numbers + 1);
            memcpy(own, e.state, numbers * sizeof *own);
            e.state = own;
        }
        list_push(record, events, e);
    }
}

static void copy_numbers(double *to, const double *from, size_t count) {
    memcpy(to, from, count * sizeof *to);
}

static bool restore(sink *s, run_position *there, run_record *record) {
    journal *j = (journal *)s;
    const recording *past = &j->past;
    const size_t size = j->layout.state_size, columns = j->layout.column_count;
    const run_position *p = &past->position;
    const run_record *c = &past->counted;
    if (!recording_rows(past, 0, 1, record->first_row) ||
        !recording_rows(past, c->rows - 1, 1, record->last_row)) {
        j->disk.failure = errno;
        return false;
    }
    restore_events(j, record);
    j->events_stored = record->events_count;
    copy_numbers(there->z, p->z, size), copy_numbers(there->rest, p->rest, size);
    copy_numbers(there->turns, p->turns, size), copy_numbers(there->columns, p->columns, columns);
    copy_numbers(record->deviation, c->deviation, columns);
    copy_numbers(record->deviation_t, c->deviation_t, columns);
    there->t = p->t, there->chart = p->chart, there->rejected = p->rejected;
    there->evaluations = p->evaluations;
    memcpy(there->pace, p->pace, sizeof there->pace);
    record->rows = c->rows, record->next_row = c->next_row, record->steps = c->steps;
    record->smallest_step = c->smallest_step, record->largest_step = c->largest_step;
    record->may_change = c->may_change;
    for (uint32_t i = 0; i < c->changes_count; i++) list_push(record, changes, c->changes[i]);
    j->restored = true;
    return true;
}

static bool has_same_columns(const journal *j) {
    const recording *p = &j->past;
    if (p->column_count != j->layout.column_count || p->state_size != j->layout.state_size ||
        p->coordinates != j->layout.coordinates)
        return false;
    for (uint32_t i = 0; i < p->column_count; i++)
        if (strcmp(p->column[i].name, j->layout.column[i].name) != 0) return false;
    for (uint32_t i = 0; i < p->events_there; i++)
        if (!known_event(j->asked.sim->m, p->events[i].name)) return false;
    return true;
}

// Behind the last state everything is thrown away: the run computes it again.
static bool cut_and_go_on(journal *j) {
    j->disk.length = j->past.length_at_position;
    bool good = ftruncate(j->disk.file, (off_t)j->disk.length) == 0;
    if (!good) j->disk.failure = errno;
    recording_put_head(&j->bytes, j->asked.terms, &j->layout);
    return good && send(j) && growing_file_reserve(&j->disk);
}

sink *journal_continue(const sink_request *r, text *why) {
    journal *j = begin(r, why);
    j->base.restore = restore;
    bool good = j->disk.file >= 0 && copy_file(j, why) &&
                recording_read(j->ctx, j->disk.file, RECORDING_WHOLE, &j->past, why);
    if (good && !j->past.has_position) text_append(why, "no state to go on from was saved in it");
    else if (good && !has_same_columns(j))
        text_append(why, "its columns are not those of the model");
    else if (good && !cut_and_go_on(j)) text_append(why, strerror(j->disk.failure));
    if (!why->length) return &j->base;
    if (j->disk.file >= 0 && j->is_copy) unlink(j->output.journal);
    release(j);
    return NULL;
}
