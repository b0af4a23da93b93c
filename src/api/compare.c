// Two forms from one initial state, in words and numbers.
#include "api/comparison.h"

#include "derive/formalism.h"

#include <assert.h>
#include <math.h>

enum { TIMES = 12 };
static const double LEAST = 1e-12; // no bound below this is written

// --- what the numbers say ------------------------------------------------------------------------

static bool is_apart_at_the_start(const course *c) { return c->first == 0; }

static const separation *last_row(const course *c) { return &c->rows[c->rows_count - 1]; }

// A power of ten that is no smaller than x.
static double ceiling(double x) { return pow(10, ceil(log10(fmax(x, LEAST)))); }

static const char *verdict_id(const course *c) {
    if (c->first < 0) return "same";
    return is_apart_at_the_start(c) ? "different start" : c->first == 1 ? "at once" : "later";
}

// When the runs themselves are wrong by a level for the first time; NAN: never
static double doubtful_from(const course *c, double level) {
    for (uint32_t i = 0; i < c->rows_count; i++)
        if (c->rows[i].error > level) return c->rows[i].t;
    return NAN;
}

static void write_verdict(const course *c, text *out) {
    const double doubtful = doubtful_from(c, separation_level[0]);
    if (c->first < 0 && !isnan(doubtful))
        text_format(out,
                    "the same motion as far as the runs can tell: from t = %.6g on they are "
                    "themselves wrong by more than %g",
                    doubtful, separation_level[0]);
    else if (c->first < 0)
        text_format(
            out,
            "the same motion to rounding: no further apart than the errors of the runs, below %g",
            ceiling(last_row(c)->error));
    else if (is_apart_at_the_start(c))
        text_append(out, "they do not begin with the same velocities: a form has its own");
    else if (c->first == 1) text_append(out, "they part at once");
    else
        text_format(out, "they part at t = %.6g: up to there they cannot be told apart",
                    c->rows[c->first].t);
}

// Row numbers of the table: TIMES of them, evenly spread, the last one included, the start
// left out unless it is all there is.
static uint32_t table_row(const course *c, uint32_t i, uint32_t count) {
    return (uint32_t)(((uint64_t)(c->rows_count - 1) * (i + 1)) / count);
}

static uint32_t table_size(const course *c) {
    return c->rows_count <= TIMES ? (c->rows_count > 1 ? c->rows_count - 1 : 1) : TIMES;
}

// --- text ----------------------------------------------------------------------------------------

// What cannot be told from the errors of the runs is not written as if it could.
static const char *size_text(const comparison *c, double value, double error) {
    arena *a = &c->job[0].m->ctx->arena;
    return separation_is_visible(value, error)
               ? arena_format(a, "%.5g", value)
               : arena_format(a, "below %g", ceiling(fmax(value, error)));
}

// The largest difference of one acceleration, and whose it is.
static const char *gap_text(const comparison *c, const gap *g) {
    const mechanics *s = c->job[0].eq->system;
    const char *size = size_text(c, g->largest, 0);
    if (!separation_is_visible(g->largest, 0)) return size;
    return arena_format(&c->job[0].m->ctx->arena, "%s, which is that of %s''", size,
                        expr_symbol_name(s->pool, s->q[g->where]));
}

static const char *time_text(const comparison *c, double t) {
    return isnan(t) ? "never within the run" : arena_format(&c->job[0].m->ctx->arena, "%.4g", t);
}

static void write_table(const comparison *c, text *out) {
    text_append(out, "separation: root mean square of the differences, each in units of 1 + |its "
                     "value at the start|\n");
    text_format(out, "  %-12s %-14s %-14s %s\n", "t", "coordinates", "velocities",
                "error of the runs");
    const uint32_t count = table_size(&c->c);
    for (uint32_t i = 0; i < count; i++) {
        const separation *s = &c->c.rows[table_row(&c->c, i, count)];
        text_format(out, "  %-12.6g %-14s %-14s below %g\n", s->t,
                    size_text(c, s->coordinates, s->error), size_text(c, s->velocities, s->error),
                    ceiling(s->error));
    }
    if (c->c.first < 0) return;
    text_append(out, "they are apart by\n");
    for (int k = 0; k < LEVELS; k++) {
        const double t = c->c.parting[k];
        text_format(out, "  %-12g %s%s\n", separation_level[k],
                    isnan(t) ? "" : "from t = ", time_text(c, t));
    }
    if (!isnan(c->power))
        text_format(out, "from %g to %g the separation grows like t^%.2g\n", separation_level[0],
                    separation_level[1], c->power);
}

