// The linear system of the unknowns.
#include "equations/linear.h"

#include "base/random.h"
#include "expr/matrix.h"
#include "expr/program.h"
#include "expr/torn.h"
#include "expr/vanish.h"

#include <math.h>

static arena *arena_of(const equations *eq) { return &eq->system->model->ctx->arena; }

// --- at the state under study --------------------------------------------------------------------

// With values for further state variables
static double *sample(const equations *eq) {
    const mechanics *s = eq->system;
    double *at = mechanics_sample(s);
    for (uint32_t i = 0; i < eq->auxiliaries_count; i++)
        at[expr_symbol_index(s->pool, eq->auxiliaries[i].symbol)] =
            expr_value(s->pool, eq->auxiliaries[i].value, at);
    return at;
}

// The state under study, and others around it
static double **states_around(const equations *eq, uint32_t count) {
    const mechanics *s = eq->system;
    double **at = arena_array(arena_of(eq), double *, count);
    uint64_t stream = 1;
    for (uint32_t k = 0; k < count; k++) {
        at[k] = sample(eq);
        for (uint32_t i = 0; i < s->n && k; i++)
            for (int order = 0; order < 2; order++)
                at[k][expr_symbol_index(s->pool, order ? s->qd[i] : s->q[i])] +=
                    (double)(random_next(&stream) % 2001) / 300 - 10.0 / 3;
    }
    return at;
}

static double *values_at_sample(const equations *eq, uint32_t count, const expr *e) {
    return mechanics_values(eq->system, sample(eq), count, e);
}

// --- coordinates that drop out -------------------------------------------------------------------

// Do the values stay when the coordinate is moved? Quick, and enough to say no.
static bool seems_ignorable(const program *g, double *at, uint32_t symbol, const double *value,
                            double *moved) {
    static const double MOVED = 0.7, CLOSE = 1e-8;
    const double here = at[symbol], place[2] = {0, here + MOVED};
    bool same = true;
    for (int k = 0; k < 2 && same; k++) {
        at[symbol] = place[k];
        program_run_double(g, at, moved);
        // False for NaN
        for (uint32_t i = 0; i < g->output_count && same; i++)
            same = fabs(moved[i] - value[i]) <= CLOSE * (1 + fabs(value[i]));
    }
    at[symbol] = here;
    return same;
}

static bool derivatives_vanish(pool *p, expr by, uint32_t count, const expr *e) {
    static const expr one = EXPR_ONE;
    expr *derivative = memory_array(expr, count);
    expr_pushforward(p, 1, &by, &one, count, e, derivative);
    const bool vanish = expr_all_vanish(p, count, derivative);
    memory_free(derivative);
    return vanish;
}

// Are the derivatives by the coordinate 0, and is that enough?
static bool is_ignorable(pool *p, expr coordinate, uint32_t count, const expr *e) {
    uint32_t branches;
    expr *branch = expr_branches(p, count, e, &branches);
    const bool ignorable = derivatives_vanish(p, coordinate, count, e) &&
                           derivatives_vanish(p, coordinate, branches, branch);
    memory_free(branch);
    return ignorable;
}

// Sets to 0 each of the coordinates on which none of the expressions depends: the heading of a body
// on a plane, in its equations of motion. They are regular at the state `at` (by symbol index);
// `concrete` are the same expressions with values for everything that has none. Whether they depend
// is decided at random points of F_p, with a chance of an error below 2^-100.
static void drop_ignorable(pool *p, uint32_t coordinates, const expr *coordinate, double *at,
                           uint32_t count, const expr *concrete, expr *e) {
    static const expr zero = EXPR_ZERO;
    if (!count) return;
    program *g = program_create(p, count, concrete);
    double *value = memory_array(double, count), *moved = memory_array(double, count);
    bool *occurs = memory_array(bool, coordinates + 1);
    expr_occurrences(p, count, e, coordinates, coordinate, occurs);
    program_run_double(g, at, value);
    for (uint32_t i = 0; i < coordinates; i++) {
        const expr q = coordinate[i];
        if (!occurs[i] || !seems_ignorable(g, at, expr_symbol_index(p, q), value, moved) ||
            !is_ignorable(p, q, count, e))
            continue;
        expr_substitute(p, 1, &q, &zero, count, e, e);
        at[expr_symbol_index(p, q)] = 0; // the next one is looked at beside it: not all of q / |q|
    }
    program_free(g);
    memory_free(value);
    memory_free(moved);
    memory_free(occurs);
}

void linear_without_ignorable(const equations *eq, uint32_t count, expr *e) {
    const mechanics *s = eq->system;
    expr *concrete = arena_array(arena_of(eq), expr, count);
    model_concrete(s->model, true, count, e, concrete);
    drop_ignorable(s->pool, s->n, s->q, sample(eq), count, concrete, e);
}

// --- the system ----------------------------------------------------------------------------------

expr *linear_system(const equations *eq) {
    const mechanics *s = eq->system;
    const uint32_t n = eq->unknown_count, count = n * n + n;
    expr *matrix = arena_array(arena_of(eq), expr, count), *right = matrix + n * n;
    equations_affine(eq, matrix, right);
    for (uint32_t i = 0; i < n; i++) right[i] = expr_neg(s->pool, right[i]);
    if (eq->explicit_velocities)
        expr_substitute(s->pool, s->n, s->qd, eq->velocity, count, matrix, matrix);
    linear_without_ignorable(eq, count, matrix);
    // one way to write each entry
    for (uint32_t i = 0; i < n && eq->symmetric; i++)
        for (uint32_t j = 0; j < i; j++) matrix[i * n + j] = matrix[j * n + i];
    return matrix;
}

