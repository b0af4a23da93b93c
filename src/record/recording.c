// The bytes of a run on record, written and read back: see recording.h.
#include "record/recording.h"

#include "base/descriptor.h"
#include "record/stored.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

static const char MAGIC[] = "hamel journal 1\n", SWEEP[] = "hamel sweep "; // sweep/store_journal.c
enum { MAGIC_BYTES = 16 };

// A HEAD holds the texts of a model, an EVNT or a HERE the numbers of one state.
static const uint64_t MOST_CONTENT = 1u << 30;

// --- writing -------------------------------------------------------------------------------------

void recording_put_magic(text *out) { text_append_n(out, MAGIC, MAGIC_BYTES); }

void recording_put_head(text *out, const run_terms *t, const row_layout *l) {
    const char *const words[] = {t->version, t->name, t->title,  t->text,      t->set,
                                 t->at,      t->form, t->method, t->execution, t->precision};
    const double numbers[] = {t->tolerance, t->interval, t->until, t->step};
    const size_t begin = sealed_begin(out);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) bytes_put_string(out, words[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) bytes_put_double(out, numbers[i]);
    bytes_put(out, t->project, 1);
    bytes_put(out, t->included_count, 4);
    for (uint32_t i = 0; i < t->included_count; i++) bytes_put_string(out, t->included[i]);
    bytes_put(out, l->coordinates, 4), bytes_put(out, l->state_size, 4);
    bytes_put(out, l->column_count, 4);
    for (uint32_t i = 0; i < l->column_count; i++)
        bytes_put(out, l->column[i].kind, 1), bytes_put_string(out, l->column[i].name);
    for (uint32_t i = 0; i < l->column_count; i++)
        bytes_put_string(out, l->column[i].unit ? l->column[i].unit : "");
    sealed_end(out, begin, "HEAD");
}

static void put_doubles(text *out, uint64_t count, const double *value) {
    const size_t begin = out->length;
    text_repeat(out, 0, 8 * count);
    unsigned char *to = (unsigned char *)out->bytes + begin;
    for (uint64_t i = 0; i < count; i++) bytes_store(to + 8 * i, bytes_of_double(value[i]), 8);
}

void recording_rows_head(unsigned char *head, uint64_t numbers, double *value) {
    for (uint64_t i = 0; i < numbers; i++)
        bytes_store((unsigned char *)&value[i], bytes_of_double(value[i]), 8);
    sealed_put_head(head, "ROWS", 8 * numbers, value);
}

void recording_put_lines(text *out, const text *lines) {
    const size_t begin = sealed_begin(out);
    text_append_n(out, lines->bytes, lines->length);
    sealed_end(out, begin, "LINE");
}

void recording_put_event(text *out, const event_record *e, const row_layout *l) {
    const size_t begin = sealed_begin(out);
    bytes_put_double(out, e->t);
    bytes_put(out, e->direction > 0, 1);
    bytes_put(out, e->state != NULL, 1);
    if (e->state) put_doubles(out, 2 * (uint64_t)l->coordinates, e->state);
    bytes_put_string(out, e->name);
    sealed_end(out, begin, "EVNT");
}

void recording_put_position(text *out, const run_position *here, const run_record *counted,
                            const row_layout *l) {
    const double numbers[] = {here->t, here->pace[0], here->pace[1], counted->smallest_step,
                              counted->largest_step};
    const uint64_t counts[] = {counted->rows,  counted->next_row, counted->steps,
                               here->rejected, here->evaluations, counted->events_count,
                               here->chart};
    const size_t begin = sealed_begin(out);
    put_doubles(out, sizeof numbers / sizeof *numbers, numbers);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) bytes_put(out, counts[i], 8);
    put_doubles(out, l->state_size, here->z);
    put_doubles(out, l->state_size, here->rest);
    put_doubles(out, l->state_size, here->turns);
    put_doubles(out, l->column_count, here->columns);
    put_doubles(out, l->column_count, counted->deviation);
    put_doubles(out, l->column_count, counted->deviation_t);
    bytes_put(out, counted->may_change, 1), bytes_put(out, counted->changes_count, 4);
    for (uint32_t i = 0; i < counted->changes_count; i++) {
        const method_change *c = &counted->changes[i];
        bytes_put_double(out, c->t), bytes_put(out, c->steps, 8);
        bytes_put_string(out, c->method), bytes_put_string(out, c->because);
    }
    sealed_end(out, begin, "HERE");
}

