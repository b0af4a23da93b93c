// The journal of a sweep: chunks as bytes, and how a journal that is there is taken up again. See
// store_internal.h.
#include "sweep/store_internal.h"

#include "base/bytes.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static const char MAGIC[] = "hamel sweep 001\n";
enum { MAGIC_BYTES = 16, NUMBER_BYTES = 8, END_BYTES = 12 };
static const uint64_t MOST_HEAD = 1u << 30;

// --- a chunk -------------------------------------------------------------------------------------

uint64_t store_piece_bytes(uint64_t count, uint32_t collected_count) {
    return SEALED_HEAD + NUMBER_BYTES + count * (8 * (uint64_t)collected_count + END_BYTES);
}

static uint32_t code_of(const sweep_end *e) {
    return (uint32_t)e->outcome | (uint32_t)(e->event + 1) << 8;
}

void store_pack(const sweep_store *s, uint64_t chunk, const double *collected,
                const sweep_end *end) {
    const uint64_t count = sweep_store_count(s, chunk), numbers = count * s->asked.collected_count;
    unsigned char *content = s->piece + SEALED_HEAD, *to = content;
    bytes_store(to, chunk, NUMBER_BYTES), to += NUMBER_BYTES;
    for (uint64_t i = 0; i < numbers; i++, to += 8)
        bytes_store(to, bytes_of_double(collected[i]), 8);
    for (uint64_t i = 0; i < count; i++, to += 8) bytes_store(to, bytes_of_double(end[i].t), 8);
    for (uint64_t i = 0; i < count; i++, to += 4) bytes_store(to, code_of(&end[i]), 4);
    sealed_put_head(s->piece, "RUNS", (uint64_t)(to - content), content);
}

// False: no store writes it
static bool decode(uint32_t code, uint32_t event_count, sweep_end *out) {
    const uint32_t outcome = code & 0xFF, event = code >> 8;
    out->outcome = (sweep_outcome)outcome;
    out->event = (int32_t)event - 1;
    return outcome <= SWEEP_OTHER && event <= event_count && (outcome == SWEEP_STOPPED) == !!event;
}

static bool unpack_ends(const sweep_store *s, uint64_t count, uint64_t at, sweep_end *end) {
    enum { AT_ONCE = 512 };
    unsigned char times[8 * AT_ONCE], codes[4 * AT_ONCE];
    for (uint64_t from = 0; from < count; from += AT_ONCE) {
        const uint64_t some = count - from < AT_ONCE ? count - from : AT_ONCE;
        if (!descriptor_read_at(s->disk.file, at + 8 * from, times, 8 * some) ||
            !descriptor_read_at(s->disk.file, at + 8 * count + 4 * from, codes, 4 * some))
            return false;
        for (uint64_t i = 0; i < some; i++) {
            sweep_end *e = &end[from + i];
            e->t = bytes_to_double(bytes_load(times + 8 * i, 8));
            if (!decode((uint32_t)bytes_load(codes + 4 * i, 4), s->asked.event_count, e)) {
                errno = EIO; // it was another one when it was looked at
                return false;
            }
        }
    }
    return true;
}

bool store_unpack(const sweep_store *s, uint64_t chunk, double *collected, sweep_end *end) {
    const uint64_t count = sweep_store_count(s, chunk), numbers = count * s->asked.collected_count,
                   at = s->place[chunk] + NUMBER_BYTES;
    unsigned char *bytes = (unsigned char *)collected;
    if (!descriptor_read_at(s->disk.file, at, bytes, 8 * numbers)) return false;
    for (uint64_t i = 0; i < numbers; i++)
        collected[i] = bytes_to_double(bytes_load(bytes + 8 * i, 8));
    return unpack_ends(s, count, at + 8 * numbers, end);
}

// --- a journal that is there ---------------------------------------------------------------------

typedef struct {
    int file;
    uint64_t size, length; // of the file; of what counts
    text head;             // its content
    store_layout layout;
    bool is_sweeps;
    int unreadable;
} earlier;

