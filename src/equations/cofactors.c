// Cofactors of matrices up to 3 x 3.
#include "equations/cofactors.h"

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

const expr *cofactors_solve(pool *p, uint32_t n, const expr *matrix, const expr *right) {
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
