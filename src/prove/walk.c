// Walking on the constraint manifold. A step moves time, parameters, positions and
// velocities towards a target; then
//   x <- x - J^T (J J^T)^-1 F(x)
// brings positions back onto h = 0 and velocities onto Phi = 0. A step whose second correction is
// not much smaller than its first could end on another branch: it is halved.
#include "prove/walk.h"

#include "model/constraint_newton.h"

#include <math.h>
#include <string.h>

enum { STEPS = 24, MOST_TRIES = 160, MOST_CORRECTIONS = 12, KEPT_BITS = 10 };
static const double CONTRACTION = 0.25; // of a correction against the one before it
static const double LONGEST_CORRECTION = 0.25;
// the same for a state that was put beside the constraints: its corrections must contract, too
static const double LONGEST_WAY_BACK = 20;
// a correction this small against the values ends the iteration
static const double NEGLIGIBLE = 1e-11;
static const double SMALLEST_STEP = 1e-4;
static const double LEAST_COSINE = 0.95; // of the angle by which a constraint may turn in one step
static const double LOST_RANK = 1e-12;   // a pivot of J J^T against its diagonal
static const double SHORTEST_WAY = 1e-3; // a walk that comes no further has not left

static program *functions_and_slopes(const mechanics *s, uint32_t count, const expr *f,
                                     const expr *variable) {
    expr *all = arena_array(&s->model->ctx->arena, expr, count * (s->n + 1));
    for (uint32_t i = 0; i < count; i++) all[i] = f[i];
    if (count) expr_jacobian(s->pool, count, f, s->n, variable, all + count);
    return program_create(s->pool, count * (s->n + 1), all);
}

walker walker_create(const mechanics *s) {
    walker w = {.system = s};
    const model *m = s->model;
    w.position = arena_array(&m->ctx->arena, expr, s->k),
    w.velocity = arena_array(&m->ctx->arena, expr, s->k);
    for (uint32_t i = 0; i < s->k; i++)
        if (m->constraints[s->constraint[i]].order == 0)
            w.position[w.positions++] = m->constraints[s->constraint[i]].phi;
    model_concrete(m, true, w.positions, w.position, w.position);
    model_concrete(m, true, s->k, s->phi, w.velocity);
    w.position_program = functions_and_slopes(s, w.positions, w.position, s->q);
    w.velocity_program = functions_and_slopes(s, s->k, w.velocity, s->qd);
    return w;
}

void walker_free(walker *w) {
    if (!w->system) return;
    program_free(w->position_program);
    program_free(w->velocity_program);
    *w = (walker){0};
}

// --- one correction -----------------------------------------------------------------------------

// y <- (A)^-1 y for a symmetric positive definite A (n x n, overwritten); false
// where it is not, or nearly not.
static bool solve_definite(uint32_t n, double *a, double *y) {
    for (uint32_t j = 0; j < n; j++) {
        const double diagonal = a[j * n + j];
        for (uint32_t k = 0; k < j; k++) a[j * n + j] -= a[j * n + k] * a[j * n + k];
        if (!(a[j * n + j] > LOST_RANK * diagonal) || !(diagonal > 0)) return false;
        a[j * n + j] = sqrt(a[j * n + j]);
        for (uint32_t i = j + 1; i < n; i++) {
            for (uint32_t k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] /= a[j * n + j];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) y[i] -= a[i * n + k] * y[k];
        y[i] /= a[i * n + i];
    }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t k = i + 1; k < n; k++) y[i] -= a[k * n + i] * y[k];
        y[i] /= a[i * n + i];
    }
    return true;
}

typedef struct {
    const walker *w;
    const program *prog;
    uint32_t count;       // functions
    const expr *variable; // n of them
} correction;

// One step of Newton's method of least norm. Returns its size; infinity where there is none.
static double correct_once(const correction *c, double *value) {
    const mechanics *s = c->w->system;
    const uint32_t k = c->count, n = s->n;
    double *out = memory_array(double, (size_t)k *(n + 1) + (size_t)k * k), *jacobian = out + k,
           *gram = jacobian + (size_t)k * n, size = 0;
    program_run_double(c->prog, value, out);
    for (uint32_t i = 0; i < k * (n + 1); i++)
        if (!isfinite(out[i])) size = INFINITY;
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) {
            gram[i * k + j] = 0;
            for (uint32_t l = 0; l < n; l++)
                gram[i * k + j] += jacobian[i * n + l] * jacobian[j * n + l];
        }
    if (size == 0 && !solve_definite(k, gram, out)) size = INFINITY;
    for (uint32_t l = 0; l < n && isfinite(size); l++) {
        double move = 0;
        for (uint32_t i = 0; i < k; i++) move += jacobian[i * n + l] * out[i];
        double *x = &value[expr_symbol_index(s->pool, c->variable[l])];
        *x -= move;
        size = fmax(size, fabs(move) / fmax(1, fabs(*x)));
    }
    memory_free(out);
    return size;
}