static bool read_head(earlier *j) {
    char magic[MAGIC_BYTES];
    sealed p;
    if (j->size < MAGIC_BYTES) return false;
    if (!descriptor_read_at(j->file, 0, magic, MAGIC_BYTES)) return j->unreadable = errno, false;
    j->is_sweeps = memcmp(magic, MAGIC, MAGIC_BYTES) == 0;
    if (!j->is_sweeps || !sealed_find(j->file, MAGIC_BYTES, j->size, &p, &j->unreadable) ||
        strcmp(p.kind, "HEAD") != 0 || !p.length || p.length > MOST_HEAD ||
        !sealed_is_whole(j->file, &p, &j->unreadable))
        return false;
    text_repeat(&j->head, 0, p.length);
    if (!descriptor_read_at(j->file, p.at, j->head.bytes, p.length))
        return j->unreadable = errno, false;
    j->length = p.at + p.length;
    const store_head h = {(const unsigned char *)j->head.bytes, j->head.length};
    return store_head_read(&h, &j->layout);
}

static uint64_t runs_of(const store_layout *l, uint64_t chunk) {
    const uint64_t first = chunk * l->chunk_runs;
    return l->runs - first < l->chunk_runs ? l->runs - first : l->chunk_runs;
}

// The next chunk that is whole: false at the end of the journal. What does not match its sum is
// passed over, and computed again.
static bool next_chunk(earlier *j, uint64_t *chunk, uint64_t *place) {
    const uint64_t chunks = (j->layout.runs - 1) / j->layout.chunk_runs + 1;
    for (sealed p; sealed_find(j->file, j->length, j->size, &p, &j->unreadable);) {
        unsigned char number[NUMBER_BYTES];
        if (strcmp(p.kind, "RUNS") != 0 || p.length < NUMBER_BYTES) return false;
        const bool whole = sealed_is_whole(j->file, &p, &j->unreadable);
        if (!whole && j->unreadable) return false;
        if (whole && !descriptor_read_at(j->file, p.at, number, sizeof number))
            return j->unreadable = errno, false;
        *place = p.at, *chunk = whole ? bytes_load(number, sizeof number) : UINT64_MAX;
        j->length = p.at + p.length;
        if (*chunk >= chunks) continue;
        const uint64_t bytes =
            store_piece_bytes(runs_of(&j->layout, *chunk), j->layout.collected_count);
        if (p.length + SEALED_HEAD == bytes) return true;
    }
    return false;
}

static void count_chunks(earlier *j, sweep_store *s) {
    sweep_end *end = memory_array(sweep_end, s->chunk_runs);
    uint64_t chunk, place;
    while (next_chunk(j, &chunk, &place)) {
        if (s->place[chunk]) continue;
        const uint64_t count = sweep_store_count(s, chunk),
                       ends = place + NUMBER_BYTES + 8 * count * s->asked.collected_count;
        if (!unpack_ends(s, count, ends, end)) continue; // sealed, and of no store
        s->place[chunk] = place;
        s->finished += count;
    }
    s->resumed = s->finished;
    memory_free(end);
}

// --- the beginning -------------------------------------------------------------------------------

static void put_head(const sweep_store *s, text *out) {
    text_append_n(out, MAGIC, MAGIC_BYTES);
    const size_t at = sealed_begin(out);
    store_head_put(s, out);
    sealed_end(out, at, "HEAD");
}

static bool start_over(sweep_store *s, text *why) {
    text bytes = {0};
    put_head(s, &bytes);
    bool good = ftruncate(s->disk.file, 0) == 0;
    if (!good) s->disk.failure = errno;
    good = good && growing_file_append(&s->disk, bytes.bytes, bytes.length, NULL, 0) &&
           growing_file_reserve(&s->disk);
    if (!good) text_append(why, strerror(s->disk.failure));
    if (!good) unlink(s->output.journal);
    text_free(&bytes);
    return good;
}

