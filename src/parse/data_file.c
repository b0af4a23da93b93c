// Columns of comma-separated values.
#include "parse/data_file.h"

#include "base/names.h"
#include "base/utf8.h"
#include "base/list.h"

#include <arf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_COLUMNS = 10000,
    MOST_ROWS = 4000000,
    MOST_DIGITS = 400,
    MOST_EXPONENT = 400,
    DOUBLE_BITS = 53
};

typedef struct { // a stretch of the text
    uint32_t from, to;
} part;

typedef struct {
    context *ctx;
    const source *text;
    span asked; // where the model names the data
    uint32_t position;
    LIST(part, fields);          // of the line that was read last
    uint32_t line_from, line_to; // it
    const char *asked_column;
    uint32_t errors; // that there were before
} reading;

static span place(const reading *w, part p) {
    return (span){w->text, p.from, p.to > p.from ? p.to - p.from : 1};
}

static const char *where_asked(const reading *w) {
    return arena_format(&w->ctx->arena, "data of the column `%s`", w->asked_column);
}

// --- lines ---------------------------------------------------------------------------------------

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static part trimmed(const reading *w, part p) {
    const char *s = w->text->bytes;
    while (p.from < p.to && is_blank(s[p.from])) p.from++;
    while (p.to > p.from && is_blank(s[p.to - 1])) p.to--;
    return p;
}

// Nothing but text: a byte that no text has is reported.
static bool is_text(const reading *w) {
    const char *s = w->text->bytes;
    for (uint32_t i = w->position; i < w->text->length; i++) {
        const unsigned char c = (unsigned char)s[i];
        if ((c >= ' ' && c != 0x7F) || c == '\n' || c == '\r' || c == '\t') continue;
        diag_error(w->ctx, (span){w->text, i, 1},
                   "data are comma-separated values, with the names of the columns in the first "
                   "line",
                   "this is no text: a byte of value %u stands here", c);
        return false;
    }
    return true;
}

// field = '"' { any but '"', or '""' } '"' | { any but ',' }
static bool read_field(reading *w, uint32_t *i) {
    const char *s = w->text->bytes;
    part p = {*i, *i};
    while (p.from < w->line_to && is_blank(s[p.from])) p.from++;
    p.to = p.from;
    if (p.from < w->line_to && s[p.from] == '"') {
        for (p.to++; p.to < w->line_to; p.to++) {
            if (s[p.to] != '"') continue;
            if (p.to + 1 < w->line_to && s[p.to + 1] == '"') p.to++;
            else break;
        }
        const bool closed = p.to < w->line_to;
        uint32_t behind = closed ? p.to + 1 : p.to;
        while (behind < w->line_to && is_blank(s[behind])) behind++;
        if (!closed || (behind < w->line_to && s[behind] != ',')) {
            diag_error(w->ctx, place(w, (part){p.from, p.from + 1}), NULL,
                       closed ? "text stands behind the closing `\"` of this value"
                              : "missing closing `\"`");
            return false;
        }
        p.to++;
        *i = behind;
    } else {
        while (p.to < w->line_to && s[p.to] != ',') p.to++;
        *i = p.to;
        p = trimmed(w, p);
    }
    list_push(w, fields, p);
    return true;
}

// The next line that is neither empty nor a comment, cut into fields; false at the end, or where
// something was reported.
static bool read_line(reading *w) {
    const char *s = w->text->bytes;
    const uint32_t end = (uint32_t)w->text->length;
    while (w->position < end) {
        w->line_from = w->line_to = w->position;
        while (w->line_to < end && s[w->line_to] != '\n') w->line_to++;
        w->position = w->line_to < end ? w->line_to + 1 : end;
        const part all = trimmed(w, (part){w->line_from, w->line_to});
        if (all.from == all.to || s[all.from] == '#') continue;
        w->line_from = all.from, w->line_to = all.to;
        w->fields_count = 0;
        for (uint32_t i = all.from;; i++) {
            if (w->fields_count == MOST_COLUMNS) {
                context_exhaust(w->ctx, place(w, all), "columns of data", MOST_COLUMNS);
                return false;
            }
            if (!read_field(w, &i)) return false;
            if (i >= w->line_to) return true;
        }
    }
    return false;
}

// --- names ---------------------------------------------------------------------------------------

// Without quotes, and "" inside of them as "; in the arena
static const char *unquoted(const reading *w, part p) {
    const char *s = w->text->bytes;
    char *out = arena_copy(&w->ctx->arena, s + p.from, p.to - p.from);
    if (*out != '"') return out;
    size_t length = 0;
    for (uint32_t i = p.from + 1; i + 1 < p.to; i++) {
        out[length++] = s[i];
        if (s[i] == '"') i++;
    }
    out[length] = '\0';
    return out;
}

static bool begins_number(const reading *w, part p) {
    const char *s = w->text->bytes + p.from;
    return p.from < p.to && (strchr("+-.", *s) || (*s >= '0' && *s <= '9'));
}

