// Reading comma-separated values: cells, the line of names, the lines of numbers. Blanks around a
// cell, empty lines and a byte order mark are left out.
#include "record/csv_read.h"

#include "base/decimal.h"
#include "base/names.h"
#include "base/recovery.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    context *ctx;
    const source *from;
    uint32_t at;
} reader;

typedef struct {
    uint32_t begin, end;
    bool quoted;  // what lies between its quotes
    bool is_last; // of its line
} cell;

// --- cells ---------------------------------------------------------------------------------------

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_at_end(const reader *r) { return r->at >= r->from->length; }
static char byte_at(const reader *r, uint32_t at) {
    return at < r->from->length ? r->from->bytes[at] : '\n';
}
static void skip_blanks(reader *r) {
    while (is_blank(byte_at(r, r->at))) r->at++;
}

static hamel_status complain(const reader *r, uint32_t begin, uint32_t end, const char *what) {
    diag_error(r->ctx, (span){r->from, begin, end > begin ? end - begin : 1}, NULL, "%s", what);
    return HAMEL_USAGE;
}

static hamel_status read_quoted(reader *r, cell *out) {
    const uint32_t opening = r->at++;
    while (!is_at_end(r) && (byte_at(r, r->at) != '"' || byte_at(r, r->at + 1) == '"'))
        r->at += byte_at(r, r->at) == '"' ? 2 : 1;
    if (is_at_end(r)) return complain(r, opening, opening, "this quote is never closed");
    *out = (cell){.begin = opening + 1, .end = r->at++, .quoted = true};
    skip_blanks(r);
    if (byte_at(r, r->at) == ',' || byte_at(r, r->at) == '\n') return HAMEL_OK;
    return complain(r, r->at, r->at,
                    "expected a comma or the end of the line behind a quoted cell");
}

static void read_bare(reader *r, cell *out) {
    *out = (cell){.begin = r->at};
    while (byte_at(r, r->at) != ',' && byte_at(r, r->at) != '\n') r->at++;
    out->end = r->at;
    while (out->end > out->begin && is_blank(byte_at(r, out->end - 1))) out->end--;
}

// The next cell, and what separates it from the one after it.
static hamel_status read_cell(reader *r, cell *out) {
    skip_blanks(r);
    if (byte_at(r, r->at) == '"') {
        const hamel_status status = read_quoted(r, out);
        if (status) return status;
    } else {
        read_bare(r, out);
    }
    out->is_last = byte_at(r, r->at) == '\n';
    if (!is_at_end(r)) r->at++;
    return HAMEL_OK;
}

// To the next line with something in it; false if there is none.
static bool find_line(reader *r) {
    while (!is_at_end(r) && (is_blank(byte_at(r, r->at)) || byte_at(r, r->at) == '\n')) r->at++;
    return !is_at_end(r);
}

// An empty cell is a gap. Reading stops at a comma and at the 0 that ends the text.
static bool read_number(const reader *r, const cell *c, double *out) {
    *out = NAN;
    if (c->begin == c->end) return true;
    const char *stop;
    *out = decimal_read(r->from->bytes + c->begin, &stop);
    return stop == r->from->bytes + c->end;
}

// --- the line of names ---------------------------------------------------------------------------

typedef struct {
    LIST(column, columns);
    names known;
    uint32_t numbers; // names that are numbers
} heading;

static hamel_status add_name(const reader *r, const cell *c, heading *out) {
    text name = {0};
    for (uint32_t i = c->begin; i < c->end; i++) {
        text_char(&name, byte_at(r, i));
        if (c->quoted && byte_at(r, i) == '"') i++; // a quote within quotes is there twice
    }
    const char *fault = stored_name_fault(text_string(&name), name.length);
    const char *kept = arena_copy(&r->ctx->arena, text_string(&name), name.length);
    text_free(&name);
    double value;
    if (fault) return complain(r, c->begin, c->end, fault);
    if (!names_put(&out->known, kept, out->columns_count))
        return complain(r, c->begin, c->end, "there is a column of this name already");
    if (c->begin < c->end && read_number(r, c, &value)) out->numbers++;
    array_reserve(out->columns, out->columns_count, out->columns_capacity);
    out->columns[out->columns_count++] = (column){.name = kept};
    return HAMEL_OK;
}

// A file does not say what its columns are, but runs call them alike: the time t, and
// coordinates whose velocities x' are there.
static column_kind kind_of(const heading *h, const char *name) {
    const size_t length = strlen(name);
    if (strcmp(name, "t") == 0) return COLUMN_TIME;
    if (length && name[length - 1] == '\'') return COLUMN_VELOCITY;
    text velocity = {0};
    text_format(&velocity, "%s'", name);
    const bool moves = names_get(&h->known, text_string(&velocity)) != NULL;
    text_free(&velocity);
    return moves ? COLUMN_COORDINATE : COLUMN_OBSERVABLE;
}