static uint64_t runs_there(earlier *j) {
    uint64_t runs = 0, chunk, place;
    while (next_chunk(j, &chunk, &place)) runs += runs_of(&j->layout, chunk);
    return runs;
}

// Nobody has the runs of an earlier sweep anywhere else.
static bool replace(sweep_store *s, earlier *j, bool has_head, text *why) {
    const uint64_t runs = has_head ? runs_there(j) : 0;
    if (j->unreadable) text_format(why, "`%s`: %s", s->output.journal, strerror(j->unreadable));
    else if (runs)
        text_format(why,
                    "an earlier sweep was cut short, and `%s` holds %llu of its %llu runs; "
                    "--resume goes on from there, or remove it",
                    s->output.journal, (unsigned long long)runs,
                    (unsigned long long)j->layout.runs);
    return !why->length && start_over(s, why);
}

static bool go_on(sweep_store *s, earlier *j, text *why) {
    text own = {0};
    store_head_put(s, &own);
    const store_head there = {(const unsigned char *)j->head.bytes, j->head.length},
                     here = {(const unsigned char *)own.bytes, own.length};
    text difference = {0};
    if (store_head_differs(&there, &here, &difference))
        text_format(why, "`%s` is of another sweep: %s", s->output.journal,
                    text_string(&difference));
    text_free(&own), text_free(&difference);
    if (why->length) return false;
    if (!store_set_chunks(s, j->layout.chunk_runs)) {
        text_format(why, "`%s`: its chunks are too large", s->output.journal);
        return false;
    }
    count_chunks(j, s);
    if (j->unreadable) {
        text_format(why, "`%s`: %s", s->output.journal, strerror(j->unreadable));
        return false;
    }
    s->disk.length = j->length;
    const bool good =
        ftruncate(s->disk.file, (off_t)j->length) == 0 && growing_file_reserve(&s->disk);
    if (!good) text_append(why, strerror(errno));
    return good;
}

// Empty, or what this sweep leaves that was killed while it wrote the head
static bool is_torn_head(const sweep_store *s, const earlier *j) {
    text own = {0}, there = {0};
    put_head(s, &own);
    bool good = j->size < own.length;
    if (good) text_repeat(&there, 0, j->size);
    good = good && descriptor_read_at(j->file, 0, there.bytes, there.length) &&
           (!there.length || memcmp(there.bytes, own.bytes, there.length) == 0);
    text_free(&own), text_free(&there);
    return good;
}

static bool take_up(sweep_store *s, text *why) {
    struct stat there;
    if (fstat(s->disk.file, &there) != 0) {
        text_append(why, strerror(errno));
        return false;
    }
    earlier j = {.file = s->disk.file, .size = (uint64_t)there.st_size};
    bool good = true;
    const bool has_head = read_head(&j);
    if (!has_head && !j.unreadable && !is_torn_head(s, &j)) {
        text_format(why, "`%s` is there, and %s", s->output.journal,
                    j.is_sweeps ? "its beginning is damaged; remove it"
                                : "is no journal of a sweep");
        good = false;
    }
    if (good)
        good = has_head && s->asked.resume ? go_on(s, &j, why) : replace(s, &j, has_head, why);
    text_free(&j.head);
    return good;
}

bool store_journal_open(sweep_store *s, text *why) {
    struct stat there;
    const char *target = s->output.target;
    const bool is_there = stat(target, &there) == 0,
               has_journal = access(s->output.journal, F_OK) == 0;
    if (is_there && !S_ISREG(there.st_mode)) text_append(why, "it is there, and no regular file");
    else if (!is_there && lstat(target, &there) == 0) text_append(why, "it is a link to nothing");
    else if (is_there && s->asked.resume && !has_journal)
        text_append(why, "it is there, and no journal of an unfinished sweep is beside it; "
                         "leave --resume out to make it anew");
    if (why->length) return false;
    s->disk = growing_file_begin(output_file_lock(&s->output, true, why), 0);
    descriptor_guard(&s->open, s->disk.file);
    s->is_ours = s->disk.file >= 0 && take_up(s, why);
    return s->is_ours;
}
