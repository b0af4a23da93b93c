// From "x:y" to the curves of a figure.
#include "api/plot_figure.h"

#include "base/names.h"
#include "report/figure_characters.h"

#include <math.h>
#include <string.h>

typedef struct { // a column, or its error
    const char *name;
    uint32_t column;
    bool is_error;
} drawn;

typedef struct {
    drawn x, y;
} pair;

typedef struct {
    LIST(pair, pairs);
} request; // of one panel

// --- names ----------------------------------------------------------------------------------------------------------

static const uint32_t NO_COLUMN = UINT32_MAX;

static uint32_t find_column(const run_job *j, const char *name) {
    for (uint32_t i = 0; i < j->system->column_count; i++)
        if (strcmp(j->system->column[i].name, name) == 0) return i;
    return NO_COLUMN;
}

static void say_there_is_no(const run_job *j, const char *name) {
    arena *a = &j->m->ctx->arena;
    names known = {0};
    text all = {0};
    for (uint32_t i = 0; i < j->system->column_count; i++) {
        names_put(&known, j->system->column[i].name, i);
        text_format(&all, "%s%s", i ? ", " : "", j->system->column[i].name);
    }
    const char *near = names_nearest(&known, name, NULL);
    diag_error(j->m->ctx, (span){0},
               near ? arena_format(a, "did you mean `%s`?", near) : arena_format(a, "there are: %s", text_string(&all)),
               "there is no column `%s`", name);
    names_free(&known), text_free(&all);
}

// A name, or error(NAME), without the blanks around it.
static bool read_quantity(const run_job *j, const char *words, size_t length, drawn *out) {
    arena *a = &j->m->ctx->arena;
    while (length && *words == ' ') words++, length--;
    while (length && words[length - 1] == ' ') length--;
    static const char opening[] = "error(";
    const size_t size = sizeof opening - 1;
    *out = (drawn){.name = arena_copy(a, words, length)};
    out->is_error = length > size && strncmp(words, opening, size) == 0 && words[length - 1] == ')';
    const char *column = out->is_error ? arena_copy(a, words + size, length - size - 1) : out->name;
    out->column = find_column(j, column);
    if (out->column == NO_COLUMN) say_there_is_no(j, column);
    return out->column != NO_COLUMN;
}

// The length up to one of the separators that stands outside of brackets.
static size_t span_outside(const char *words, size_t length, char separator) {
    int depth = 0;
    for (size_t i = 0; i < length; i++) {
        if (strchr("[(", words[i]))
            depth++;
        else if (strchr("])", words[i]))
            depth--;
        else if (words[i] == separator && depth <= 0)
            return i;
    }
    return length;
}

// "x:y,z": an abscissa holds until another is given; the first is t.
static bool read_panel(const run_job *j, const char *words, request *out) {
    drawn x = {.name = j->system->column[0].name};
    for (size_t length = strlen(words);;) {
        const size_t item = span_outside(words, length, ','), colon = span_outside(words, item, ':');
        pair p;
        if (colon < item && !read_quantity(j, words, colon, &x)) return false;
        const size_t skip = colon < item ? colon + 1 : 0;
        if (!read_quantity(j, words + skip, item - skip, &p.y)) return false;
        p.x = x;
        array_reserve(out->pairs, out->pairs_count, out->pairs_capacity);
        out->pairs[out->pairs_count++] = p;
        if (item == length) return true;
        words += item + 1, length -= item + 1;
    }
}

// y against x, or all coordinates against t.
static const char *usual_panel(const run_job *j) {
    const simulation *s = j->system;
    const uint32_t x = find_column(j, "x"), y = find_column(j, "y");
    if (x != NO_COLUMN && y != NO_COLUMN && s->column[x].kind == COLUMN_COORDINATE &&
        s->column[y].kind == COLUMN_COORDINATE)
        return "x:y";
    text all = {0};
    for (uint32_t i = 0; i < s->column_count; i++)
        if (s->column[i].kind == COLUMN_COORDINATE) text_format(&all, "%s%s", all.length ? "," : "", s->column[i].name);
    const char *words = arena_copy(&j->m->ctx->arena, text_string(&all), all.length);
    text_free(&all);
    return words;
}

static size_t panel_count(const hamel_plot *p) { return p->panel_count ? p->panel_count : 1; }
static const char *panel_words(const run_job *j, size_t i) {
    return j->plot->panel_count ? j->plot->panels[i] : usual_panel(j);
}

// --- options --------------------------------------------------------------------------------------------------------

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

