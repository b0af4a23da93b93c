// A map of stability over two parameters: what `stability` with two ranges says, in words, as JSON,
// as rows and as a figure.
#include "api/stability_job.h"
#include "study/even_spectrum.h"
#include "study/stability_map.h"

#include <math.h>
#include <string.h>

static const char *const KIND[TESTS] = {"zero", "hopf", "double"};
static const char *const VERDICT[] = {"undecided", "stable", "unstable", "marginal"};
static const char *const ANSWER[] = {"undecided", "yes", "no", "marginal"};

typedef struct {
    vary_job vary;
    stability_map map;
    hamel_plot plot;
    table rows;
    plot_rows draw;
    const plot_rows *drawing; // in characters; NULL: none
} map_job;

static double along(const stability_map *m, int axis, double part) {
    return m->low[axis] + part * (m->high[axis] - m->low[axis]);
}

// --- words and JSON ------------------------------------------------------------------------------

static void write_json_point(json *out, const char *key, const stability_map *m, double u,
                             double v) {
    json_open(out, key, '[');
    json_number(out, NULL, along(m, 0, u)), json_number(out, NULL, along(m, 1, v));
    json_close(out, ']');
}

static void write_json(const void *of, json *out) {
    const map_job *j = of;
    const stability_map *m = &j->map;
    json_open(out, NULL, '{');
    json_open(out, "parameters", '[');
    json_string(out, NULL, j->vary.what.name), json_string(out, NULL, j->vary.also.name);
    json_close(out, ']');
    json_open(out, "intervals", '[');
    for (int k = 0; k < 2; k++) {
        json_open(out, NULL, '[');
        json_number(out, NULL, m->low[k]), json_number(out, NULL, m->high[k]);
        json_close(out, ']');
    }
    json_close(out, ']');
    json_integer(out, "eigenvalues", m->eigenvalues), json_integer(out, "neutral", m->neutral);
    json_open(out, "curves", '[');
    for (uint32_t i = 0; i < m->curves; i++) {
        json_open(out, NULL, '{');
        json_string(out, "kind", KIND[m->curve[i].kind]);
        json_bool(out, "closed", m->curve[i].closed);
        json_open(out, "points", '[');
        for (uint32_t k = 0; k < m->curve[i].count; k++)
            write_json_point(out, NULL, m, m->curve[i].u[k], m->curve[i].v[k]);
        json_close(out, ']'), json_close(out, '}');
    }
    json_close(out, ']');
    json_open(out, "regions", '[');
    for (uint32_t i = 0; i < m->regions; i++) {
        json_open(out, NULL, '{');
        write_json_point(out, "at", m, m->region[i].u, m->region[i].v);
        json_string(out, "stable", ANSWER[m->region[i].verdict]);
        json_bool(out, "proved", m->region[i].proved);
        json_close(out, '}');
    }
    json_close(out, ']'), json_close(out, '}');
}

static void write_text(const void *of, text *out) {
    const map_job *j = of;
    const stability_map *m = &j->map;
    text_format(out, "map            %s from %.10g to %.10g, %s from %.10g to %.10g\n",
                j->vary.what.name, m->low[0], m->high[0], j->vary.also.name, m->low[1], m->high[1]);
    text_format(out, "eigenvalues    %u, and %u neutral directions\n", m->eigenvalues, m->neutral);
    if (m->curves) text_append(out, "curves\n");
    for (uint32_t i = 0; i < m->curves; i++) {
        const map_curve *c = &m->curve[i];
        const uint32_t last = c->count - 1;
        text_format(out, "  %-7s from (%.10g, %.10g) to (%.10g, %.10g), %u points%s\n",
                    KIND[c->kind], along(m, 0, c->u[0]), along(m, 1, c->v[0]),
                    along(m, 0, c->u[last]), along(m, 1, c->v[last]), c->count,
                    c->closed ? ", closed" : "");
    }
    text_append(out, "regions\n");
    for (uint32_t i = 0; i < m->regions; i++)
        text_format(out, "  %-10s around (%.6g, %.6g)%s\n", VERDICT[m->region[i].verdict],
                    along(m, 0, m->region[i].u), along(m, 1, m->region[i].v),
                    m->region[i].proved ? ", proved there" : "");
    if (j->drawing) {
        text_char(out, '\n');
        plot_figure_characters(j->drawing, out);
    }
}

// --- the figure ----------------------------------------------------------------------------------

// Points of one kind of curve in a column of its own; a row of nothing between curves
static hamel_status fill(const map_job *j, context *ctx, table *out) {
    const stability_map *m = &j->map;
    *out = (table){.column_count = 1 + TESTS};
    double row[1 + TESTS];
    hamel_status status = HAMEL_OK;
    for (uint32_t i = 0; i < m->curves && !status; i++)
        for (uint32_t k = 0; k <= m->curve[i].count && !status; k++) {
            const map_curve *c = &m->curve[i];
            for (int t = 0; t <= TESTS; t++) row[t] = NAN;
            row[0] = along(m, 0, k < c->count ? c->u[k] : c->u[c->count - 1]);
            if (k < c->count) row[1 + c->kind] = along(m, 1, c->v[k]);
            status = table_add_within(ctx, out, row);
        }
    return status;
}

static const char *panel_words(const map_job *j, bool has[TESTS]) {
    text t = {0};
    static const char *const name[TESTS] = {"zero", "Hopf", "double"};
    bool first = true;
    for (int k = 0; k < TESTS; k++)
        if (has[k]) {
            text_format(&t, "%s\"%s\":\"%s\"=%s", first ? "" : ",", j->vary.what.name, KIND[k],
                        name[k]);
            first = false;
        }
    const char *words = arena_copy(&j->vary.steady.m->ctx->arena, t.bytes, t.length);
    text_free(&t);
    return words;
}