static const char *variant_name(const comparison *c, const run_job *j, const double *lambda) {
    arena *a = &c->job[0].m->ctx->arena;
    const uint32_t count = j->eq->multiplier_count;
    if (count == 1) return arena_format(a, "%.6g", lambda[0]);
    const char *name = NULL;
    for (uint32_t k = 0; k < count; k++)
        if (lambda[k] != 0) {
            const char *one = arena_format(
                a, "%s = %.6g", expr_symbol_name(j->eq->system->pool, j->eq->multiplier[k]),
                lambda[k]);
            name = name ? arena_format(a, "%s, %s", name, one) : one;
        }
    return name ? name : "0";
}

static void write_variants(const comparison *c, text *out) {
    const int which = c->free_form;
    if (which < 0) return;
    const run_job *j = &c->job[which];
    text_format(out, "multipliers at the start, free in %s\n", j->form->id);
    text_format(out, "  %-24s %-14s %-14s %-22s %s\n", "lambda(0)", "coordinates", "velocities",
                "apart by 0.001 at", "by 1 at");
    const start_variant *least = NULL, *most = NULL;
    for (uint32_t i = 0; i < c->variants_count; i++) {
        const start_variant *v = &c->variants[i];
        const separation *s = last_row(&v->c);
        text_format(out, "  %-24s %-14s %-14s %-22s %s%s\n", variant_name(c, j, v->lambda),
                    size_text(c, s->coordinates, s->error), size_text(c, s->velocities, s->error),
                    time_text(c, v->c.parting[1]), time_text(c, v->c.parting[2]),
                    i ? "" : " (the model's)");
        if (!least || separation_size(s) < separation_size(last_row(&least->c))) least = v;
        if (!most || separation_size(s) > separation_size(last_row(&most->c))) most = v;
    }
    assert(least && most); // the model's own multipliers are always tried
    text_format(out,
                "separations are those of the last row; least for lambda(0) = %s, largest for %s\n",
                variant_name(c, j, least->lambda), variant_name(c, j, most->lambda));
    if (c->has_nearest)
        text_format(out,
                    "lambda(0) = %.6g brings the accelerations at the start nearest, by the "
                    "separation above: the largest difference is %s\n",
                    c->nearest, gap_text(c, &c->nearest_acceleration));
}

static void write_stops(const comparison *c, text *out) {
    for (int i = 0; i < 2; i++)
        if (c->run[i].outcome != RUN_DONE)
            text_format(out, "%s: %s, after t = %.6g\n", c->job[i].form->id,
                        run_job_outcome(&c->job[i]),
                        c->run[i].time_count ? c->run[i].time[c->run[i].time_count - 1]
                                             : c->job[i].sim->t0);
}

static void write_text(const void *of, text *out) {
    const comparison *c = of;
    const run_job *j = c->job;
    text_format(out, "%s: %s (%s) and %s (%s), %s, tolerance %g\n",
                j->m->title ? j->m->title : j->m->name, j[0].form->name, j[0].form->id,
                j[1].form->name, j[1].form->id, j->method->id, j->r.asked.tolerance);
    write_stops(c, out);
    if (!c->c.rows_count) return;
    write_verdict(&c->c, out);
    text_char(out, '\n');
    const double doubtful = doubtful_from(&c->c, separation_level[0]);
    if (c->c.first >= 0 && !isnan(doubtful))
        text_format(out, "from t = %.6g on the runs are themselves wrong by more than %g\n",
                    doubtful, separation_level[0]);
    text_format(out, "accelerations at the start: the largest difference is %s\n",
                gap_text(c, &c->acceleration));
    write_table(c, out);
    write_variants(c, out);
}

// --- JSON ----------------------------------------------------------------------------------------

static void write_json_separation(const separation *s, const char *key, json *out) {
    json_open(out, key, '{');
    json_number(out, "t", s->t);
    json_number(out, "coordinates", s->coordinates);
    json_number(out, "velocities", s->velocities);
    json_number(out, "error", s->error);
    json_close(out, '}');
}

