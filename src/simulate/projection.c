// Projection onto constraints in the kinetic metric.
#include "simulate/projection.h"

#include "execute/elimination.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 50 };

// Functions that are to vanish, and the variables that are moved. Values are by symbol index.
typedef struct {
    const model *m;
    uint32_t count, n;
    const expr *variable;
    program *residual; // phi
    program *all;      // phi, A row by row, M row by row
    double *work;
} surface;

static double *slopes(const surface *s) { return s->work + s->count; }
static double *metric(const surface *s) { return slopes(s) + (size_t)s->count * s->n; }

// Everything in it stands by its definition: only t, parameters and what
// the caller gives values to.
static surface surface_create(const model *m, uint32_t count, const expr *function, uint32_t n,
                              const expr *variable, const expr *inertia) {
    const uint32_t total = count + count * n + n * n;
    expr *e = arena_array(&m->ctx->arena, expr, total);
    memcpy(e, function, sizeof(expr) * count);
    expr_jacobian(m->pool, count, function, n, variable, e + count);
    memcpy(e + count + count * n, inertia, sizeof(expr) * n * n);
    model_concrete(m, false, total, e, e);
    surface s = {.m = m,
                 .count = count,
                 .n = n,
                 .variable = variable,
                 .residual = program_create(m->pool, count, e)};
    s.all = program_create(m->pool, total, e);
    s.work = memory_array(double, total + 1);
    return s;
}

static void surface_clear(surface *s) {
    program_free(s->residual), program_free(s->all);
    memory_free(s->work);
}

// [M A^T; A 0] (d, mu) = (0, -phi); M and the rows of A are scaled to entries of
// size 1, which changes mu only.
static void nearest_step(const surface *s, double *d) {
    const uint32_t n = s->n, size = n + s->count;
    const double *phi = s->work, *a = slopes(s), *inertia = metric(s);
    double *matrix = memory_zeros(double, (size_t)size *size), *right = memory_zeros(double, size),
           largest = 0;
    for (uint32_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(inertia[i]));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            matrix[i * size + j] = largest > 0 ? inertia[i * n + j] / largest : i == j;
    for (uint32_t k = 0; k < s->count; k++) {
        double row = 0;
        for (uint32_t i = 0; i < n; i++) row = fmax(row, fabs(a[k * n + i]));
        if (!(row > 0)) continue;
        for (uint32_t i = 0; i < n; i++)
            matrix[(n + k) * size + i] = matrix[i * size + n + k] = a[k * n + i] / row;
        right[n + k] = -phi[k] / row;
    }
    elimination_solve(size, matrix, 1, right);
    memcpy(d, right, sizeof(double) * n);
    memory_free(matrix), memory_free(right);
}

// Newton until the correction is rounding, or no longer falls; *moved: sqrt(d^T M d) of the
// whole way. False if it does not settle.
static bool settle(const surface *s, double *at, double *moved) {
    const pool *p = s->m->pool;
    double *d = memory_array(double, 2 * s->n + 1), *way = d + s->n, before = INFINITY;
    memset(way, 0, sizeof(double) * s->n);
    bool settled = false, finite = true;
    for (int i = 0; i < MOST_ITERATIONS && !settled && finite; i++) {
        program_run_double(s->all, at, s->work);
        nearest_step(s, d);
        double size = 0;
        for (uint32_t j = 0; j < s->n; j++) {
            double *x = &at[expr_symbol_index(p, s->variable[j])];
            size = fmax(size, fabs(d[j]) / (1 + fabs(*x)));
            *x += d[j], way[j] += d[j];
            finite = finite && isfinite(*x);
        }
        settled = size <= 4 * DBL_EPSILON || (size < 1e-12 && size >= 0.5 * before);
        before = size;
    }
    double sum = 0;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < s->n; j++) sum += way[i] * metric(s)[i * s->n + j] * way[j];
    *moved = sqrt(fmax(0, sum));
    memory_free(d);
    return settled && finite;
}

// d2L/dq'_i dq'_j
static expr *inertia_of(const model *m, expr lagrangian, uint32_t n, const expr *qd) {
    expr *momentum = arena_array(&m->ctx->arena, expr, n),
         *inertia = arena_array(&m->ctx->arena, expr, n * n);
    expr_gradient(m->pool, lagrangian, n, qd, momentum);
    expr_jacobian(m->pool, n, momentum, n, qd, inertia);
    return inertia;
}

// --- along a run ---------------------------------------------------------------------------------

struct holonomic {
    const simulation *sim;
    surface on;
    double most, *at, *phi;
    double *scale; // of each residual: |dphi/dq| where it was last computed
    holonomic_report done;
};

