// From "x:y,z=NAME" to the curves of a figure: each panel that was asked for is taken apart, its
// columns are found among those of a run or of a file, and their rows become curves.
#include "api/plot_figure.h"

#include "base/names.h"
#include "base/utf8.h"
#include "report/figure_characters.h"
#include "report/figure_svg.h"

#include <math.h>
#include <string.h>

typedef struct { // a column, or its error
    const char *name;
    uint32_t column;
    bool is_error;
} drawn;

typedef struct {
    drawn x, y;
    const char *label; // in the legend; NULL: the name of y
} pair;

typedef struct {
    const char *words; // as it was asked for
    LIST(pair, pairs);
} request; // of one panel

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
    arena *a = &r->ctx->arena;
    *out = utf8_shown(a, arena_copy(a, label.at, label.length));
    if (!label.length)
        diag_error(r->ctx, (span){0}, NULL, "there is no name behind `=` in `%s`", panel);
    return label.length > 0;
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
        list_push(out, pairs, p);
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
        list_push(out, pairs, (pair){.x = drawn_column(r, x), .y = drawn_column(r, y)});
        return;
    }
    for (uint32_t i = 1; i < r->column_count; i++)
        if (r->is_file || is_coordinate(r, i))
            list_push(out, pairs, (pair){.x = drawn_column(r, 0), .y = drawn_column(r, i)});
}

static size_t request_count(const plot_rows *r) {
    return r->asked->panel_count ? r->asked->panel_count : 1;
}

// The i-th panel; false after an error that names what is missing. The caller frees out->pairs in
// every case.
static bool request_read(const plot_rows *r, size_t i, request *out) {
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

// --- options -------------------------------------------------------------------------------------

static bool read_legend(const char *word, legend_place *out) {
    static const struct {
        const char *word;
        legend_place place;
    } places[] = {{"none", LEGEND_NONE},      {"tl", LEGEND_TOP_LEFT},     {"tr", LEGEND_TOP_RIGHT},
                  {"bl", LEGEND_BOTTOM_LEFT}, {"br", LEGEND_BOTTOM_RIGHT}, {"above", LEGEND_ABOVE}};
    *out = LEGEND_AUTO;
    if (!word) return true;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(places[i].word, word) == 0) {
            *out = places[i].place;
            return true;
        }
    return false;
}

static bool is_log_word(const char *word) {
    return !word || strcmp(word, "x") == 0 || strcmp(word, "y") == 0 || strcmp(word, "xy") == 0 ||
           strcmp(word, "none") == 0;
}

static hamel_status check_options(const plot_rows *r) {
    const hamel_plot *p = r->asked;
    legend_place place;
    if (!is_log_word(p->log))
        diag_error(r->ctx, (span){0}, "give x, y, xy or none",
                   "there is no axis `%s` to make logarithmic", p->log);
    else if (!read_legend(p->legend, &place))
        diag_error(r->ctx, (span){0}, "give none, above, tl, tr, bl or br",
                   "there is no place `%s` for the legend", p->legend);
    else return HAMEL_OK;
    return HAMEL_USAGE;
}

hamel_status plot_figure_check(const plot_rows *r) {
    hamel_status status = check_options(r);
    for (size_t i = 0; !status && i < request_count(r); i++) {
        request q;
        if (!request_read(r, i, &q)) status = HAMEL_USAGE;
        memory_free(q.pairs);
    }
    return status;
}

// --- curves --------------------------------------------------------------------------------------

// Where a column begins: its first value that is a number.
static double first_of(const table *t, uint32_t column) {
    for (uint64_t i = 0; i < t->row_count; i++)
        if (isfinite(table_at(t, i, column))) return table_at(t, i, column);
    return NAN;
}

// |value - first| / (1 + |first|)
static const double *values_of(const plot_rows *r, const drawn *q) {
    const table *t = r->rows;
    double *value = arena_array(&r->ctx->arena, double, t->row_count);
    const double first = first_of(t, q->column);
    for (uint64_t i = 0; i < t->row_count; i++) {
        const double now = table_at(t, i, q->column);
        value[i] = q->is_error ? fabs(now - first) / (1 + fabs(first)) : now;
    }
    return value;
}

static void add_name(axis *a, const char *name) {
    for (uint32_t i = 0; i < a->name_count; i++)
        if (strcmp(a->name[i], name) == 0) return;
    a->name[a->name_count++] = name;
}

