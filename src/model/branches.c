// Other ways in which a state can be completed, by Newton's method from many starts.
#include "model/branches.h"

#include "base/random.h"
#include "expr/period.h"
#include "model/constraint_newton.h"

#include <math.h>

enum {
    STARTS = 96,
    FEWEST = 12,
    LIGHT = 300,
    MOST_VARIABLES = 24,
    MOST_OPERATIONS = 400,
    MOST_BRANCHES = 32,
    BRANCH_BITS = 96
};

// Branches nearer than this, scaled, are one: Newton's method has them to BRANCH_BITS bits
static const double SAME = 1e-9;

typedef struct {
    const model *m;
    uint32_t n;
    expr *function, *variable;
    uint8_t *fixed;
    double *turn;  // of each variable: its period in the constraints; 0: none
    double *here;  // the state itself
    double *found; // MOST_BRANCHES x n
    uint32_t count;
    program *all; // every constraint on positions
    arb_ptr residual;
    uint32_t residuals;
} search;

// The constraints on positions, and what they were solved for.
static void take_solved(search *w, const state *x) {
    arena *a = &w->m->ctx->arena;
    w->function = arena_array(a, expr, x->solved_count),
    w->variable = arena_array(a, expr, x->solved_count);
    for (uint32_t c = 0; c < w->m->coordinates_count; c++) // in the order of the coordinates
        for (uint32_t i = 0; i < x->solved_count; i++) {
            if (x->solved[i].variable != w->m->coordinates[c]) continue;
            w->function[w->n] = x->solved[i].function;
            w->variable[w->n++] = x->solved[i].variable;
        }
    w->fixed = arena_array(a, uint8_t, w->n);
    w->turn = arena_array(a, double, w->n), w->here = arena_array(a, double, w->n);
    w->found = arena_array(a, double, (size_t)w->n *MOST_BRANCHES);
    fmpq_t period;
    fmpq_init(period);
    for (uint32_t i = 0; i < w->n; i++) {
        const bool turns =
            expr_period(w->m->pool, w->n, w->function, w->variable[i], period) == PERIOD_FOUND;
        w->turn[i] = turns ? 2 * M_PI * fmpq_get_d(period) : 0;
        w->here[i] = ball_middle(x->value + expr_symbol_index(w->m->pool, w->variable[i]));
    }
    fmpq_clear(period);
}

static void take_constraints(search *w) {
    const model *m = w->m;
    expr *phi = arena_array(&m->ctx->arena, expr, m->constraints_count);
    for (uint32_t i = 0; i < m->constraints_count; i++)
        if (m->constraints[i].order == 0 && m->constraints[i].status != CONSTRAINT_IDENTITY)
            phi[w->residuals++] = m->constraints[i].phi;
    model_concrete(m, true, w->residuals, phi, phi);
    w->all = program_create(m->pool, w->residuals, phi);
    w->residual = _arb_vec_init(w->residuals);
}

static double apart(const search *w, uint32_t i, double a, double b) {
    double d = fabs(a - b);
    if (w->turn[i] > 0) {
        d = fmod(d, w->turn[i]);
        d = fmin(d, w->turn[i] - d);
    }
    return d / fmax(1, fmax(fabs(a), fabs(b)));
}

static bool is_same(const search *w, const double *a, const double *b) {
    for (uint32_t i = 0; i < w->n; i++)
        if (!(apart(w, i, a[i], b[i]) < SAME)) return false;
    return true;
}

// All constraints on positions hold, also those that were not solved for.
static bool satisfies_all(search *w, state *y) {
    program_run_arb(w->all, y->value, y->precision, w->residual);
    for (uint32_t i = 0; i < w->residuals; i++)
        if (!arb_is_finite(w->residual + i) ||
            arf_cmpabs_2exp_si(arb_midref(w->residual + i), -BRANCH_BITS / 2) > 0)
            return false;
    return true;
}

// An angle anywhere; a length up to three times as far out, or up to 3.
static double draw_start(const search *w, uint32_t i, uint64_t *random) {
    const double u = 2 * (double)(random_next(random) >> 11) * 0x1p-53 - 1;
    return w->turn[i] > 0 ? w->here[i] + u * w->turn[i] / 2 : u * 3 * fmax(1, fabs(w->here[i]));
}

static void try_start(search *w, const state *x, uint64_t *random) {
    state y;
    state_copy_midpoints(x, BRANCH_BITS, &y);
    arb_t v;
    arb_init(v);
    for (uint32_t i = 0; i < w->n; i++) {
        arb_set_d(v, draw_start(w, i, random));
        state_set(&y, w->variable[i], v);
    }
    arb_clear(v);
    newton_result r = {.row = memory_array(uint32_t, w->n), .column = memory_array(uint32_t, w->n)};
    constraint_newton_solve_here(
        &y, &(newton_problem){w->n, w->n, w->function, w->variable, w->fixed, false}, &r);
    if (r.converged && r.verified && r.rank == w->n && satisfies_all(w, &y)) {
        double *at = w->found + (size_t)w->count * w->n;
        bool is_new = true;
        for (uint32_t i = 0; i < w->n; i++) {
            at[i] = ball_middle(state_get(&y, w->variable[i]));
            if (w->turn[i] > 0) at[i] -= w->turn[i] * nearbyint((at[i] - w->here[i]) / w->turn[i]);
        }
        is_new = !is_same(w, at, w->here);
        for (uint32_t k = 0; k < w->count && is_new; k++)
            is_new = !is_same(w, at, w->found + (size_t)k * w->n);
        w->count += is_new;
    }
    memory_free(r.row), memory_free(r.column);
    state_clear(&y);
}

// Each start may take as long as the completion itself: long constraints are left alone.
static bool is_cheap(const search *w) {
    return w->n && w->n <= MOST_VARIABLES &&
           program_operations(w->m->pool, w->n, w->function) <= MOST_OPERATIONS;
}

other_branches state_other_branches(const state *x) {
    search w = {.m = x->model};
    take_solved(&w, x);
    if (!is_cheap(&w)) return (other_branches){0};
    take_constraints(&w);
    uint64_t random = 17;
    for (int i = 0; i < STARTS && w.count < MOST_BRANCHES; i++) try_start(&w, x, &random);
    program_free(w.all);
    _arb_vec_clear(w.residual, w.residuals);
    return (other_branches){w.n, w.variable, w.count, w.found, true};
}
