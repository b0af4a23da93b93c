// From "x:y,z=NAME" to columns: each panel that was asked for is taken apart, and its columns are
// found among those of a run or of a file.
#include "api/plot_request.h"

#include "base/names.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

// --- names of columns ----------------------------------------------------------------------------

static const uint32_t NO_COLUMN = UINT32_MAX;

static uint32_t find_column(const plot_rows *r, const char *name) {
    for (uint32_t i = 0; i < r->column_count; i++)
        if (strcmp(r->column[i].name, name) == 0) return i;
    return NO_COLUMN;
}

static void say_there_is_no(const plot_rows *r, const char *name) {
    arena *a = &r->ctx->arena;
    names known = {0};
    text all = {0};
    for (uint32_t i = 0; i < r->column_count; i++) {
        names_put(&known, r->column[i].name, i);
        text_format(&all, "%s%s", i ? ", " : "", r->column[i].name);
    }
    const char *near = names_nearest(&known, name, NULL);
    diag_error(r->ctx, (span){0},
               near ? arena_format(a, "did you mean `%s`?", near)
                    : arena_format(a, "there are: %s", text_string(&all)),
               "there is no column `%s`", name);
    names_free(&known), text_free(&all);
}

// --- words ---------------------------------------------------------------------------------------

typedef struct {
    const char *at;
    size_t length;
} words;

static words trimmed(words w) {
    while (w.length && *w.at == ' ') w.at++, w.length--;
    while (w.length && w.at[w.length - 1] == ' ') w.length--;
    return w;
}

// Without double quotes around it, in which a name may have separators.
static words unquoted(words w) {
    const bool quoted = w.length >= 2 && w.at[0] == '"' && w.at[w.length - 1] == '"';
    return quoted ? (words){w.at + 1, w.length - 2} : w;
}

// What stands before a separator outside of brackets and quotes; `w` keeps what is behind it. All
// of it, and false, if there is no such separator.
static bool split(words *w, char separator, words *before) {
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < w->length; i++) {
        const char c = w->at[i];
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (strchr("[(", c)) depth++;
        if (strchr("])", c)) depth--;
        if (c != separator || depth > 0) continue;
        *before = (words){w->at, i};
        *w = (words){w->at + i + 1, w->length - i - 1};
        return true;
    }
    *before = *w;
    return false;
}

// A name, or error(NAME), without the blanks around it.
static bool read_quantity(const plot_rows *r, words w, plot_quantity *out) {
    arena *a = &r->ctx->arena;
    w = trimmed(w);
    static const char opening[] = "error(";
    const size_t size = sizeof opening - 1;
    const bool is_error =
        w.length > size && strncmp(w.at, opening, size) == 0 && w.at[w.length - 1] == ')';
    const words name = unquoted(is_error ? (words){w.at + size, w.length - size - 1} : w);
    const char *column = arena_copy(a, name.at, name.length);
    *out = (plot_quantity){is_error ? arena_format(a, "error(%s)", column) : column,
                           find_column(r, column), is_error};
    if (out->column == NO_COLUMN) say_there_is_no(r, column);
    return out->column != NO_COLUMN;
}

static bool read_label(const plot_rows *r, const char *panel, const words *w, const char **out) {
    *out = NULL;
    if (!w) return true;
    const words label = unquoted(trimmed(*w));
    arena *a = &r->ctx->arena;
    *out = utf8_shown(a, arena_copy(a, label.at, label.length));
    if (!label.length)
        diag_error(r->ctx, (span){0}, NULL, "there is no name behind `=` in `%s`", panel);
    return label.length > 0;
}

// "x:y,z": an abscissa holds until another is given; the first is the first column.
// "y=NAME" has a name of its own.
static bool read_panel(const plot_rows *r, plot_request *out) {
    words rest = {out->words, strlen(out->words)}, item, x, y;
    plot_pair p = {.x.name = r->column[0].name};
    bool more;
    do {
        more = split(&rest, ',', &item);
        if (split(&item, ':', &x)) {
            if (!read_quantity(r, x, &p.x)) return false;
        }
        const bool is_named = split(&item, '=', &y);
        if (!read_quantity(r, y, &p.y)) return false;
        if (!read_label(r, out->words, is_named ? &item : NULL, &p.label)) return false;
        list_push(out, pairs, p);
    } while (more);
    return true;
}