// x and y, x1 and z1, y[2] and z[2]: coordinates of one point.
static bool are_of_a_point(const plot_rows *r, const pair *p) {
    const column *x = &r->column[p->x.column], *y = &r->column[p->y.column];
    return !p->x.is_error && !p->y.is_error && x->kind == COLUMN_COORDINATE &&
           y->kind == COLUMN_COORDINATE && strchr("xyz", x->name[0]) && strchr("xyz", y->name[0]) &&
           x->name[0] != y->name[0] && strcmp(x->name + 1, y->name + 1) == 0;
}

static bool is_time(const plot_rows *r, const drawn *q) {
    return r->column[q->column].kind == COLUMN_TIME && !q->is_error;
}

static void set_panel(const plot_rows *r, const request *q, panel *out) {
    arena *a = &r->ctx->arena;
    const char *log = r->asked->log;
    bool points = true, errors = true;
    *out = (panel){.curve = arena_array(a, curve, q->pairs_count)};
    out->x.words = utf8_shown(a, r->asked->x_label);
    out->y.words = utf8_shown(a, r->asked->y_label);
    out->x.name = arena_array(a, const char *, q->pairs_count),
    out->y.name = arena_array(a, const char *, q->pairs_count);
    out->x.is_time = true;
    for (uint32_t i = 0; i < q->pairs_count; i++) {
        const pair *p = &q->pairs[i];
        out->curve[out->curve_count++] = (curve){.x_name = p->x.name,
                                                 .y_name = p->y.name,
                                                 .label = p->label,
                                                 .count = r->rows->row_count,
                                                 .x = values_of(r, &p->x),
                                                 .y = values_of(r, &p->y)};
        add_name(&out->x, p->x.name), add_name(&out->y, p->y.name);
        out->x.is_time = out->x.is_time && is_time(r, &p->x);
        points = points && are_of_a_point(r, p), errors = errors && p->y.is_error;
    }
    out->x.log = log && strchr(log, 'x');
    out->y.log = log ? strchr(log, 'y') != NULL : errors;
    out->equal = !out->x.log && !out->y.log && (r->asked->equal ? r->asked->equal > 0 : points);
}

static hamel_status say_nothing_to_plot(const plot_rows *r, const char *words, const panel *p) {
    diag_error(r->ctx, (span){0},
               p->x.log || p->y.log
                   ? "a logarithmic axis shows positive values only: `--log none` has none"
                   : NULL,
               "there is nothing to plot in `%s`: no value can be shown", words);
    return HAMEL_NUMERICS;
}

static void add_events(const plot_rows *r, figure *out) {
    arena *a = &r->ctx->arena;
    out->event_count = r->event_count;
    out->event = arena_array(a, figure_event, out->event_count);
    for (uint32_t i = 0; i < out->event_count; i++)
        out->event[i] = (figure_event){r->event[i].name, r->event[i].t};
    figure_mark_events(out, a, values_of(r, &(drawn){0}));
}

// The figure, in the arena.
static hamel_status make_figure(const plot_rows *r, figure *out) {
    const hamel_plot *asked = r->asked;
    *out = (figure){.title = utf8_shown(&r->ctx->arena, asked->title),
                    .grid = asked->grid,
                    .marks = asked->marks,
                    .width = asked->width,
                    .height = asked->height};
    read_legend(asked->legend, &out->legend);
    out->panel = arena_array(&r->ctx->arena, panel, request_count(r));
    for (size_t i = 0; i < request_count(r); i++) {
        request q;
        panel *p = &out->panel[out->panel_count++];
        request_read(r, i, &q); // it was checked
        set_panel(r, &q, p);
        memory_free(q.pairs);
        if (!panel_set_range(p)) return say_nothing_to_plot(r, q.words, p);
    }
    if (asked->events && r->rows->row_count) add_events(r, out);
    return HAMEL_OK;
}

hamel_status plot_figure_svg(const plot_rows *r, text *out) {
    figure f;
    const hamel_status status = make_figure(r, &f);
    if (!status) figure_svg(&f, &r->ctx->arena, out);
    return status;
}

hamel_status plot_figure_characters(const plot_rows *r, text *out) {
    figure f;
    const hamel_plot *p = r->asked;
    const hamel_status status = make_figure(r, &f);
    if (status) return status;
    const character_page page = {p->columns ? p->columns : 72, p->lines ? p->lines : 18, p->unicode,
                                 p->colour};
    figure_characters(&f, &page, out);
    return HAMEL_OK;
}