static void measure_scales(holonomic *h) {
    for (uint32_t k = 0; k < h->on.count; k++) {
        double sum = 0;
        for (uint32_t i = 0; i < h->on.n; i++) sum += pow(slopes(&h->on)[k * h->on.n + i], 2);
        h->scale[k] = sum > 0 ? sqrt(sum) : 1;
    }
}

static void place(holonomic *h, double t, const double *z) {
    const pool *p = h->sim->m->pool;
    h->at[expr_symbol_index(p, h->sim->m->time)] = t;
    for (uint32_t i = 0; i < h->sim->o->size; i++)
        h->at[expr_symbol_index(p, h->sim->o->state[i])] = z[i];
}

void holonomic_restart(holonomic *h) {
    if (!h) return;
    const simulation *sim = h->sim;
    const pool *p = sim->m->pool;
    for (uint32_t i = 0; i < sim->parameter_count; i++)
        h->at[expr_symbol_index(p, sim->parameter[i])] = sim->parameter_value[i];
    place(h, sim->t0, sim->z0);
    program_run_double(h->on.all, h->at, h->on.work);
    measure_scales(h);
    h->done = (holonomic_report){0};
}

static double least_residual(double most) { return fmax(most, 16 * DBL_EPSILON); }
void holonomic_allow(holonomic *h, double most) { h->most = least_residual(most); }

holonomic *holonomic_create(const simulation *sim, double most) {
    const mechanics *s = sim->eq->system;
    const model *m = sim->m;
    expr *phi = arena_array(&m->ctx->arena, expr, s->k);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->k; i++)
        if (m->constraints[s->constraint[i]].order == 0)
            phi[count++] = m->constraints[s->constraint[i]].phi;
    if (!count) return NULL;
    expr *inertia = inertia_of(m, s->lagrangian, s->n, s->qd);
    // of (z, t) where L is not quadratic in q'
    ode_expressions(sim->o, s->n * s->n, inertia, inertia);
    holonomic *h = memory_new(holonomic);
    *h = (holonomic){.sim = sim,
                     .on = surface_create(m, count, phi, s->n, s->q, inertia),
                     .most = least_residual(most)};
    h->at = memory_zeros(double, pool_symbol_count(m->pool) + 1);
    h->phi = memory_zeros(double, 2 * (size_t)count), h->scale = h->phi + count;
    holonomic_restart(h);
    return h;
}

bool holonomic_correct(holonomic *h, double t, double *z) {
    const uint32_t n = h->on.n;
    double size = 0, worst = 0, moved;
    place(h, t, z);
    program_run_double(h->on.residual, h->at, h->phi);
    for (uint32_t i = 0; i < n; i++) size = fmax(size, fabs(z[i])); // q comes first in z
    for (uint32_t k = 0; k < h->on.count; k++)
        worst = fmax(worst, fabs(h->phi[k]) / (h->scale[k] * (1 + size)));
    if (!(worst > h->most) || !settle(&h->on, h->at, &moved)) return false;
    measure_scales(h);
    for (uint32_t i = 0; i < n; i++)
        z[i] = h->at[expr_symbol_index(h->sim->m->pool, h->on.variable[i])];
    h->done.times++;
    h->done.largest = fmax(h->done.largest, moved);
    return true;
}

holonomic_report holonomic_done(const holonomic *h) { return h ? h->done : (holonomic_report){0}; }

holonomic *holonomic_in(const simulation *sim, const holonomic *before) {
    holonomic *h = holonomic_create(sim, before->most);
    h->done = before->done;
    return h;
}

void holonomic_free(holonomic *h) {
    if (!h) return;
    surface_clear(&h->on);
    memory_free(h->at), memory_free(h->phi);
    memory_free(h);
}

// --- at the start --------------------------------------------------------------------------------

typedef struct {
    model *m;
    uint32_t n;
    expr *q, *qd;
    const expr *inertia;
    double *at;
} start;

static bool is_given(const completion_request *where, const model *m, expr symbol) {
    for (uint32_t i = 0; i < where->at_count + m->initial_count; i++)
        if ((i < where->at_count ? &where->at[i] : &m->initial[i - where->at_count])->symbol ==
            symbol)
            return true;
    return false;
}