static hamel_status read_names(reader *r, heading *out) {
    const uint32_t begin = r->at;
    cell c = {0};
    hamel_status status = HAMEL_OK;
    while (!status && !c.is_last) {
        status = read_cell(r, &c);
        if (!status) status = add_name(r, &c, out);
    }
    if (status) return status;
    if (out->numbers == out->columns_count)
        return complain(r, begin, begin,
                        "expected a line with the names of the columns, and found numbers");
    for (uint32_t i = 0; i < out->columns_count; i++)
        out->columns[i].kind = kind_of(out, out->columns[i].name);
    return HAMEL_OK;
}

// --- the lines of numbers ------------------------------------------------------------------------

typedef struct {
    names known;
    LIST(const char *, list);
} words_read;

static hamel_status say_wrong_count(const reader *r, uint32_t begin, uint32_t end, uint32_t names,
                                    uint32_t found) {
    const char *what = arena_format(
        &r->ctx->arena, "expected %u cells in this line, as many as there are names, and found %u",
        names, found);
    return complain(r, begin, end, what);
}

// How a run of a sweep ended, in words: the number of what it says
static bool read_word(const reader *r, const cell *c, const char *name, words_read *words,
                      double *out) {
    const char *s = r->from->bytes + c->begin;
    const bool letter = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
    if (strcmp(name, "ended") != 0 || c->begin == c->end) return false;
    if (!letter && !words->list_count) return false; // numbers, of another kind of file
    const char *word = arena_copy(&r->ctx->arena, s, c->end - c->begin);
    if (names_put(&words->known, word, words->list_count)) {
        if (stored_name_fault(word, c->end - c->begin)) return false;
        list_push(words, list, word);
    }
    *out = *names_get(&words->known, word);
    return true;
}

static hamel_status read_row(reader *r, const heading *h, words_read *words, double *value) {
    const uint32_t begin = r->at;
    uint32_t found = 0;
    cell c = {0};
    while (!c.is_last) {
        const hamel_status status = read_cell(r, &c);
        if (status) return status;
        const bool known = found < h->columns_count &&
                           (read_word(r, &c, h->columns[found].name, words, &value[found]) ||
                            read_number(r, &c, &value[found]));
        if (found < h->columns_count && !known)
            return complain(
                r, c.begin, c.end,
                arena_format(&r->ctx->arena,
                             "expected a number in the column `%s`, or nothing for a gap",
                             h->columns[found].name));
        found++;
    }
    return found == h->columns_count ? HAMEL_OK
                                     : say_wrong_count(r, begin, c.end, h->columns_count, found);
}

static hamel_status read_rows(reader *r, const heading *h, words_read *words, table *out) {
    double *value = memory_array(double, h->columns_count);
    hamel_status status = HAMEL_OK;
    *out = (table){.column_count = h->columns_count};
    while (!status && find_line(r)) {
        status = read_row(r, h, words, value);
        if (!status) status = table_add_within(r->ctx, out, value);
    }
    memory_free(value);
    return status;
}

// --- the file ------------------------------------------------------------------------------------

static hamel_status load(context *ctx, const char *file, source *out) {
    FILE *f = fopen(file, "rb");
    text t = {0};
    char buffer[1 << 16];
    guard open;
    if (f) guard_file(&open, f);
    for (size_t n;
         f && t.length <= ctx->limits.table_bytes && (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        text_append_n(&t, buffer, n);
    const int failure = !f || ferror(f) ? errno : 0;
    if (f) guard_lift(&open), fclose(f);
    *out = (source){.name = arena_copy(&ctx->arena, file, strlen(file)),
                    .bytes = arena_copy(&ctx->arena, text_string(&t), t.length),
                    .length = t.length};
    text_free(&t);
    if (failure) {
        context_refuse(ctx, (span){0}, "read", file, failure);
        return context_status_of(failure);
    }
    if (out->length <= ctx->limits.table_bytes) return HAMEL_OK;
    context_exhaust_limit(ctx, (span){0}, "bytes", "bytes of a file of rows",
                          ctx->limits.table_bytes);
    return HAMEL_LIMIT;
}

static void skip_byte_order_mark(reader *r) {
    static const char mark[] = "\xEF\xBB\xBF";
    if (r->from->length >= 3 && memcmp(r->from->bytes, mark, 3) == 0) r->at = 3;
}

hamel_status csv_read(context *ctx, const char *file, stored_rows *out) {
    source *from = arena_new(&ctx->arena, source);
    hamel_status status = load(ctx, file, from);
    if (status) return status;
    reader r = {.ctx = ctx, .from = from};
    heading h = {0};
    skip_byte_order_mark(&r);
    if (!find_line(&r))
        status = complain(&r, r.at, r.at,
                          "expected a line with the names of the columns, and found nothing");
    if (!status) status = read_names(&r, &h);
    words_read words = {0};
    if (!status) status = read_rows(&r, &h, &words, &out->rows);
    out->word_count = words.list_count;
    out->word = arena_array(&ctx->arena, const char *, words.list_count + 1);
    for (uint32_t i = 0; i < words.list_count; i++) out->word[i] = words.list[i];
    names_free(&words.known), memory_free(words.list);
    out->column = arena_array(&ctx->arena, column, h.columns_count);
    if (h.columns_count) memcpy(out->column, h.columns, h.columns_count * sizeof *h.columns);
    names_free(&h.known), memory_free(h.columns);
    return status;
}
