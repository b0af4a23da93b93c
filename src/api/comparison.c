// How far two motions are apart.
#include "api/comparison.h"

#include "simulate/charts.h"
#include "simulate/projection.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The error of a run is taken from another one with COARSER times its tolerance (a fixed step:
// twice the step): rather over- than underestimated.
static const double COARSER = 10, COARSER_STEP = 2, STEPS_A_ROW = 10, CLOSER = 1000;
static const double ROUNDING = 1e3 * DBL_EPSILON; // differences this small are never told apart
static const double DOUBT = 3;                    // nor those within so many errors

// --- motions -------------------------------------------------------------------------------------

typedef struct {
    sink base;
    uint32_t n;
    motion *to;
} recorder;

static bool record(sink *s, const double *values) {
    recorder *r = (recorder *)s;
    list_push(r->to, time, values[0]);
    // t, q, q' are the first columns
    for (uint32_t i = 0; i < 2 * r->n; i++) list_push(r->to, value, values[1 + i]);
    return true;
}

static void motion_free(motion *m) {
    memory_free(m->time), memory_free(m->value);
    *m = (motion){0};
}

static uint32_t coordinates(const run_job *j) { return j->eq->system->n; }

typedef struct {
    double end, interval;
} window;

static window whole(const run_job *j) { return (window){j->r.asked.end, j->r.asked.interval}; }

static void motion_run(const run_job *j, bool coarse, const double *start, window w, motion *out) {
    recorder to = {.base = {.row = record}, .n = coordinates(j), .to = out};
    run r = j->r; // made ready, not begun
    double *z = memory_array(double, j->sim->o->size + 1);
    memcpy(z, start, sizeof(double) * j->sim->o->size);
    run_open(&r, r.charts ? charts_begin(r.charts) : r.state.f, r.state.t, z);
    if (r.holonomic)
        r.holonomic = holonomic_in(j->sim, r.holonomic); // a change of chart makes another
    run_request *asked = &r.asked;
    r.record.out = &to.base, asked->end = w.end, asked->interval = w.interval;
    if (j->method->fixed_step && asked->step <= 0) asked->step = asked->interval / STEPS_A_ROW;
    if (coarse) asked->tolerance *= COARSER, asked->step *= COARSER_STEP;
    out->outcome = run_begin(&r);
    if (!out->outcome) out->outcome = run_integrate(&r);
    memory_free(z);
    holonomic_free(r.holonomic);
    run_free(&r);
}

// --- distances -----------------------------------------------------------------------------------

static double distance(uint32_t n, const double *scale, const double *a, const double *b) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]) / (scale[i] * scale[i]);
    return sqrt(sum / n);
}

static gap gap_of(uint32_t n, const double *scale, const double *a, const double *b) {
    gap g = {.scaled = distance(n, scale, a, b)};
    for (uint32_t i = 0; i < n; i++)
        if (fabs(a[i] - b[i]) > g.largest) g.largest = fabs(a[i] - b[i]), g.where = i;
    return g;
}

static separation at_row(const comparison *c, const motion *a, const motion *b, uint32_t row) {
    const uint32_t n = coordinates(&c->job[0]);
    const double *x = a->value + 2 * (size_t)n * row, *y = b->value + 2 * (size_t)n * row;
    return (separation){.t = a->time[row],
                        .coordinates = distance(n, c->scale, x, y),
                        .velocities = distance(n, c->scale + n, x + n, y + n)};
}

bool separation_is_visible(double size, double error) { return size > ROUNDING + DOUBT * error; }

static bool is_apart(const separation *s) {
    return separation_is_visible(separation_size(s), s->error);
}

// When the separation reaches a level: between rows it is taken for a power of t - t0, which
// is what it is while it is small.
static double parting_time(const course *c, double level) {
    uint32_t i = 0;
    while (i < c->rows_count && !(separation_size(&c->rows[i]) >= level && is_apart(&c->rows[i])))
        i++;
    if (i == c->rows_count) return NAN;
    const double t0 = c->rows[0].t;
    if (i == 0) return t0;
    if (i > 1 && !is_apart(&c->rows[i - 1])) return c->rows[i].t; // nothing to interpolate from
    const uint32_t a = i > 1 ? i - 1 : 1, b = i > 1 ? i : 2;      // the first row has no logarithm
    if (b >= c->rows_count) return c->rows[i].t;
    const double ya = separation_size(&c->rows[a]), yb = separation_size(&c->rows[b]),
                 ta = c->rows[a].t - t0, tb = c->rows[b].t - t0;
    const double power = log(yb / ya) / log(tb / ta);
    if (!(ya > 0) || !(power > 0)) return c->rows[i].t;
    const double t = t0 + ta * pow(level / ya, 1 / power);
    return t <= c->rows[i].t ? t : c->rows[i].t;
}

