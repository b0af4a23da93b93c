// Laplace's expansion along the rows. minor[S] is the determinant of the last |S| rows in the
// columns of the set S, so each is made once.
#include "derive/determinant.h"

expr determinant(pool *p, uint32_t n, const expr *entry) {
    if (n > MOST_DETERMINANT) return EXPR_NONE;
    const uint32_t sets = 1u << n;
    expr *minor = memory_zeros(expr, sets);
    minor[0] = EXPR_ONE;
    for (uint32_t set = 1; set < sets; set++) { // a subset comes before what contains it
        const uint32_t row = n - (uint32_t)__builtin_popcount(set);
        bool negative = false;
        minor[set] = EXPR_ZERO;
        for (uint32_t j = 0; j < n; j++) {
            if (!(set >> j & 1)) continue;
            const expr term = expr_mul(p, entry[row * n + j], minor[set & ~(1u << j)]);
            minor[set] = negative ? expr_sub(p, minor[set], term) : expr_add(p, minor[set], term);
            negative = !negative;
        }
    }
    const expr result = minor[sets - 1];
    memory_free(minor);
    return result;
}
