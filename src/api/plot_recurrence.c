// Recurrence: which rows of a run are near to which (Eckmann, Kamphorst and Ruelle 1987). A dot at
// (t_i, t_j) says |z_i - z_j| < e, with z the columns of the panel.
#include "api/plot_spectrum.h"

#include "api/api_internal.h"
#include "api/plot_request.h"

#include <math.h>

enum { MOST_POINTS = 500 };      // along an axis: more are not seen in a figure
static const double USUAL = 0.1; // of the largest distance

typedef struct {
    const plot_rows *r;
    uint32_t count; // of columns
    uint32_t *column;
    uint64_t points, step; // every step-th row
    double near;
    uint64_t pairs; // that are near, of points^2
} recurrence;

static double distance(const recurrence *w, uint64_t i, uint64_t j) {
    double sum = 0;
    for (uint32_t c = 0; c < w->count; c++) {
        const double d = table_at(w->r->rows, i * w->step, w->column[c]) -
                         table_at(w->r->rows, j * w->step, w->column[c]);
        sum = hypot(sum, d);
    }
    return sum;
}

static double largest_distance(const recurrence *w) {
    double most = 0;
    for (uint64_t i = 0; i < w->points; i++)
        for (uint64_t j = 0; j < i; j++) most = fmax(most, distance(w, i, j));
    return most;
}

// Upright lines from the first to the last of near neighbours, with gaps between
static hamel_status fill(recurrence *w, table *out) {
    hamel_status status = HAMEL_OK;
    for (uint64_t i = 0; !status && i < w->points; i++) {
        const double t = table_at(w->r->rows, i * w->step, 0);
        bool inside = false;
        for (uint64_t j = 0; !status && j <= w->points; j++) {
            const bool near = j < w->points && distance(w, i, j) < w->near;
            if (near) {
                const double row[] = {t, table_at(w->r->rows, j * w->step, 0)};
                status = table_add_within(w->r->ctx, out, row);
                w->pairs++;
            } else if (inside) {
                const double gap[] = {NAN, NAN};
                status = table_add_within(w->r->ctx, out, gap);
            }
            inside = near;
        }
    }
    return status;
}

static void write_words(const recurrence *w, text *out) {
    text_append(out, "recurrence of");
    for (uint32_t i = 0; i < w->count; i++)
        text_format(out, "%s %s", i ? "," : "", w->r->column[w->column[i]].name);
    text_format(out, ": %llu of %llu rows, nearer than %.6g: %.4g of all pairs\n",
                (unsigned long long)w->points, (unsigned long long)w->r->rows->row_count, w->near,
                (double)w->pairs / (double)w->points / (double)w->points);
}

static void write_json(const recurrence *w, text *to) {
    json j = {.out = to}, *out = &j;
    json_open(out, NULL, '{');
    json_open(out, "columns", '[');
    for (uint32_t i = 0; i < w->count; i++) json_string(out, NULL, w->r->column[w->column[i]].name);
    json_close(out, ']');
    json_integer(out, "rows", (int64_t)w->points);
    json_number(out, "near", w->near);
    json_integer(out, "pairs", (int64_t)w->pairs);
    json_number(out, "rate", (double)w->pairs / (double)w->points / (double)w->points);
    json_close(out, '}');
    text_char(to, '\n');
}

// The columns: those that are named, else coordinates and velocities
static bool set_columns(recurrence *w) {
    const plot_rows *r = w->r;
    w->column = arena_array(&r->ctx->arena, uint32_t, r->column_count);
    if (r->asked->panel_count || r->is_file) {
        w->count = plot_request_columns(r, "a recurrence", w->column);
        return w->count > 0;
    }
    for (uint32_t i = 1; i < r->column_count; i++)
        if (r->column[i].kind == COLUMN_COORDINATE || r->column[i].kind == COLUMN_VELOCITY)
            w->column[w->count++] = i;
    return true;
}

static const char *fault_of(const recurrence *w) {
    const table *t = w->r->rows;
    arena *a = &w->r->ctx->arena;
    if (t->row_count < 2) return "it takes two rows";
    for (uint64_t i = 0; i < w->points; i++) {
        if (!isfinite(table_at(t, i * w->step, 0)))
            return arena_format(a, "there is no time in row %llu",
                                (unsigned long long)(i * w->step) + 1);
        for (uint32_t c = 0; c < w->count; c++)
            if (!isfinite(table_at(t, i * w->step, w->column[c])))
                return arena_format(a, "`%s` has no value in row %llu",
                                    w->r->column[w->column[c]].name,
                                    (unsigned long long)(i * w->step) + 1);
    }
    return NULL;
}

static hamel_status draw(recurrence *w, byte_writer standard, char **result) {
    static const column named[] = {{.name = "t_i", .kind = COLUMN_OBSERVABLE},
                                   {.name = "t_j", .kind = COLUMN_OBSERVABLE}};
    static const char *const panel[] = {"t_i:t_j"};
    table rows = {.column_count = 2};
    text out = {0};
    hamel_status status = fill(w, &rows);
    if (w->r->asked->json) write_json(w, &out);
    else write_words(w, &out);
    hamel_plot asked = *w->r->asked;
    const char *t = w->r->column[0].name;
    asked.panels = panel, asked.panel_count = 1, asked.events = 0;
    if (!asked.equal) asked.equal = 1;
    if (!asked.x_label) asked.x_label = t;
    if (!asked.y_label) asked.y_label = t;
    const plot_rows drawn = {.ctx = w->r->ctx,
                             .asked = &asked,
                             .column_count = 2,
                             .column = named,
                             .is_file = true,
                             .rows = &rows};
    if (!status) status = plot_write_derived(&drawn, standard, &out, result);
    else text_free(&out);
    table_free(&rows);
    return status;
}

hamel_status plot_recurrence(const plot_rows *r, byte_writer standard, char **result) {
    recurrence w = {.r = r, .near = r->asked->near};
    if (!set_columns(&w)) return HAMEL_USAGE;
    w.step = (r->rows->row_count + MOST_POINTS - 1) / MOST_POINTS;
    w.points = w.step ? (r->rows->row_count + w.step - 1) / w.step : 0;
    const char *fault = fault_of(&w);
    if (!fault && !(w.near > 0)) w.near = USUAL * largest_distance(&w);
    if (!fault && !(w.near > 0)) fault = "all rows are the same";
    if (!fault && !isfinite(w.near)) fault = "the values are too large for distances between rows";
    if (!fault) return draw(&w, standard, result);
    diag_error(r->ctx, (span){0}, NULL, "there is no recurrence: %s", fault);
    return HAMEL_NUMERICS;
}
