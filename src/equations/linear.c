// The linear system of the unknowns.
#include "equations/linear.h"

#include "equations/ignorable.h"
#include "expr/matrix.h"
#include "expr/program.h"

#include <stdlib.h>
#include <string.h>

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

double *linear_values_at_sample(const equations *eq, uint32_t count, const expr *e) {
    return mechanics_values(eq->system, sample(eq), count, e);
}

void linear_without_ignorable(const equations *eq, uint32_t count, expr *e) {
    const mechanics *s = eq->system;
    expr *concrete = arena_array(arena_of(eq), expr, count);
    model_concrete(s->model, true, count, e, concrete);
    ignorable_drop(s->pool, s->n, s->q, sample(eq), count, concrete, e);
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

// A positive definite matrix needs no pivoting: pivots in order, so that a symmetric
// elimination shares its two halves.
bool linear_is_definite(uint32_t n, const double *matrix) {
    double *a = memory_array(double, (size_t)n *n);
    memcpy(a, matrix, sizeof(double) * n * n);
    bool definite = true;
    for (uint32_t k = 0; k < n && definite; k++) {
        definite = a[k * n + k] > 0;
        for (uint32_t i = k + 1; i < n && definite; i++)
            for (uint32_t j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j] / a[k * n + k];
    }
    memory_free(a);
    return definite;
}

const expr *linear_solve_on_dag(const equations *eq, const expr *matrix) {
    const uint32_t n = eq->unknown_count;
    expr *x = arena_array(arena_of(eq), expr, n);
    uint32_t *row = arena_array(arena_of(eq), uint32_t, n),
             *column = arena_array(arena_of(eq), uint32_t, n);
    const double *value = linear_values_at_sample(eq, n * n, matrix);
    if (eq->symmetric && linear_is_definite(n, value))
        for (uint32_t i = 0; i < n; i++) row[i] = column[i] = i;
    else choose_pivots(n, n, value, NULL, INDEPENDENCE_THRESHOLD, row, column);
    matrix_solve(eq->system->pool, n, matrix, 1, matrix + n * n, row, column, x);
    return x;
}
