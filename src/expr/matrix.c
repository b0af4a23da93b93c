// Linear systems with symbolic entries: elimination with a given pivot
// sequence, then back substitution.
#include "expr/matrix.h"

#include <string.h>

typedef struct {
    pool *p;
    uint32_t n, rhs;
    expr *a, *r;
} elimination;

// row i -= (a[i][c] / pivot) * row of the pivot
static void eliminate(elimination *e, uint32_t i, uint32_t pivot_row, uint32_t pivot_column) {
    pool *p = e->p;
    expr *target = e->a + (size_t)i * e->n, *source = e->a + (size_t)pivot_row * e->n;
    if (target[pivot_column] == EXPR_ZERO) return;
    const expr factor = expr_div(p, target[pivot_column], source[pivot_column]);
    target[pivot_column] = EXPR_ZERO;
    for (uint32_t j = 0; j < e->n; j++)
        if (j != pivot_column && source[j] != EXPR_ZERO)
            target[j] = expr_sub(p, target[j], expr_mul(p, factor, source[j]));
    expr *tr = e->r + (size_t)i * e->rhs, *sr = e->r + (size_t)pivot_row * e->rhs;
    for (uint32_t j = 0; j < e->rhs; j++)
        if (sr[j] != EXPR_ZERO) tr[j] = expr_sub(p, tr[j], expr_mul(p, factor, sr[j]));
}

// x[column] = (r[row] - sum of the unknowns already found) / pivot
static void back_substitute(const elimination *e, const uint32_t *row, const uint32_t *column,
                            expr *x) {
    pool *p = e->p;
    expr *left = memory_array(expr, e->n), *right = memory_array(expr, e->n);
    for (uint32_t i = e->n; i-- > 0;) {
        const expr *a = e->a + (size_t)row[i] * e->n;
        for (uint32_t s = 0; s < e->rhs; s++) {
            uint32_t terms = 0;
            for (uint32_t j = i + 1; j < e->n; j++) {
                const expr known = x[(size_t)column[j] * e->rhs + s];
                if (a[column[j]] == EXPR_ZERO || known == EXPR_ZERO) continue;
                left[terms] = a[column[j]];
                right[terms++] = known;
            }
            const expr rest =
                expr_sub(p, e->r[(size_t)row[i] * e->rhs + s], expr_dot(p, terms, left, right));
            x[(size_t)column[i] * e->rhs + s] = expr_div(p, rest, a[column[i]]);
        }
    }
    memory_free(left);
    memory_free(right);
}

static bool is_constant(pool *p, expr e) {
    return expr_order(p, e) < 0 && !expr_depends_on_time(p, e);
}

bool matrix_solve(pool *p, uint32_t n, const expr *a, uint32_t rhs, const expr *r,
                  const uint32_t *row, const uint32_t *column, expr *x) {
    elimination e = {p, n, rhs, memory_array(expr, (size_t)n * n),
                     memory_array(expr, (size_t)n * rhs)};
    memcpy(e.a, a, sizeof(expr) * n * n);
    memcpy(e.r, r, sizeof(expr) * n * rhs);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) eliminate(&e, row[j], row[i], column[i]);
    back_substitute(&e, row, column, x);
    bool constant = true;
    for (uint32_t i = 0; i < n && constant; i++)
        constant = is_constant(p, e.a[(size_t)row[i] * n + column[i]]);
    memory_free(e.a);
    memory_free(e.r);
    return constant;
}