void recording_put_outcome(text *out, const char *outcome) {
    const size_t begin = sealed_begin(out);
    bytes_put_string(out, outcome);
    sealed_end(out, begin, "DONE");
}

// --- reading: bytes ------------------------------------------------------------------------------

typedef struct {
    context *ctx;
    recording *to;
    recording_trust how;
    uint64_t size;              // of the file
    uint64_t lines, lines_size; // seen, and waiting for their rows
    bool has_head;
} reader;

// Bytes that the file has. Where they cannot be read nobody knows whether the record goes on, which
// is no end of it.
static bool fetch(reader *r, uint64_t at, void *bytes, size_t size) {
    if (descriptor_read_at(r->to->file, at, bytes, size)) return true;
    r->to->unreadable = errno;
    return false;
}

static bool next_piece(reader *r, uint64_t at, sealed *out) {
    int *unreadable = &r->to->unreadable;
    if (!sealed_find(r->to->file, at, r->size, out, unreadable)) return false;
    if (r->how == RECORDING_OWN && strcmp(out->kind, "ROWS") == 0) return true;
    return sealed_is_whole(r->to->file, out, unreadable);
}

// --- reading: pieces -----------------------------------------------------------------------------

static const char *get_string(reader *r, byte_reader *b) {
    const uint64_t length = bytes_get(b, 4);
    const unsigned char *letters = bytes_take(b, length);
    if (!letters || memchr(letters, 0, length)) {
        b->short_of = true;
        return "";
    }
    return arena_copy(&r->ctx->arena, (const char *)letters, length);
}

// As many doubles, in the arena; none that the bytes do not hold
static double *get_doubles(reader *r, byte_reader *b, uint64_t count) {
    const unsigned char *bytes = count <= MOST_CONTENT ? bytes_take(b, 8 * count) : NULL;
    if (!bytes) {
        b->short_of = true;
        return NULL;
    }
    double *value = arena_array(&r->ctx->arena, double, count + 1);
    for (uint64_t i = 0; i < count; i++) value[i] = bytes_to_double(bytes_load(bytes + 8 * i, 8));
    return value;
}

static void get_columns(reader *r, byte_reader *b) {
    recording *to = r->to;
    to->column_count = (uint32_t)bytes_get(b, 4);
    // each has 5 bytes at the least
    if (to->column_count > (uint64_t)(b->end - b->at) / 5) b->short_of = true;
    if (b->short_of) return;
    to->column = arena_array(&r->ctx->arena, column, to->column_count);
    for (uint32_t i = 0; i < to->column_count && !b->short_of; i++) {
        const uint64_t kind = bytes_get(b, 1);
        to->column[i] = (column){.name = get_string(r, b), .kind = (column_kind)kind};
        const char *name = to->column[i].name;
        if (kind > COLUMN_CONTACT || stored_name_fault(name, strlen(name))) b->short_of = true;
    }
    for (uint32_t i = 0; i < to->column_count && !b->short_of && b->at < b->end; i++) {
        const char *unit = get_string(r, b);
        if (*unit && !stored_name_fault(unit, strlen(unit))) to->column[i].unit = unit;
    }
}

static void get_terms(reader *r, byte_reader *b, run_terms *t) {
    const char **const words[] = {&t->version, &t->name, &t->title,  &t->text,      &t->set,
                                  &t->at,      &t->form, &t->method, &t->execution, &t->precision};
    double *const numbers[] = {&t->tolerance, &t->interval, &t->until, &t->step};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) *words[i] = get_string(r, b);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) *numbers[i] = bytes_get_double(b);
    t->project = bytes_get(b, 1) != 0;
    t->included_count = (uint32_t)bytes_get(b, 4);
    if (t->included_count > (uint64_t)(b->end - b->at) / 4) b->short_of = true;
    if (b->short_of) return;
    t->included = arena_array(&r->ctx->arena, const char *, t->included_count);
    for (uint32_t i = 0; i < t->included_count; i++) t->included[i] = get_string(r, b);
}