// Back onto the constraints, with corrections that contract from the beginning.
static bool correct(const correction *c, double longest, double *value) {
    if (!c->count) return true;
    double before = correct_once(c, value);
    for (int i = 0; i < MOST_CORRECTIONS; i++) {
        if (!(before < longest)) return false;
        if (before < NEGLIGIBLE) return true;
        const double now = correct_once(c, value);
        if (!(now <= CONTRACTION * before + NEGLIGIBLE)) return false;
        before = now;
    }
    return false;
}

static bool bring_back(const walker *w, double longest, double *value) {
    const mechanics *s = w->system;
    return correct(&(correction){w, w->position_program, w->positions, s->q}, longest, value) &&
           correct(&(correction){w, w->velocity_program, s->k, s->qd}, longest, value);
}

// --- the way ------------------------------------------------------------------------------------

static double uniform(uint64_t *random, double from, double to) {
    return from + (to - from) * (double)(random_next(random) >> 11) * 0x1p-53;
}

typedef struct { // what moves: symbol indices, with where they are to go
    uint32_t count;
    uint32_t *at;
    double *target;
} way;

static void aim(way *y, uint32_t at, double target) {
    y->at[y->count] = at;
    y->target[y->count++] = target;
}

static way choose_way(const walker *w, const walk_request *r, const double *value) {
    const mechanics *s = w->system;
    const model *m = s->model;
    arena *a = &m->ctx->arena;
    const uint32_t most = 1 + m->parameters_count + 2 * s->n;
    way y = {.at = arena_array(a, uint32_t, most), .target = arena_array(a, double, most)};
    uint64_t random = r->seed * 0x9E3779B97F4A7C15u + 12345;
    const uint32_t time = expr_symbol_index(s->pool, m->time);
    double from, to, later = value[time] + uniform(&random, 0, r->far ? 2 : 0.25);
    if (model_data_range(m, &from, &to) && later > to) later = uniform(&random, from, to);
    aim(&y, time, later);
    for (uint32_t i = 0; i < 2 * s->n; i++) {
        const uint32_t at = expr_symbol_index(s->pool, i % 2 ? s->qd[i / 2] : s->q[i / 2]);
        aim(&y, at,
            r->far ? uniform(&random, -2.5, 2.5) : value[at] + uniform(&random, -0.25, 0.25));
    }
    for (uint32_t i = 0; i < m->parameters_count && r->parameters; i++) {
        const uint32_t at = expr_symbol_index(s->pool, m->parameters[i].symbol);
        aim(&y, at,
            value[at] != 0 ? value[at] * uniform(&random, 0.6, 1.7) : uniform(&random, -0.5, 1));
    }
    return y;
}

// dPhi/dq' of all constraints, each row of length 1.
static void directions_at(const walker *w, const double *value, double *out) {
    const uint32_t k = w->system->k, n = w->system->n;
    double *all = memory_array(double, (size_t)k *(n + 1) + 1);
    program_run_double(w->velocity_program, value, all);
    for (uint32_t i = 0; i < k; i++) {
        double square = 0;
        for (uint32_t j = 0; j < n; j++) square += all[k + i * n + j] * all[k + i * n + j];
        for (uint32_t j = 0; j < n; j++) out[i * n + j] = all[k + i * n + j] / sqrt(square);
    }
    memory_free(all);
}

// Do the constraints have nearly the directions that they had? Where one turns at once the step has
// passed a place where it has none, x' = y' = 0 of x'^2 = y'^2, and may be on another branch.
static bool keeps_directions(const walker *w, const double *before, const double *after) {
    const uint32_t k = w->system->k, n = w->system->n;
    for (uint32_t i = 0; i < k; i++) {
        double cosine = 0;
        for (uint32_t j = 0; j < n; j++) cosine += before[i * n + j] * after[i * n + j];
        if (!(cosine > LEAST_COSINE)) return false;
    }
    return true;
}

// Along the straight way to the target, back onto the constraints after each step; how much of the
// way was made. The steps are parts of the way as it was at the beginning: what the constraints
// pull back is not made up for later, since a step that long could leave for another piece.
static double go(const walker *w, const way *y, double *value, uint32_t values) {
    double *tried = memory_array(double, values + y->count), *whole = tried + values,
           step = 1.0 / STEPS, gone = 0;
    for (uint32_t j = 0; j < y->count; j++) whole[j] = y->target[j] - value[y->at[j]];
    const size_t entries = (size_t)w->system->k * w->system->n;
    double *before = memory_array(double, 2 * entries + 1), *after = before + entries;
    directions_at(w, value, before);
    if (!w->system->k) step = 1; // nothing to lose
    for (int i = 0; i < MOST_TRIES && gone < 1 && step > SMALLEST_STEP; i++) {
        step = fmin(step, 1 - gone);
        memcpy(tried, value, sizeof(double) * values);
        for (uint32_t j = 0; j < y->count; j++) tried[y->at[j]] += step * whole[j];
        const bool back = bring_back(w, LONGEST_CORRECTION, tried);
        if (back) directions_at(w, tried, after);
        if (back && keeps_directions(w, before, after)) {
            memcpy(value, tried, sizeof(double) * values);
            memcpy(before, after, sizeof(double) * entries);
            gone += step;
            step = fmin(2 * step, w->system->k ? 1.0 / STEPS : 1);
        } else {
            step /= 2;
        }
    }
    memory_free(tried);
    memory_free(before);
    return gone;
}