// The times at which the motions are apart by each level; null: never within the run
static void write_json_parting(const comparison *c, const course *d, json *out) {
    json_open(out, "apart", '{');
    for (int k = 0; k < LEVELS; k++)
        json_number(out, arena_format(&c->job[0].m->ctx->arena, "%g", separation_level[k]),
                    d->parting[k]);
    json_close(out, '}');
}

static void write_json_gap(const comparison *c, const gap *g, json *out) {
    const mechanics *s = c->job[0].eq->system;
    json_number(out, "acceleration", g->largest);
    if (g->largest > 0)
        json_string(out, "acceleration_of", expr_symbol_name(s->pool, s->q[g->where]));
    else json_null(out, "acceleration_of");
    json_number(out, "acceleration_scaled", g->scaled);
}

static void write_json_variants(const comparison *c, json *out) {
    const int which = c->free_form;
    if (which < 0) return;
    const equations *eq = c->job[which].eq;
    json_open(out, "multipliers", '[');
    for (uint32_t i = 0; i < c->variants_count; i++) {
        json_open(out, NULL, '{');
        json_open(out, "lambda", '{');
        for (uint32_t k = 0; k < eq->multiplier_count; k++)
            json_number(out, expr_symbol_name(eq->system->pool, eq->multiplier[k]),
                        c->variants[i].lambda[k]);
        json_close(out, '}');
        json_string(out, "verdict", verdict_id(&c->variants[i].c));
        write_json_separation(last_row(&c->variants[i].c), "end", out);
        write_json_parting(c, &c->variants[i].c, out);
        json_close(out, '}');
    }
    json_close(out, ']');
    if (!c->has_nearest) return;
    json_open(out, "nearest", '{');
    json_number(out, "lambda", c->nearest);
    write_json_gap(c, &c->nearest_acceleration, out);
    json_close(out, '}');
}

static void write_json(const void *of, json *out) {
    const comparison *c = of;
    json_open(out, NULL, '{');
    json_open(out, "forms", '[');
    for (int i = 0; i < 2; i++) json_string(out, NULL, c->job[i].form->id);
    json_close(out, ']');
    json_string(out, "method", c->job->method->id);
    json_number(out, "tolerance", c->job->r.asked.tolerance);
    json_open(out, "outcomes", '[');
    for (int i = 0; i < 2; i++) json_string(out, NULL, run_job_outcome(&c->job[i]));
    json_close(out, ']');
    if (c->c.rows_count) {
        text words = {0};
        write_verdict(&c->c, &words);
        json_string(out, "verdict", verdict_id(&c->c));
        json_text(out, "words", &words);
        text_free(&words);
        write_json_gap(c, &c->acceleration, out);
        json_open(out, "rows", '[');
        for (uint32_t i = 0; i < c->c.rows_count; i++)
            write_json_separation(&c->c.rows[i], NULL, out);
        json_close(out, ']');
        write_json_parting(c, &c->c, out);
        json_number(out, "power", c->power);
        write_json_variants(c, out);
    }
    json_close(out, '}');
}

// --- the public call -----------------------------------------------------------------------------

static hamel_status compare(hamel_model *m, const char *form, const char *other,
                            const hamel_run *run, hamel_format format, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    hamel_run asked[2] = {*run, *run};
    asked[0].form = form, asked[1].form = other;
    asked[0].precision = asked[1].precision = NULL;
    asked[0].output = asked[1].output = NULL;
    comparison c = {.job = {{.m = m, .asked = &asked[0], .bare = true, .motions = 4},
                            {.m = m, .asked = &asked[1], .bare = true, .motions = 4}}};
    hamel_status status = comparison_run(&c);
    if (!status) {
        api_finish_result(as, &(printable){&c, write_text, write_json, m}, result);
        for (int i = 0; i < 2; i++)
            if (c.run[i].outcome != RUN_DONE && c.run[i].outcome != RUN_EVENT)
                status = HAMEL_NUMERICS;
    }
    comparison_close(&c);
    return status;
}

hamel_status hamel_model_compare(hamel_model *m, const char *form, const char *other,
                                 const hamel_run *run, hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, form);
    API_NEEDS(m->ctx, other);
    API_NEEDS(m->ctx, run);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, compare(m, form, other, run, format, result),
             "comparing motions of `%s`", m->name);
}