static hamel_status check_options(const run_job *j) {
    const hamel_plot *p = j->plot;
    legend_place place;
    if (!is_log_word(p->log))
        diag_error(j->m->ctx, (span){0}, "give x, y, xy or none", "there is no axis `%s` to make logarithmic", p->log);
    else if (!read_legend(p->legend, &place))
        diag_error(j->m->ctx, (span){0}, "give none, above, tl, tr, bl or br", "there is no place `%s` for the legend",
                   p->legend);
    else
        return HAMEL_OK;
    return HAMEL_USAGE;
}

hamel_status plot_check(const run_job *j) {
    hamel_status status = check_options(j);
    for (size_t i = 0; !status && i < panel_count(j->plot); i++) {
        request r = {0};
        if (!read_panel(j, panel_words(j, i), &r)) status = HAMEL_USAGE;
        free(r.pairs);
    }
    return status;
}

// --- curves ---------------------------------------------------------------------------------------------------------

// |value - first| / (1 + |first|)
static const double *values_of(const run_job *j, const drawn *q) {
    const table *t = j->rows;
    double *value = arena_array(&j->m->ctx->arena, double, t->row_count);
    for (uint64_t i = 0; i < t->row_count; i++) {
        const double now = table_at(t, i, q->column), first = table_at(t, 0, q->column);
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
static bool are_of_a_point(const run_job *j, const pair *p) {
    const column *x = &j->system->column[p->x.column], *y = &j->system->column[p->y.column];
    return !p->x.is_error && !p->y.is_error && x->kind == COLUMN_COORDINATE && y->kind == COLUMN_COORDINATE &&
           strchr("xyz", x->name[0]) && strchr("xyz", y->name[0]) && x->name[0] != y->name[0] &&
           strcmp(x->name + 1, y->name + 1) == 0;
}

static void set_panel(const run_job *j, const request *r, panel *out) {
    arena *a = &j->m->ctx->arena;
    const char *log = j->plot->log;
    bool points = true, errors = true;
    *out = (panel){.curve = arena_array(a, curve, r->pairs_count)};
    out->x.name = arena_array(a, const char *, r->pairs_count),
    out->y.name = arena_array(a, const char *, r->pairs_count);
    out->x.is_time = true;
    for (uint32_t i = 0; i < r->pairs_count; i++) {
        const pair *p = &r->pairs[i];
        out->curve[out->curve_count++] = (curve){.x_name = p->x.name,
                                                 .y_name = p->y.name,
                                                 .count = j->rows->row_count,
                                                 .x = values_of(j, &p->x),
                                                 .y = values_of(j, &p->y)};
        add_name(&out->x, p->x.name), add_name(&out->y, p->y.name);
        out->x.is_time = out->x.is_time && !p->x.column && !p->x.is_error;
        points = points && are_of_a_point(j, p), errors = errors && p->y.is_error;
    }
    out->x.log = log && strchr(log, 'x');
    out->y.log = log ? strchr(log, 'y') != NULL : errors;
    out->equal = !out->x.log && !out->y.log && (j->plot->equal ? j->plot->equal > 0 : points);
}

static hamel_status say_nothing_to_plot(const run_job *j, const char *words, const panel *p) {
    diag_error(j->m->ctx, (span){0},
               p->x.log || p->y.log ? "a logarithmic axis shows positive values only: `--log none` has none" : NULL,
               "there is nothing to plot in `%s`: no value can be shown", words);
    return HAMEL_NUMERICS;
}

static void add_events(const run_job *j, figure *out) {
    arena *a = &j->m->ctx->arena;
    out->event_count = j->r.events_count;
    out->event = arena_array(a, figure_event, out->event_count);
    for (uint32_t i = 0; i < out->event_count; i++)
        out->event[i] = (figure_event){j->r.events[i].name, j->r.events[i].t};
    figure_mark_events(out, a, values_of(j, &(drawn){0}));
}

hamel_status plot_figure(const run_job *j, figure *out) {
    const hamel_plot *asked = j->plot;
    *out = (figure){.title = asked->title, .grid = asked->grid, .width = asked->width, .height = asked->height};
    read_legend(asked->legend, &out->legend);
    out->panel = arena_array(&j->m->ctx->arena, panel, panel_count(asked));
    for (size_t i = 0; i < panel_count(asked); i++) {
        request r = {0};
        panel *p = &out->panel[out->panel_count++];
        read_panel(j, panel_words(j, i), &r); // it was checked
        set_panel(j, &r, p);
        free(r.pairs);
        if (!panel_set_range(p)) return say_nothing_to_plot(j, panel_words(j, i), p);
    }
    if (asked->events && j->rows->row_count) add_events(j, out);
    return HAMEL_OK;
}

hamel_status plot_characters(const run_job *j, text *out) {
    figure f;
    const hamel_status status = plot_figure(j, &f);
    if (status) return status;
    figure_characters(&f, &(character_page){j->plot->columns, j->plot->lines, j->plot->unicode, j->plot->colour}, out);
    return HAMEL_OK;
}