// What the colours of regions mean
static const char *title_of(const stability_map *m) {
    bool stable = false, marginal = false;
    for (uint32_t i = 0; i < m->strips; i++) {
        stable = stable || m->strip[i].verdict == STABLE_YES;
        marginal = marginal || m->strip[i].verdict == STABLE_MARGINAL;
    }
    if (stable && marginal) return "green: stable, blue: marginal";
    return stable ? "shaded: stable" : marginal ? "shaded: marginal" : NULL;
}

static hamel_status open_figure(map_job *j, const hamel_plot *asked) {
    const stability_map *m = &j->map;
    context *ctx = j->vary.steady.m->ctx;
    arena *a = &ctx->arena;
    if (!m->curves) {
        diag_error(ctx, (span){0}, "widen the ranges, or leave the figure out",
                   "there is nothing to draw: stability is the same all over this rectangle");
        return HAMEL_NUMERICS;
    }
    j->plot = *asked;
    const char **panel = arena_array(a, const char *, 1);
    bool has[TESTS] = {false};
    for (uint32_t i = 0; i < m->curves; i++) has[m->curve[i].kind] = true;
    panel[0] = panel_words(j, has);
    j->plot.panels = panel, j->plot.panel_count = 1;
    if (!j->plot.title && asked->output) j->plot.title = title_of(m); // characters have no shades
    double *frame = arena_array(a, double, 4);
    frame[0] = m->low[0], frame[1] = m->high[0], frame[2] = m->low[1], frame[3] = m->high[1];
    plot_axes *axes = arena_new(a, plot_axes);
    *axes = (plot_axes){.y_words = asked->output ? NULL : j->vary.also.name,
                        .y_name = j->vary.also.name,
                        .frame = frame};
    column *columns = arena_array(a, column, 1 + TESTS);
    columns[0].name = j->vary.what.name, columns[0].kind = COLUMN_OBSERVABLE;
    for (int k = 0; k < TESTS; k++)
        columns[1 + k].name = KIND[k], columns[1 + k].kind = COLUMN_OBSERVABLE;
    figure_area *area = arena_array(a, figure_area, m->strips + 1);
    static const char *const colour[] = {"#ffffff", "#c3e8dc", "#ffffff", "#d3e4f3"};
    for (uint32_t i = 0; i < m->strips; i++)
        area[i] = (figure_area){along(m, 0, m->strip[i].u0), along(m, 0, m->strip[i].u1),
                                along(m, 1, m->strip[i].v0), along(m, 1, m->strip[i].v1),
                                colour[m->strip[i].verdict]};
    j->draw = (plot_rows){.ctx = ctx,
                          .asked = &j->plot,
                          .column_count = 1 + TESTS,
                          .column = columns,
                          .rows = &j->rows,
                          .area_count = m->strips,
                          .area = area,
                          .axes = axes};
    return fill(j, ctx, &j->rows);
}

static hamel_status write_csv(const map_job *j, const char *file) {
    const stability_map *m = &j->map;
    text out = {0};
    text_format(&out, "curve,kind,%s,%s\n", j->vary.what.name, j->vary.also.name);
    for (uint32_t i = 0; i < m->curves; i++)
        for (uint32_t k = 0; k < m->curve[i].count; k++)
            text_format(&out, "%u,%s,%.17g,%.17g\n", i + 1, KIND[m->curve[i].kind],
                        along(m, 0, m->curve[i].u[k]), along(m, 1, m->curve[i].v[k]));
    const hamel_status status = api_write_file(j->vary.steady.m->ctx, file, out.bytes, out.length);
    text_free(&out);
    return status;
}

// --- the call ------------------------------------------------------------------------------------

static hamel_status run(map_job *j, model *m, const char *at, const char *words) {
    vary_job *v = &j->vary;
    hamel_status status = vary_job_run(m, at, words, false, v);
    if (status) return status;
    double low[2], high[2], start[2];
    const vary *of[2] = {&v->what, &v->also};
    for (int k = 0; k < 2; k++) {
        low[k] = ball_middle(of[k]->low);
        high[k] = ball_middle(of[k]->high);
        start[k] = ((k ? v->start_also : v->start) - low[k]) / (high[k] - low[k]);
    }
    if (stability_map_create(&v->path, low, high, start, even_spectrum_is_proved(&v->path),
                             &j->map))
        return context_status(m->ctx);
    diag_error(m->ctx, (span){0}, "try another state",
               "the rates have no derivatives at the steady motion with %s = %.10g, %s = %.10g",
               v->what.name, v->start, v->also.name, v->start_also);
    return HAMEL_NUMERICS;
}

hamel_status stability_map_call(model *m, const char *at, const char *words, const hamel_plot *plot,
                                const struct format *as, char **result) {
    map_job *j = arena_new(&m->ctx->arena, map_job);
    *j = (map_job){0};
    const bool csv = stability_figure_is_csv(plot);
    hamel_status status = run(j, m, at, words);
    if (!status && csv) status = write_csv(j, plot->output);
    if (!status && plot && !csv) status = open_figure(j, plot);
    if (!status && plot && !csv && plot->output)
        status = plot_write_picture(&j->draw, (byte_writer){0}); // it goes to a file
    else if (!status && plot && !csv) j->drawing = &j->draw;
    if (!status) status = api_finish_result(as, &(printable){j, write_text, write_json, m}, result);
    table_free(&j->rows);
    stability_map_clear(&j->map);
    vary_job_close(&j->vary);
    return status;
}
