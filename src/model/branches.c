// Other ways in which a state can be completed, by Newton's method from many starts.
#include "model/branches.h"

#include "base/random.h"
#include "expr/period.h"
#include "model/constraint_newton.h"

#include <math.h>
#include <string.h>

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
    double *guess; // NAN: none
    double *start; // of Newton's method
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
    w->start = arena_array(a, double, w->n);
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

// The copy of an angle that is nearest to another one
static double turned_towards(const search *w, uint32_t i, double a, double other) {
    return w->turn[i] > 0 ? a - w->turn[i] * nearbyint((a - other) / w->turn[i]) : a;
}

static void set_variables(const search *w, state *x, const double *value) {
    arb_t v;
    arb_init(v);
    for (uint32_t i = 0; i < w->n; i++) {
        arb_set_d(v, value[i]);
        state_set(x, w->variable[i], v);
    }
    arb_clear(v);
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

// The solution that Newton's method finds from `start`; false: none, or it is not proved.
static bool solve_from(search *w, const state *x, const double *start, double *at) {
    state y;
    state_copy_midpoints(x, BRANCH_BITS, &y);
    set_variables(w, &y, start);
    newton_result r = {.row = memory_array(uint32_t, w->n), .column = memory_array(uint32_t, w->n)};
    constraint_newton_solve_here(
        &y, &(newton_problem){w->n, w->n, w->function, w->variable, w->fixed, false}, &r);
    const bool good = r.converged && r.verified && r.rank == w->n && satisfies_all(w, &y);
    for (uint32_t i = 0; i < w->n && good; i++) at[i] = ball_middle(state_get(&y, w->variable[i]));
    memory_free(r.row), memory_free(r.column);
    state_clear(&y);
    return good;
}

static void try_start(search *w, const state *x, uint64_t *random) {
    double *at = w->found + (size_t)w->count * w->n;
    for (uint32_t i = 0; i < w->n; i++) w->start[i] = draw_start(w, i, random);
    if (!solve_from(w, x, w->start, at)) return;
    for (uint32_t i = 0; i < w->n; i++) at[i] = turned_towards(w, i, at[i], w->here[i]);
    bool is_new = !is_same(w, at, w->here);
    for (uint32_t k = 0; k < w->count && is_new; k++)
        is_new = !is_same(w, at, w->found + (size_t)k * w->n);
    w->count += is_new;
}

// Each start may take as long as the completion itself: long constraints are left alone.
static bool is_cheap(const search *w) {
    return w->n && w->n <= MOST_VARIABLES &&
           program_operations(w->m->pool, w->n, w->function) <= MOST_OPERATIONS;
}

static bool is_equal(uint32_t n, const double *a, const double *b) {
    for (uint32_t i = 0; i < n; i++)
        if (a[i] != b[i]) return false;
    return true;
}

static bool search_open(search *w, const state *x) {
    *w = (search){.m = x->model};
    take_solved(w, x);
    if (!is_cheap(w)) return false;
    take_constraints(w);
    return true;
}

static void search_close(search *w) {
    program_free(w->all);
    _arb_vec_clear(w->residual, w->residuals);
}

other_branches state_other_branches(const state *x) {
    search w;
    if (!search_open(&w, x)) return (other_branches){0};
    uint64_t random = 17;
    for (int i = 0; i < STARTS && w.count < MOST_BRANCHES; i++) try_start(&w, x, &random);
    search_close(&w);
    return (other_branches){w.n, w.variable, w.count, w.found, true};
}

// --- the nearest one -----------------------------------------------------------------------------

// What is guessed of a variable that nobody gave a value; NAN: nothing is
static double guess_of(const search *w, uint32_t i, const uint8_t *given) {
    const model *m = w->m;
    if (given[expr_symbol_index(m->pool, w->variable[i])]) return NAN;
    for (uint32_t k = m->guesses_count; k-- > 0;) // the last one wins
        if (m->guesses[k].symbol == w->variable[i]) return model_constant(m, m->guesses[k].value);
    return NAN;
}

// sqrt(sum_i (at_i - guess_i)^2) over what is guessed, angles turned towards their guesses first
static double turned_distance(const search *w, double *at) {
    double sum = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        const double from = w->guess[i];
        if (isnan(from)) continue;
        at[i] = turned_towards(w, i, at[i], from);
        sum += (at[i] - from) * (at[i] - from);
    }
    return sqrt(sum);
}

// A solution that is nearer than `distance` lies in the box of that half-width around the guess.
static double draw_near(const search *w, uint32_t i, double distance, uint64_t *random) {
    const double from = w->guess[i];
    if (isnan(from)) return draw_start(w, i, random);
    return from + (2 * (double)(random_next(random) >> 11) * 0x1p-53 - 1) * distance;
}

bool state_move_to_nearest(state *x, const uint8_t *given) {
    search w;
    if (!x->model->guesses_count || !search_open(&w, x)) return false;
    double *best = arena_array(&w.m->ctx->arena, double, w.n), *at = w.found;
    w.guess = arena_array(&w.m->ctx->arena, double, w.n);
    for (uint32_t i = 0; i < w.n; i++) w.guess[i] = guess_of(&w, i, given);
    memcpy(best, w.here, sizeof(double) * w.n);
    double distance = turned_distance(&w, best);
    bool moved = !is_equal(w.n, best, w.here);
    uint64_t random = 17;
    for (int i = 0; i < STARTS && distance > SAME; i++) {
        for (uint32_t k = 0; k < w.n; k++) w.start[k] = draw_near(&w, k, distance, &random);
        if (!solve_from(&w, x, w.start, at)) continue;
        const double other = turned_distance(&w, at);
        if (!(other < distance * (1 - SAME))) continue;
        memcpy(best, at, sizeof(double) * w.n);
        distance = other, moved = true;
    }
    if (moved) set_variables(&w, x, best);
    search_close(&w);
    return moved;
}