// A later one changes what was asked, never what the rows are made of; refused, it changes nothing.
static bool take_head(reader *r, byte_reader *b) {
    recording *to = r->to;
    const recording was = *to;
    get_terms(r, b, &to->terms);
    to->coordinates = (uint32_t)bytes_get(b, 4), to->state_size = (uint32_t)bytes_get(b, 4);
    if (to->coordinates > MOST_CONTENT || to->state_size > MOST_CONTENT) b->short_of = true;
    get_columns(r, b);
    const bool is_same = was.column_count == to->column_count &&
                         was.coordinates == to->coordinates && was.state_size == to->state_size,
               is_whole = !b->short_of && b->at == b->end && to->column_count;
    const bool good = is_whole && (is_same || !r->has_head);
    if (good) r->has_head = true;
    else *to = was;
    return good;
}

static bool take_rows(reader *r, const sealed *p) {
    recording *to = r->to;
    const uint64_t row = 8 * (uint64_t)to->column_count;
    if (p->length % row) return false;
    list_push(to, blocks, (row_block){to->rows, p->length / row, p->at, r->lines, r->lines_size});
    to->rows += p->length / row;
    r->lines_size = 0;
    return true;
}

static bool take_event(reader *r, byte_reader *b) {
    event_record e = {.t = bytes_get_double(b)};
    e.direction = bytes_get(b, 1) ? 1 : -1;
    if (bytes_get(b, 1)) e.state = get_doubles(r, b, 2 * (uint64_t)r->to->coordinates);
    e.name = get_string(r, b);
    if (b->short_of || !isfinite(e.t) || stored_name_fault(e.name, strlen(e.name))) return false;
    list_push(r->to, events, e);
    return true;
}

// Records of older versions end before it.
static void get_changes(reader *r, byte_reader *b, run_record *c) {
    enum { LEAST_BYTES = 24 }; // of one change
    if (b->short_of || b->at == b->end) return;
    c->may_change = bytes_get(b, 1) != 0;
    const uint64_t count = bytes_get(b, 4);
    if (count > (uint64_t)(b->end - b->at) / LEAST_BYTES) b->short_of = true;
    if (b->short_of) return;
    c->changes = arena_array(&r->ctx->arena, method_change, count);
    c->changes_count = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++) {
        method_change *to = &c->changes[i];
        to->t = bytes_get_double(b), to->steps = bytes_get(b, 8);
        to->method = get_string(r, b), to->because = get_string(r, b);
        if (!isfinite(to->t) || to->steps > c->steps) b->short_of = true;
    }
}

static bool take_position(reader *r, byte_reader *b) {
    recording *to = r->to;
    run_position p = {.t = bytes_get_double(b)};
    run_record c = {0};
    uint64_t events = 0, chart = 0;
    double *const numbers[] = {&p.pace[0], &p.pace[1], &c.smallest_step, &c.largest_step};
    uint64_t *const counts[] = {&c.rows,        &c.next_row, &c.steps, &p.rejected,
                                &p.evaluations, &events,     &chart};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) *numbers[i] = bytes_get_double(b);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) *counts[i] = bytes_get(b, 8);
    p.z = get_doubles(r, b, to->state_size), p.rest = get_doubles(r, b, to->state_size);
    p.turns = get_doubles(r, b, to->state_size);
    p.columns = get_doubles(r, b, to->column_count);
    c.deviation = get_doubles(r, b, to->column_count);
    c.deviation_t = get_doubles(r, b, to->column_count);
    get_changes(r, b, &c);
    if (b->short_of || !isfinite(p.t) || !c.rows || events > to->events_count) return false;
    if (c.rows > to->rows && r->how != RECORDING_ROWS_ELSEWHERE) return false;
    for (uint32_t i = 0; i < to->state_size; i++)
        if (!isfinite(p.z[i]) || !isfinite(p.rest[i]) || !isfinite(p.turns[i])) return false;
    p.chart = chart != 0;
    to->position = p, to->counted = c, to->events_there = (uint32_t)events;
    to->has_position = true;
    return true;
}

