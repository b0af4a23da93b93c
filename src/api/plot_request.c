// From "x:y" to columns.
#include "api/plot_request.h"

#include "base/names.h"

#include <string.h>

// --- names ---------------------------------------------------------------------------------------

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
static bool read_quantity(const plot_rows *r, words w, drawn *out) {
    arena *a = &r->ctx->arena;
    w = trimmed(w);
    static const char opening[] = "error(";
    const size_t size = sizeof opening - 1;
    const bool is_error =
        w.length > size && strncmp(w.at, opening, size) == 0 && w.at[w.length - 1] == ')';
    const words name = unquoted(is_error ? (words){w.at + size, w.length - size - 1} : w);
    const char *column = arena_copy(a, name.at, name.length);
    *out = (drawn){is_error ? arena_format(a, "error(%s)", column) : column, find_column(r, column),
                   is_error};
    if (out->column == NO_COLUMN) say_there_is_no(r, column);
    return out->column != NO_COLUMN;
}

static bool read_label(const plot_rows *r, const char *panel, const words *w, const char **out) {
    *out = NULL;
    if (!w) return true;
    const words label = unquoted(trimmed(*w));
    *out = arena_copy(&r->ctx->arena, label.at, label.length);
    if (!label.length)
        diag_error(r->ctx, (span){0}, NULL, "there is no name behind `=` in `%s`", panel);
    return label.length > 0;
}

static void add_pair(request *out, pair p) {
    array_reserve(out->pairs, out->pairs_count, out->pairs_capacity);
    out->pairs[out->pairs_count++] = p;
}

// "x:y,z": an abscissa holds until another is given; the first is the first column.
// "y=NAME" has a name of its own.
static bool read_panel(const plot_rows *r, request *out) {
    words rest = {out->words, strlen(out->words)}, item, x, y;
    pair p = {.x.name = r->column[0].name};
    bool more;
    do {
        more = split(&rest, ',', &item);
        if (split(&item, ':', &x)) {
            if (!read_quantity(r, x, &p.x)) return false;
        }
        const bool is_named = split(&item, '=', &y);
        if (!read_quantity(r, y, &p.y)) return false;
        if (!read_label(r, out->words, is_named ? &item : NULL, &p.label)) return false;
        add_pair(out, p);
    } while (more);
    return true;
}

// --- what is drawn where nothing was asked for ---------------------------------------------------

static drawn drawn_column(const plot_rows *r, uint32_t i) {
    return (drawn){.name = r->column[i].name, .column = i};
}

static bool is_coordinate(const plot_rows *r, uint32_t i) {
    return i != NO_COLUMN && r->column[i].kind == COLUMN_COORDINATE;
}

// Of a file all columns against the first; of a run y against x, or all coordinates against t.
static void usual_panel(const plot_rows *r, request *out) {
    const uint32_t x = find_column(r, "x"), y = find_column(r, "y");
    if (!r->is_file && is_coordinate(r, x) && is_coordinate(r, y)) {
        add_pair(out, (pair){.x = drawn_column(r, x), .y = drawn_column(r, y)});
        return;
    }
    for (uint32_t i = 1; i < r->column_count; i++)
        if (r->is_file || is_coordinate(r, i))
            add_pair(out, (pair){.x = drawn_column(r, 0), .y = drawn_column(r, i)});
}

size_t request_count(const plot_rows *r) {
    return r->asked->panel_count ? r->asked->panel_count : 1;
}

bool request_read(const plot_rows *r, size_t i, request *out) {
    *out = (request){0};
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