// The constraints of one stage (0: coordinates, 1: velocities), and the
// quasi-velocities that were given a value.
static uint32_t stage_functions(const start *w, const completion_request *where, int order,
                                expr *out) {
    const model *m = w->m;
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const constraint *c = &m->constraints[i];
        if (c->status == CONSTRAINT_ACTIVE && c->order <= order)
            out[count++] = order == 0 ? c->phi : c->velocity_phi;
    }
    for (uint32_t i = 0; order == 1 && i < m->quasis_count; i++)
        if (is_given(where, m, m->quasis[i].symbol))
            out[count++] = expr_sub(m->pool, m->quasis[i].definition, m->quasis[i].symbol);
    return count;
}

static hamel_status project_stage(const start *w, const completion_request *where, int order,
                                  double *moved) {
    model *m = w->m;
    expr *function = arena_array(&m->ctx->arena, expr, m->constraints_count + m->quasis_count);
    const uint32_t count = stage_functions(w, where, order, function);
    *moved = 0;
    if (!count) return HAMEL_OK;
    surface s = surface_create(m, count, function, w->n, order == 0 ? w->q : w->qd, w->inertia);
    const bool settled = settle(&s, w->at, moved);
    surface_clear(&s);
    if (settled) return HAMEL_OK;
    diag_error(m->ctx, (span){0}, "give other ones with --at, or leave out the dependent ones",
               "no %s that satisfy the constraints were found near the values given",
               order ? "velocities" : "coordinates");
    return HAMEL_MODEL;
}

// What was asked for, and behind it (where it wins) every coordinate and velocity.
static void state_result(const start *w, completion_request *where) {
    assignment *list = arena_array(&w->m->ctx->arena, assignment, where->at_count + 2 * w->n);
    uint32_t count = where->at_count;
    if (count) memcpy(list, where->at, sizeof *list * count);
    for (uint32_t i = 0; i < 2 * w->n; i++) {
        const expr x = i < w->n ? w->q[i] : w->qd[i - w->n];
        list[count++] = (assignment){
            .symbol = x, .value = expr_exact(w->m->pool, w->at[expr_symbol_index(w->m->pool, x)])};
    }
    where->at = list, where->at_count = count;
}

static void list_corrections(const start *w, const double *given, start_projection *out) {
    correction *list = arena_array(&w->m->ctx->arena, correction, 2 * w->n);
    for (uint32_t i = 0; i < 2 * w->n; i++) {
        const expr x = i < w->n ? w->q[i] : w->qd[i - w->n];
        const double now = w->at[expr_symbol_index(w->m->pool, x)];
        if (fabs(now - given[i]) > 8 * DBL_EPSILON * (1 + fabs(now)))
            list[out->count++] = (correction){x, given[i], now};
    }
    out->list = list;
}

// Values before any constraint is solved.
static hamel_status take_given(start *w, const completion_request *where, double *given) {
    state here;
    uint32_t idle;
    completion_request as_given = *where;
    as_given.as_given = true;
    state_init(&here, w->m, 128);
    const hamel_status status = state_complete(&here, &as_given, NULL, &idle);
    w->at = arena_array(&w->m->ctx->arena, double, here.capacity);
    for (uint32_t i = 0; i < here.capacity; i++)
        w->at[i] = here.known[i] ? ball_middle(here.value + i) : NAN;
    expr beyond = EXPR_NONE;
    for (uint32_t i = 0; i < 2 * w->n; i++) {
        const expr x = i < w->n ? w->q[i] : w->qd[i - w->n];
        given[i] = w->at[expr_symbol_index(w->m->pool, x)];
        if (!isfinite(given[i])) beyond = x;
    }
    state_clear(&here);
    if (status || beyond == EXPR_NONE) return status;
    diag_error(w->m->ctx, (span){0}, "scale the units of the model",
               "the value given for `%s` is beyond the numbers that runs compute with",
               expr_symbol_text(w->m->pool, beyond));
    return HAMEL_MODEL;
}

hamel_status project_start(model *m, completion_request *where, start_projection *out) {
    arena *a = &m->ctx->arena;
    start w = {.m = m,
               .n = m->coordinates_count,
               .q = m->coordinates,
               .qd = arena_array(a, expr, m->coordinates_count)};
    double *given = arena_array(a, double, 2 * w.n);
    *out = (start_projection){0};
    for (uint32_t i = 0; i < w.n; i++) w.qd[i] = expr_symbol_of_order(m->pool, w.q[i], 1);
    w.inertia = inertia_of(m, model_energies(m).lagrangian, w.n, w.qd);
    hamel_status status = take_given(&w, where, given);
    if (!status) status = project_stage(&w, where, 0, &out->coordinates);
    if (!status) status = project_stage(&w, where, 1, &out->velocities);
    if (status) return status;
    list_corrections(&w, given, out);
    state_result(&w, where);
    return HAMEL_OK;
}