static bool take_small(reader *r, const sealed *p) {
    if (p->length > MOST_CONTENT) return false;
    unsigned char *content = memory_array(unsigned char, p->length);
    byte_reader b = {content, content + p->length, false};
    bool good = fetch(r, p->at, content, p->length);
    if (good && strcmp(p->kind, "HEAD") == 0) good = take_head(r, &b);
    else if (!r->has_head) good = false;
    else if (good && strcmp(p->kind, "EVNT") == 0) good = take_event(r, &b);
    else if (good && strcmp(p->kind, "HERE") == 0) good = take_position(r, &b);
    else if (good && strcmp(p->kind, "DONE") == 0) r->to->outcome = get_string(r, &b);
    else good = false;
    good = good && !b.short_of && b.at == b.end;
    memory_free(content);
    return good;
}

static bool take_piece(reader *r, const sealed *p) {
    if (strcmp(p->kind, "ROWS") == 0) return r->has_head && take_rows(r, p);
    if (strcmp(p->kind, "LINE") != 0) return take_small(r, p);
    r->lines = p->at, r->lines_size = p->length;
    return true;
}

bool recording_read(context *ctx, int file, recording_trust how, recording *out, text *why) {
    *out = (recording){.file = file, .outcome = OUTCOME_NONE};
    reader r = {.ctx = ctx, .to = out, .how = how};
    char magic[MAGIC_BYTES] = "";
    const off_t size = lseek(file, 0, SEEK_END);
    r.size = size > 0 ? (uint64_t)size : 0;
    if (r.size < MAGIC_BYTES || !fetch(&r, 0, magic, MAGIC_BYTES) ||
        memcmp(magic, MAGIC, MAGIC_BYTES) != 0) {
        const bool is_sweep = r.size >= MAGIC_BYTES && memcmp(magic, SWEEP, sizeof SWEEP - 1) == 0;
        text_append(why, out->unreadable ? strerror(out->unreadable)
                         : is_sweep      ? "it is of a sweep: `hamel sweep` with --resume goes on"
                                         : "it is no journal of hamel");
        return false;
    }
    out->length = MAGIC_BYTES;
    for (sealed p; next_piece(&r, out->length, &p) && take_piece(&r, &p);) {
        out->length = p.at + p.length;
        if (strcmp(p.kind, "HERE") == 0) out->length_at_position = out->length;
        else if (strcmp(p.kind, "DONE") != 0) out->outcome = OUTCOME_NONE; // it went on
    }
    if (out->unreadable) text_append(why, strerror(out->unreadable));
    else if (!r.has_head) text_append(why, "it ends before the first row");
    return r.has_head && !out->unreadable;
}

row_layout recording_layout(const recording *r) {
    return (row_layout){r->column_count, r->column, r->coordinates, r->state_size};
}

void recording_free(recording *r) {
    memory_free(r->blocks), memory_free(r->events);
    *r = (recording){.file = -1};
}

// --- rows ----------------------------------------------------------------------------------------

// The block with this row, by halving
static const row_block *block_of(const recording *r, uint64_t row) {
    uint32_t low = 0, high = r->blocks_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (r->blocks[middle].first_row <= row) low = middle;
        else high = middle;
    }
    return &r->blocks[low];
}

bool recording_rows(const recording *r, uint64_t from, uint64_t count, double *value) {
    const uint64_t columns = r->column_count;
    while (count) {
        const row_block *b = block_of(r, from);
        const uint64_t skipped = from - b->first_row, there = b->rows - skipped,
                       taken = there < count ? there : count;
        unsigned char *bytes = (unsigned char *)value;
        if (!descriptor_read_at(r->file, b->at + 8 * columns * skipped, bytes, 8 * columns * taken))
            return false;
        for (uint64_t i = 0; i < columns * taken; i++)
            value[i] = bytes_to_double(bytes_load(bytes + 8 * i, 8));
        value += columns * taken, from += taken, count -= taken;
    }
    return true;
}

bool recording_lines(const recording *r, const row_block *b, text *out) {
    const size_t begin = out->length;
    text_repeat(out, 0, b->lines_size);
    return descriptor_read_at(r->file, b->lines, out->bytes + begin, b->lines_size);
}