const expr *linear_velocities(const equations *eq) {
    const uint32_t n = eq->system->n;
    // those of a chain are as long together as they share, not one by one
    if (!eq->explicit_velocities || eq->system->chain) return eq->velocity;
    expr *velocity = arena_array(arena_of(eq), expr, n);
    for (uint32_t i = 0; i < n; i++) {
        velocity[i] = eq->velocity[i];
        linear_without_ignorable(eq, 1, &velocity[i]);
    }
    return velocity;
}

// A positive definite matrix needs no pivoting: pivots in order, so that a symmetric
// elimination shares its two halves.
static bool is_definite(uint32_t n, double *a) {
    bool definite = true;
    for (uint32_t k = 0; k < n && definite; k++) {
        definite = a[k * n + k] > 0;
        for (uint32_t i = k + 1; i < n && definite; i++)
            for (uint32_t j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j] / a[k * n + k];
    }
    return definite;
}

bool linear_is_definite(const equations *eq, uint32_t n, const expr *matrix) {
    return is_definite(n, values_at_sample(eq, n * n, matrix));
}

// Pivots at the state under study or, where the matrix is singular there, at one around it: the
// solution is then right wherever there is one, and has no value at the state itself.
static uint32_t choose_pivots(const equations *eq, uint32_t n, const expr *matrix, uint32_t *row,
                              uint32_t *column) {
    enum { STATES = 6 };
    uint32_t rank = pivots_choose(n, n, values_at_sample(eq, n * n, matrix), NULL,
                                  INDEPENDENCE_THRESHOLD, row, column);
    if (rank == n) return rank;
    double **at = states_around(eq, STATES);
    for (uint32_t k = 1; k < STATES && rank < n; k++)
        rank = pivots_choose(n, n, mechanics_values(eq->system, at[k], n * n, matrix), NULL,
                             INDEPENDENCE_THRESHOLD, row, column);
    return rank;
}

const expr *linear_solve_on_dag(const equations *eq, uint32_t n, bool symmetric,
                                const expr *matrix) {
    expr *x = arena_array(arena_of(eq), expr, n);
    uint32_t *row = arena_array(arena_of(eq), uint32_t, n),
             *column = arena_array(arena_of(eq), uint32_t, n);
    bool regular = symmetric && linear_is_definite(eq, n, matrix);
    if (regular)
        for (uint32_t i = 0; i < n; i++) row[i] = column[i] = i;
    else regular = choose_pivots(eq, n, matrix, row, column) == n;
    if (!regular) return NULL;
    matrix_solve(eq->system->pool, n, matrix, 1, matrix + n * n, row, column, x);
    return x;
}

hamel_status linear_refuse_singular(const equations *eq) {
    diag_error(eq->system->model->ctx, (span){0},
               "does every direction of motion carry mass? `hamel check` says more",
               "the accelerations are not determined: the matrix of the equations is singular at "
               "every state");
    return HAMEL_MODEL;
}

// --- without a matrix ----------------------------------------------------------------------------

const expr *linear_solve_torn(const equations *eq, double most) {
    enum { FEWEST = 16, STATES = 8 };
    const mechanics *s = eq->system;
    pool *p = s->pool;
    const uint32_t n = eq->unknown_count;
    if (n < FEWEST || s->k || s->h || !eq->symmetric) return NULL;
    expr *residual = arena_array(arena_of(eq), expr, n), *x = arena_array(arena_of(eq), expr, n);
    for (uint32_t i = 0; i < n; i++) residual[i] = eq->residual[i].value;
    if (eq->explicit_velocities)
        expr_substitute(p, s->n, s->qd, eq->velocity, n, residual, residual);
    if (!torn_solve(p, n, residual, eq->unknown, STATES, states_around(eq, STATES), x) ||
        program_operations(p, n, x) > most)
        return NULL;
    expr_substitute(p, n, eq->unknown, x, n, residual, residual);
    return expr_all_vanish(p, n, residual) ? x : NULL;
}

// --- Cramer's rule -------------------------------------------------------------------------------

static expr minor_2x2(pool *p, expr a, expr b, expr c, expr d) {
    return expr_sub(p, expr_mul(p, a, d), expr_mul(p, b, c));
}

// (-1)^(i+j) times the minor without row i and column j; for n = 3 cyclic indices bring the sign
static expr cofactor(pool *p, uint32_t n, const expr *m, uint32_t i, uint32_t j) {
    if (n == 1) return EXPR_ONE;
    if (n == 2) return i == j ? m[(1 - i) * 2 + 1 - j] : expr_neg(p, m[(1 - i) * 2 + 1 - j]);
    const uint32_t i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return minor_2x2(p, m[i1 * 3 + j1], m[i1 * 3 + j2], m[i2 * 3 + j1], m[i2 * 3 + j2]);
}

const expr *linear_solve_by_cofactors(pool *p, uint32_t n, const expr *matrix, const expr *right) {
    expr *x = arena_array(&pool_context(p)->arena, expr, n);
    expr column[MOST_BY_COFACTORS] = {0};
    for (uint32_t i = 0; i < n; i++) column[i] = cofactor(p, n, matrix, 0, i);
    const expr reciprocal = expr_div(p, EXPR_ONE, expr_dot(p, n, matrix, column));
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < n; i++) column[i] = cofactor(p, n, matrix, i, j);
        x[j] = expr_mul(p, expr_dot(p, n, column, right), reciprocal);
    }
    return x;
}