// `estimate[i]` is job i's run once more, coarser.
static void follow(const comparison *c, const motion *const run[2], const motion *const estimate[2],
                   course *out) {
    *out = (course){.first = -1};
    uint32_t rows = run[0]->time_count;
    for (int i = 0; i < 2; i++) rows = run[i]->time_count < rows ? run[i]->time_count : rows;
    // An event that stops a run has a row at its own time
    for (uint32_t row = 0; row < rows && run[0]->time[row] == run[1]->time[row]; row++) {
        separation s = at_row(c, run[0], run[1], row);
        for (int i = 0; i < 2; i++)
            if (row < estimate[i]->time_count) {
                const separation e = at_row(c, run[i], estimate[i], row);
                s.error += separation_size(&e);
            }
        if (row && s.error < out->rows[row - 1].error) s.error = out->rows[row - 1].error;
        list_push(out, rows, s);
        if (out->first < 0 && is_apart(&s)) out->first = row;
    }
    for (int k = 0; k < LEVELS; k++) out->parting[k] = parting_time(out, separation_level[k]);
}

// --- the start -----------------------------------------------------------------------------------

// q'' of a form at the start, z instead of its own initial state.
static void accelerations(const run_job *j, const double *z, double *out) {
    const mechanics *s = j->eq->system;
    const simulation *sim = j->sim;
    arena *a = &j->m->ctx->arena;
    expr *value = arena_array(a, expr, s->n);
    ode_expressions(sim->o, s->n, s->qdd, value);
    double *symbol = arena_array(a, double, pool_symbol_count(s->pool));
    symbol[expr_symbol_index(s->pool, j->m->time)] = sim->t0;
    for (uint32_t i = 0; i < sim->parameter_count; i++)
        symbol[expr_symbol_index(s->pool, sim->parameter[i])] = sim->parameter_value[i];
    for (uint32_t i = 0; i < sim->o->size; i++)
        symbol[expr_symbol_index(s->pool, sim->o->state[i])] = z[i];
    program *prog = program_create(s->pool, s->n, value);
    program_run_double(prog, symbol, out);
    program_free(prog);
}

static bool has_free_multipliers(const run_job *j) {
    for (uint32_t i = 0; i < j->eq->multiplier_count; i++)
        if (equations_multiplier_is_state(j->eq, i)) return true;
    return false;
}

// The initial state of a form with these multipliers; those it does not
// have as state do not matter.
static double *start_with(const run_job *j, const double *lambda) {
    const ode *o = j->sim->o;
    double *z = arena_array(&j->m->ctx->arena, double, o->size);
    memcpy(z, j->sim->z0, sizeof(double) * o->size);
    for (uint32_t i = 0; i < o->size && lambda; i++)
        for (uint32_t k = 0; k < j->eq->multiplier_count; k++)
            if (o->state[i] == j->eq->multiplier[k]) z[i] = lambda[k];
    return z;
}

static double *own_multipliers(const run_job *j) {
    double *lambda = arena_array(&j->m->ctx->arena, double, j->eq->multiplier_count);
    for (uint32_t i = 0; i < j->sim->o->size; i++)
        for (uint32_t k = 0; k < j->eq->multiplier_count; k++)
            if (j->sim->o->state[i] == j->eq->multiplier[k]) lambda[k] = j->sim->z0[i];
    return lambda;
}

// --- other multipliers ---------------------------------------------------------------------------

// Motions that part before the second row are looked at again, with more rows up to there.
static void look_closer(const comparison *c, const double *lambda, course *out) {
    if (out->first != 1) return;
    motion near[2] = {{0}, {0}};
    course d;
    const double second = out->rows[1].t;
    for (int i = 0; i < 2; i++)
        motion_run(&c->job[i], false, start_with(&c->job[i], lambda),
                   (window){second, (second - out->rows[0].t) / CLOSER}, &near[i]);
    follow(c, (const motion *[]){&near[0], &near[1]}, (const motion *[]){&near[0], &near[1]}, &d);
    for (int k = 0; k < LEVELS; k++)
        if (out->parting[k] <= second && !isnan(d.parting[k])) out->parting[k] = d.parting[k];
    memory_free(d.rows);
    motion_free(&near[0]), motion_free(&near[1]);
}

// Runs of both forms with these multipliers at the start. A form that has none as
// state needs no run of its own.
static void add_variant(comparison *c, const double *lambda) {
    const uint32_t k = c->job[0].eq->multiplier_count;
    for (uint32_t i = 0; i < c->variants_count; i++)
        if (memcmp(c->variants[i].lambda, lambda, sizeof(double) * k) == 0) return;
    start_variant v = {.lambda = lambda};
    motion fine[2] = {{0}, {0}}, coarse[2] = {{0}, {0}};
    const motion *run[2] = {&c->run[0], &c->run[1]}, *estimate[2] = {&c->coarse[0], &c->coarse[1]};
    for (int i = 0; i < 2; i++) {
        if (!has_free_multipliers(&c->job[i])) continue;
        const double *start = start_with(&c->job[i], lambda);
        motion_run(&c->job[i], false, start, whole(&c->job[i]), &fine[i]);
        motion_run(&c->job[i], true, start, whole(&c->job[i]), &coarse[i]);
        run[i] = &fine[i], estimate[i] = &coarse[i];
    }
    follow(c, run, estimate, &v.c);
    look_closer(c, lambda, &v.c);
    for (int i = 0; i < 2; i++) motion_free(&fine[i]), motion_free(&coarse[i]);
    // else there is no motion with these multipliers
    if (v.c.rows_count) list_push(c, variants, v);
}

