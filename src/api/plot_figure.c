// From panels to a figure: the rows of their columns become curves, with ranges, labels and marks.
#include "api/plot_request.h"

#include "api/call.h"
#include "base/utf8.h"
#include "report/figure_characters.h"
#include "report/figure_svg.h"

#include <math.h>
#include <string.h>

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
    const hamel_status known = API_KNOWS(r->ctx, r->asked);
    if (known) return known;
    hamel_status status = check_options(r);
    for (size_t i = 0; !status && !r->made && i < plot_request_count(r); i++) {
        plot_request q;
        if (!plot_request_read(r, i, &q)) status = HAMEL_USAGE;
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
static const double *values_of(const plot_rows *r, const plot_quantity *q) {
    const table *t = r->rows;
    const uint64_t each = r->dots ? 2 : 1; // a gap behind each
    double *value = arena_array(&r->ctx->arena, double, each * t->row_count);
    const double first = first_of(t, q->column);
    for (uint64_t i = 0; i < t->row_count; i++) {
        const double now = table_at(t, i, q->column);
        if (r->dots) value[2 * i + 1] = NAN;
        value[each * i] = q->is_error ? fabs(now - first) / (1 + fabs(first)) : now;
    }
    return value;
}

// A relative error has no unit.
static void add_name(axis *a, const plot_rows *r, const plot_quantity *q) {
    for (uint32_t i = 0; i < a->name_count; i++)
        if (strcmp(a->name[i], q->name) == 0) return;
    a->unit[a->name_count] = q->is_error ? NULL : r->column[q->column].unit;
    a->name[a->name_count++] = q->name;
}

// x and y, x1 and z1, y[2] and z[2]: coordinates of one point.
static bool are_of_a_point(const plot_rows *r, const plot_pair *p) {
    const column *x = &r->column[p->x.column], *y = &r->column[p->y.column];
    return !p->x.is_error && !p->y.is_error && x->kind == COLUMN_COORDINATE &&
           y->kind == COLUMN_COORDINATE && strchr("xyz", x->name[0]) && strchr("xyz", y->name[0]) &&
           x->name[0] != y->name[0] && strcmp(x->name + 1, y->name + 1) == 0;
}

static bool is_time(const plot_rows *r, const plot_quantity *q) {
    return r->column[q->column].kind == COLUMN_TIME && !q->is_error;
}

static void use_axes(const plot_axes *given, panel *out) {
    if (!out->x.words) out->x.words = given->x_words;
    if (!out->y.words) out->y.words = given->y_words;
    out->frame = given->frame;
    if (given->y_name) out->y.name[0] = given->y_name, out->y.unit[0] = NULL, out->y.name_count = 1;
}

static void set_panel(const plot_rows *r, size_t index, const plot_request *q, panel *out) {
    arena *a = &r->ctx->arena;
    const char *log = r->asked->log;
    bool points = true, errors = true;
    *out = (panel){.curve = arena_array(a, curve, q->pairs_count)};
    out->x.words = utf8_shown(a, r->asked->x_label);
    out->y.words = utf8_shown(a, r->asked->y_label);
    axis *const axes[] = {&out->x, &out->y};
    for (int i = 0; i < 2; i++)
        axes[i]->name = arena_array(a, const char *, q->pairs_count),
        axes[i]->unit = arena_array(a, const char *, q->pairs_count);
    out->x.is_time = true;
    for (uint32_t i = 0; i < q->pairs_count; i++) {
        const plot_pair *p = &q->pairs[i];
        out->curve[out->curve_count++] = (curve){.x_name = p->x.name,
                                                 .y_name = p->y.name,
                                                 .label = p->label,
                                                 .count = r->rows->row_count * (r->dots ? 2 : 1),
                                                 .x = values_of(r, &p->x),
                                                 .y = values_of(r, &p->y),
                                                 .single = r->single && r->single[p->y.column]};
        add_name(&out->x, r, &p->x), add_name(&out->y, r, &p->y);
        out->x.is_time = out->x.is_time && is_time(r, &p->x);
        points = points && are_of_a_point(r, p), errors = errors && p->y.is_error;
    }
    out->x.log = log && strchr(log, 'x');
    out->y.log = log ? strchr(log, 'y') != NULL : errors;
    if (r->axes) use_axes(&r->axes[index], out);
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
    figure_mark_events(out, a, values_of(r, &(plot_quantity){0}));
}

// What is said of a figure that is there already
static void use_options(const plot_rows *r, figure *out) {
    const hamel_plot *p = r->asked;
    arena *a = &r->ctx->arena;
    const char *x = utf8_shown(a, p->x_label), *y = utf8_shown(a, p->y_label);
    if (p->title) out->title = utf8_shown(a, p->title);
    out->grid = p->grid, out->marks = p->marks, out->width = p->width, out->height = p->height;
    read_legend(p->legend, &out->legend);
    for (uint32_t i = 0; i < out->panel_count; i++) {
        if (x) out->panel[i].x.words = x;
        if (y) out->panel[i].y.words = y;
        out->panel[i].x.log = p->log && strchr(p->log, 'x');
        out->panel[i].y.log = p->log && strchr(p->log, 'y');
    }
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
    if (r->made) {
        *out = *r->made;
        use_options(r, out);
        for (uint32_t i = 0; i < out->panel_count; i++)
            if (!panel_set_range(&out->panel[i]))
                return say_nothing_to_plot(r, "the sweep", &out->panel[i]);
        return HAMEL_OK;
    }
    out->panel = arena_array(&r->ctx->arena, panel, plot_request_count(r));
    for (size_t i = 0; i < plot_request_count(r); i++) {
        plot_request q;
        panel *p = &out->panel[out->panel_count++];
        plot_request_read(r, i, &q); // it was checked
        set_panel(r, i, &q, p);
        memory_free(q.pairs);
        if (!panel_set_range(p)) return say_nothing_to_plot(r, q.words, p);
    }
    if (asked->events && r->rows->row_count) add_events(r, out);
    out->stretch_count = r->stretch_count, out->stretch = r->stretch;
    out->area_count = r->area_count, out->area = r->area;
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