// --- what is drawn where nothing was asked for ---------------------------------------------------

static plot_quantity drawn_column(const plot_rows *r, uint32_t i) {
    return (plot_quantity){.name = r->column[i].name, .column = i};
}

static bool is_coordinate(const plot_rows *r, uint32_t i) {
    return i != NO_COLUMN && r->column[i].kind == COLUMN_COORDINATE;
}

static bool varies(const plot_rows *r, uint32_t column) {
    static const double ROUNDING = 1e-9;
    double low = INFINITY, high = -INFINITY;
    for (uint64_t i = 0; r->rows && i < r->rows->row_count; i++)
        low = fmin(low, table_at(r->rows, i, column)),
        high = fmax(high, table_at(r->rows, i, column));
    return high - low > ROUNDING * (1 + fabs(low));
}

// The velocity of the first coordinate that is not the same in all points, against that coordinate
static bool section_panel(const plot_rows *r, plot_request *out) {
    for (uint32_t i = 1; i < r->column_count; i++) {
        const uint32_t rate =
            find_column(r, arena_format(&r->ctx->arena, "%s'", r->column[i].name));
        if (!is_coordinate(r, i) || rate == NO_COLUMN || !varies(r, i)) continue;
        list_push(out, pairs, (plot_pair){.x = drawn_column(r, i), .y = drawn_column(r, rate)});
        return true;
    }
    return false;
}

// Of a file all columns against the first; of a run y against x, or all coordinates against t.
static void usual_panel(const plot_rows *r, plot_request *out) {
    if (r->dots && section_panel(r, out)) return;
    const uint32_t x = find_column(r, "x"), y = find_column(r, "y");
    if (!r->is_file && is_coordinate(r, x) && is_coordinate(r, y)) {
        list_push(out, pairs, (plot_pair){.x = drawn_column(r, x), .y = drawn_column(r, y)});
        return;
    }
    for (uint32_t i = 1; i < r->column_count; i++)
        if (r->is_file || is_coordinate(r, i))
            list_push(out, pairs, (plot_pair){.x = drawn_column(r, 0), .y = drawn_column(r, i)});
}

size_t plot_request_count(const plot_rows *r) {
    return r->asked->panel_count ? r->asked->panel_count : 1;
}

bool plot_request_read(const plot_rows *r, size_t i, plot_request *out) {
    *out = (plot_request){0};
    if (r->asked->panel_count) {
        out->words = r->asked->panels[i];
        return read_panel(r, out);
    }
    usual_panel(r, out);
    out->words = r->column[0].name;
    if (!out->pairs_count)
        diag_error(r->ctx, (span){0}, NULL, "there is nothing to draw against `%s`", out->words);
    return out->pairs_count > 0;
}

// --- columns alone -------------------------------------------------------------------------------

static bool add_columns(const plot_rows *r, const plot_request *q, const char *what,
                        uint32_t *count, uint32_t *column) {
    for (uint32_t i = 0; i < q->pairs_count; i++) {
        const plot_pair *p = &q->pairs[i];
        if (p->x.column || p->x.is_error || p->y.is_error) {
            diag_error(r->ctx, (span){0}, "name the columns alone, as in `x,y`",
                       "%s is of columns, and `%s` is more than that", what, q->words);
            return false;
        }
        uint32_t k = 0;
        while (k < *count && column[k] != p->y.column) k++;
        if (k == *count) column[(*count)++] = p->y.column;
    }
    return true;
}

uint32_t plot_request_columns(const plot_rows *r, const char *what, uint32_t *column) {
    uint32_t count = 0;
    bool good = true;
    if (!r->asked->panel_count && !r->is_file) { // of a run all coordinates
        for (uint32_t i = 1; i < r->column_count; i++)
            if (is_coordinate(r, i)) column[count++] = i;
        return count;
    }
    for (size_t i = 0; good && i < plot_request_count(r); i++) {
        plot_request q;
        good = plot_request_read(r, i, &q) && add_columns(r, &q, what, &count, column);
        memory_free(q.pairs);
    }
    return good ? count : 0;
}