// --- enclosures ---------------------------------------------------------------------------------

// A number with few bits: witnesses are read by people.
static double rounded(double x) {
    int exponent;
    const double mantissa = frexp(x, &exponent);
    const int bits = exponent > 0 ? KEPT_BITS + exponent : KEPT_BITS;
    return ldexp(rint(ldexp(mantissa, bits)), exponent - bits);
}

static bool enclose(state *x, uint32_t count, const expr *function, uint32_t n,
                    const expr *variable) {
    arena *a = &x->model->ctx->arena;
    if (!count) return true;
    newton_result result = {.row = arena_array(a, uint32_t, count),
                            .column = arena_array(a, uint32_t, count)};
    constraint_newton_solve(
        x, &(newton_problem){count, n, function, variable, arena_array(a, uint8_t, n), false},
        &result);
    return result.converged && result.verified && result.rank == count;
}

static bool turns_little(const walker *w, const double *value, uint32_t values, const state *x) {
    const size_t entries = (size_t)w->system->k * w->system->n;
    double *there = memory_array(double, (size_t)values + 2 * entries + 1),
           *before = there + values, *after = before + entries;
    for (uint32_t i = 0; i < values; i++) there[i] = ball_middle(x->value + i);
    directions_at(w, value, before), directions_at(w, there, after);
    const bool little = keeps_directions(w, before, after);
    memory_free(there);
    return little;
}

// Is there no branch point between the place walked to and the one enclosed? Half way between them
// the constraints must pull to neither.
static bool is_close(const walker *w, const way *y, const double *value, uint32_t values,
                     state *s) {
    double *half = memory_array(double, values);
    memcpy(half, value, sizeof(double) * values);
    bool close = true;
    for (uint32_t j = 0; j < y->count; j++) {
        const double x = ball_middle(s->value + y->at[j]), old = value[y->at[j]];
        close = close && fabs(x - old) <= 0.125 * fmax(1, fabs(old));
        half[y->at[j]] = (x + old) / 2;
    }
    close = close && turns_little(w, value, values, s);
    close = close && bring_back(w, LONGEST_CORRECTION, half);
    memory_free(half);
    return close;
}

static void set_quasi_velocities(const mechanics *s, state *x) {
    if (!s->has_quasi) return;
    expr *psi = arena_array(&s->model->ctx->arena, expr, s->m);
    model_concrete(s->model, true, s->m, s->psi, psi);
    program *prog = program_create(s->pool, s->m, psi);
    arb_ptr value = _arb_vec_init(s->m);
    state_reserve(x);
    program_run_arb(prog, x->value, x->precision, value);
    for (uint32_t i = 0; i < s->m; i++) state_set(x, s->eta[i], value + i);
    _arb_vec_clear(value, s->m);
    program_free(prog);
}

bool walk(const walker *w, const walk_request *request, state *x) {
    const mechanics *s = w->system;
    state_reserve(x);
    const uint32_t values = x->capacity;
    double *value = memory_array(double, values);
    for (uint32_t i = 0; i < values; i++) value[i] = ball_middle(x->value + i);
    const way y = choose_way(w, request, value);
    bool ok = go(w, &y, value, values) > SHORTEST_WAY;
    for (uint32_t j = 0; j < y.count && ok; j++)
        arb_set_d(x->value + y.at[j], rounded(value[y.at[j]]));
    ok = ok && enclose(x, w->positions, w->position, s->n, s->q) &&
         enclose(x, s->k, w->velocity, s->n, s->qd) && is_close(w, &y, value, values, x);
    if (ok) set_quasi_velocities(s, x);
    memory_free(value);
    return ok;
}

bool walker_bring_back(const walker *w, state *x) {
    const mechanics *s = w->system;
    state_reserve(x);
    double *value = memory_array(double, x->capacity);
    for (uint32_t i = 0; i < x->capacity; i++) value[i] = ball_middle(x->value + i);
    const bool ok = bring_back(w, LONGEST_WAY_BACK, value);
    for (uint32_t i = 0; i < s->n && ok && s->k; i++) {
        arb_set_d(state_get(x, s->q[i]), value[expr_symbol_index(s->pool, s->q[i])]);
        arb_set_d(state_get(x, s->qd[i]), value[expr_symbol_index(s->pool, s->qd[i])]);
    }
    memory_free(value);
    return ok;
}