// Columns by their names: that of the time, and the one asked for. False: reported.
static bool find_columns(reading *w, uint32_t *time, uint32_t *column) {
    names known = {0};
    const char **name = memory_array(const char *, w->fields_count);
    bool good = true;
    uint32_t found = UINT32_MAX;
    *time = 0;
    for (uint32_t i = 0; i < w->fields_count && good; i++) {
        name[i] = unquoted(w, w->fields[i]);
        const char *help = "the first line names the columns, as in `t, force`";
        if (!*name[i] || begins_number(w, w->fields[i])) {
            diag_error(w->ctx, place(w, w->fields[i]), help,
                       *name[i] ? "expected the name of a column, found a number"
                                : "a column without a name");
            good = false;
        } else if (!names_put(&known, name[i], i)) {
            diag_error(w->ctx, place(w, w->fields[i]), NULL, "two columns are called `%s`",
                       utf8_shown(&w->ctx->arena, name[i]));
            good = false;
        }
        if (strcmp(name[i], "t") == 0) *time = i;
        if (strcmp(name[i], w->asked_column) == 0) found = i;
    }
    if (good && found == UINT32_MAX) {
        const char *near = names_nearest(&known, w->asked_column, NULL);
        const bool other = w->fields_count == 1 && strpbrk(name[0], ";\t");
        const char *help = other  ? "columns are separated by commas"
                           : near ? arena_format(&w->ctx->arena, "did you mean `%s`?",
                                                 utf8_shown(&w->ctx->arena, near))
                                  : NULL;
        diag_error(w->ctx, w->asked, help, "`%s` has no column `%s`",
                   utf8_shown(&w->ctx->arena, w->text->name), w->asked_column);
        diag_note(w->ctx, place(w, (part){w->line_from, w->line_to}), NULL,
                  "its columns are named here");
        good = false;
    }
    *column = found;
    names_free(&known), memory_free(name);
    return good;
}

// --- numbers -------------------------------------------------------------------------------------