// One multiplier: q'' = a + lambda b. The least distance from the other form's q''
// is at lambda = b.(other - a)/b.b
static void find_nearest(comparison *c, int free_form) {
    const run_job *j = &c->job[free_form], *other = &c->job[1 - free_form];
    const uint32_t n = coordinates(j);
    const double *scale = c->scale + n;
    double *q[4], dot = 0, square = 0, bend = 0;
    const double value[3] = {0, 1, -1};
    for (int i = 0; i < 4; i++) q[i] = arena_array(&j->m->ctx->arena, double, n);
    for (int i = 0; i < 3; i++) accelerations(j, start_with(j, &value[i]), q[i]);
    accelerations(other, start_with(other, NULL), q[3]);
    for (uint32_t i = 0; i < n; i++) {
        const double b = (q[1][i] - q[2][i]) / 2;
        dot += b * (q[3][i] - q[0][i]) / (scale[i] * scale[i]),
            square += b * b / (scale[i] * scale[i]);
        bend = fmax(bend, fabs(q[1][i] + q[2][i] - 2 * q[0][i]) / (1 + fabs(q[0][i])));
    }
    if (!(square > ROUNDING) || !(bend < ROUNDING)) return;
    double *nearest = arena_array(&j->m->ctx->arena, double, 1);
    *nearest = fabs(dot / square) > ROUNDING ? dot / square : 0;
    accelerations(j, start_with(j, nearest), q[0]);
    c->has_nearest = true, c->nearest = *nearest,
    c->nearest_acceleration = gap_of(n, scale, q[0], q[3]);
    add_variant(c, nearest);
}

static void vary_multipliers(comparison *c) {
    const int which = c->free_form;
    if (which < 0) return;
    const run_job *j = &c->job[which];
    const uint32_t count = j->eq->multiplier_count;
    add_variant(c, own_multipliers(j));
    add_variant(c, arena_array(&j->m->ctx->arena, double, count));
    for (uint32_t k = 0; k < count; k++)
        for (int sign = 1; sign >= -1 && equations_multiplier_is_state(j->eq, k); sign -= 2) {
            double *lambda = arena_array(&j->m->ctx->arena, double, count);
            lambda[k] = sign;
            add_variant(c, lambda);
        }
    if (count == 1 && !has_free_multipliers(&c->job[1 - which])) find_nearest(c, which);
}

// --- everything ----------------------------------------------------------------------------------

static void set_scale(comparison *c) {
    const run_job *j = c->job;
    const uint32_t n = coordinates(j);
    double *row = arena_array(&j->m->ctx->arena, double, j->sim->column_count);
    c->scale = arena_array(&j->m->ctx->arena, double, 2 * n);
    const bool good = j->field->columns(j->field, j->sim->t0, j->sim->z0, row);
    for (uint32_t i = 0; i < 2 * n; i++) c->scale[i] = good ? 1 + fabs(row[1 + i]) : 1;
}

static double growth(const course *c) {
    if (c->first != 1) return NAN;
    const double start = c->rows[0].t, from = c->parting[0] - start, to = c->parting[1] - start;
    return from > 0 && to > from ? log(separation_level[1] / separation_level[0]) / log(to / from)
                                 : NAN;
}

hamel_status comparison_run(comparison *c) {
    for (int i = 0; i < 2; i++) {
        const hamel_status status = run_job_prepare(&c->job[i]);
        if (status) return status;
    }
    set_scale(c);
    c->free_form = has_free_multipliers(&c->job[1]) ? 1 : has_free_multipliers(&c->job[0]) ? 0 : -1;
    const uint32_t n = coordinates(c->job);
    double *q = arena_array(&c->job->m->ctx->arena, double, 2 * n);
    for (int i = 0; i < 2; i++) {
        const double *start = start_with(&c->job[i], NULL);
        motion_run(&c->job[i], false, start, whole(&c->job[i]), &c->run[i]);
        motion_run(&c->job[i], true, start, whole(&c->job[i]), &c->coarse[i]);
        accelerations(&c->job[i], start, q + n * i);
        c->job[i].outcome = c->run[i].outcome;
    }
    follow(c, (const motion *[]){&c->run[0], &c->run[1]},
           (const motion *[]){&c->coarse[0], &c->coarse[1]}, &c->c);
    look_closer(c, NULL, &c->c);
    c->acceleration = gap_of(n, c->scale + n, q, q + n);
    c->power = growth(&c->c);
    vary_multipliers(c);
    return context_status(c->job->m->ctx);
}

void comparison_close(comparison *c) {
    for (uint32_t i = 0; i < c->variants_count; i++) memory_free(c->variants[i].c.rows);
    memory_free(c->variants);
    memory_free(c->c.rows);
    for (int i = 0; i < 2; i++) {
        motion_free(&c->run[i]), motion_free(&c->coarse[i]);
        run_job_close(&c->job[i]);
    }
}