typedef struct {
    char digits[MOST_DIGITS + 2];
    size_t count;
    long exponent; // of ten
    bool negative;
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// number = [ "+" | "-" ] ( digits [ "." [ digits ] ] | "." digits ) [ ("e" | "E") [ sign ] digits ]
static bool read_decimal(const char *s, const char *end, decimal *d) {
    *d = (decimal){.count = 0};
    if (s < end && (*s == '+' || *s == '-')) d->negative = *s++ == '-';
    bool point = false, any = false;
    for (; s < end && (is_digit(*s) || (*s == '.' && !point)); s++) {
        if (*s == '.') {
            point = true;
            continue;
        }
        any = true;
        if (d->count || *s != '0') d->digits[d->count++] = *s; // no zeros in front
        if (point) d->exponent--;
        if (d->count > MOST_DIGITS || d->exponent < -MOST_DIGITS) return false;
    }
    if (any && s < end && (*s == 'e' || *s == 'E')) {
        const bool negative = ++s < end && *s == '-';
        if (s < end && (*s == '+' || *s == '-')) s++;
        if (s == end) return false;
        long power = 0;
        for (; s < end && is_digit(*s); s++)
            if (power < 10 * MOST_EXPONENT) power = 10 * power + (*s - '0');
        d->exponent += negative ? -power : power;
    }
    d->digits[d->count] = '\0';
    return any && s == end;
}

// digits * 10^exponent, exactly
static void set_number(fmpq *out, const decimal *d) {
    fmpz_t power;
    fmpz_init_set_ui(power, 10);
    fmpz_pow_ui(power, power, (ulong)labs(d->exponent));
    fmpz_set_str(&out->num, d->count ? d->digits : "0", 10);
    if (d->negative) fmpz_neg(&out->num, &out->num);
    if (d->exponent >= 0) fmpz_mul(&out->num, &out->num, power);
    else fmpz_set(&out->den, power);
    fmpq_canonicalise(out);
    fmpz_clear(power);
}

static bool read_number(reading *w, uint32_t field, fmpq *out) {
    part p = w->fields[field];
    const char *s = w->text->bytes;
    if (p.to - p.from >= 2 && s[p.from] == '"') p.from++, p.to--;
    p = trimmed(w, p);
    decimal d;
    if (p.from == p.to) {
        diag_error(w->ctx, place(w, w->fields[field]), where_asked(w), "a number is missing here");
        return false;
    }
    if (!read_decimal(s + p.from, s + p.to, &d)) {
        const char *shown =
            utf8_shown(&w->ctx->arena, arena_copy(&w->ctx->arena, s + p.from,
                                                  p.to - p.from < 40 ? p.to - p.from : 40));
        diag_error(w->ctx, place(w, p), where_asked(w), "expected a number, found `%s`", shown);
        return false;
    }
    const long size = d.count ? d.exponent + (long)d.count : 0; // |number| < 10^size
    if (size > 308 || (d.count && size < -307)) {
        diag_error(w->ctx, place(w, p), where_asked(w), "this number is too %s for a double",
                   size > 0 ? "large" : "small");
        return false;
    }
    set_number(out, &d);
    return true;
}

// --- rows ----------------------------------------------------------------------------------------

static uint32_t count_lines(const source *text) {
    uint32_t lines = 1;
    for (size_t i = 0; i < text->length; i++) lines += text->bytes[i] == '\n';
    return lines;
}

// Times increase, as doubles too
static bool is_later(reading *w, uint32_t field, const fmpq *before, const fmpq *now) {
    fmpq_t a, b;
    *a = *before, *b = *now; // shallow views
    if (fmpq_get_d(a) < fmpq_get_d(b)) return true;
    const char *how = fmpq_equal(a, b) ? "the same time as in the line before"
                      : fmpq_cmp(a, b) > 0
                          ? "times are to increase from line to line, and this is earlier"
                          : "this time and that of the line before are the same double";
    diag_error(w->ctx, place(w, w->fields[field]), where_asked(w), "%s", how);
    return false;
}

static bool has_all_fields(reading *w, uint32_t columns) {
    if (w->fields_count == columns) return true;
    diag_error(w->ctx, place(w, (part){w->line_from, w->line_to}), NULL,
               "expected %u value%s, one for each column, found %u", columns,
               columns == 1 ? "" : "s", w->fields_count);
    return false;
}

// All rows into f, which has room for them; false: reported
static bool read_rows(reading *w, uint32_t time, uint32_t column, uint32_t columns, spline *f) {
    const uint32_t room = f->count;
    uint32_t rows = 0;
    while (read_line(w)) {
        if (!has_all_fields(w, columns)) return false;
        if (rows == room || !read_number(w, time, &f->at[rows]) ||
            !read_number(w, column, &f->value[rows]))
            return false;
        if (rows && !is_later(w, time, &f->at[rows - 1], &f->at[rows])) return false;
        rows++;
        budget_check();
    }
    if (w->ctx->error_count > w->errors || w->ctx->exhausted) return false;
    if (rows < 2) {
        diag_error(w->ctx, (span){w->text, 0, 0}, NULL,
                   "a function needs two points at least, and there %s %u",
                   rows == 1 ? "is" : "are", rows);
        return false;
    }
    f->count = rows;
    return true;
}

// The first line, cut into fields; false: reported
static bool open_data(reading *w) {
    const source *text = w->text;
    w->errors = w->ctx->error_count;
    if (text->length >= 3 && memcmp(text->bytes, "\xEF\xBB\xBF", 3) == 0) w->position = 3;
    if (count_lines(text) > MOST_ROWS) {
        context_exhaust(w->ctx, w->asked, "lines of data", MOST_ROWS);
        return false;
    }
    if (!is_text(w)) return false;
    if (read_line(w)) return true;
    if (w->ctx->error_count == w->errors)
        diag_error(w->ctx, (span){text, 0, 0}, NULL, "there are no data in `%s`",
                   utf8_shown(&w->ctx->arena, text->name));
    return false;
}

spline *data_file_column(context *ctx, const source *text, const char *column, bool linear,
                         span at) {
    reading w = {.ctx = ctx, .text = text, .asked = at, .asked_column = column};
    spline *f = NULL;
    uint32_t time, value;
    if (open_data(&w) && find_columns(&w, &time, &value)) {
        const uint32_t columns = w.fields_count;
        f = spline_create(count_lines(text), linear);
        f->file = text->name;
        f->column = arena_copy(&ctx->arena, column, strlen(column));
        if (!read_rows(&w, time, value, columns, f)) spline_free(f), f = NULL;
    }
    memory_free(w.fields);
    return f;
}

// --- rows of numbers -----------------------------------------------------------------------------

double *data_file_rows(context *ctx, const source *text, uint32_t count, const char *const *column,
                       uint64_t *rows, span at) {
    reading w = {.ctx = ctx, .text = text, .asked = at};
    uint32_t *which = memory_array(uint32_t, count + 1), unused;
    bool good = open_data(&w);
    for (uint32_t i = 0; i < count && good; i++) {
        w.asked_column = column[i];
        good = find_columns(&w, &unused, &which[i]);
    }
    const uint32_t columns = w.fields_count;
    double *out = good ? arena_array(&ctx->arena, double, (size_t)count *count_lines(text)) : NULL;
    fmpq_t number;
    arf_t nearest;
    fmpq_init(number), arf_init(nearest);
    for (*rows = 0; good && read_line(&w); ++*rows) {
        good = has_all_fields(&w, columns);
        for (uint32_t i = 0; i < count && good; i++) {
            w.asked_column = column[i];
            good = read_number(&w, which[i], number);
            if (!good) break;
            arf_fmpz_div_fmpz(nearest, fmpq_numref(number), fmpq_denref(number), DOUBLE_BITS,
                              ARF_RND_NEAR);
            out[*rows * count + i] = arf_get_d(nearest, ARF_RND_NEAR);
        }
        budget_check();
    }
    fmpq_clear(number), arf_clear(nearest);
    good &= ctx->error_count == w.errors && !ctx->exhausted;
    if (good && !*rows)
        diag_error(ctx, at, NULL, "`%s` names columns, and has no row",
                   utf8_shown(&ctx->arena, text->name));
    memory_free(which), memory_free(w.fields);
    return good && *rows ? out : NULL;
}
