// Newton's method for small dense systems: x <- x - J^-1 r until rounding stops the corrections.
#include "integrate/newton_solve.h"

#include <float.h>

#define SCALAR double
#include "execute/solve_template.h"

enum { MOST_CORRECTIONS = 40 };
static const double NEAR = 1e-8; // corrections this small no longer shrink only because of rounding

// a x = b, in the place of b; a is overwritten. False if a is singular.
static bool solve(uint32_t n, double *a, double *b, uint32_t *row) {
    factor_system(false, n, a, row);
    for (uint32_t k = 0; k < n; k++)
        if (!(fabs(a[k * n + k]) > 0)) return false;
    solve_system(false, n, a, row, b);
    return true;
}

// The correction, the Jacobian, the rows that were exchanged
size_t newton_solve_work(uint32_t n) { return n + (size_t)n * n + n; }

run_status newton_solve_dense(const dense_system *s, double *x, double *work) {
    const uint32_t n = s->n;
    double *correction = work, *jacobian = work + n, before = INFINITY;
    uint32_t *row = (uint32_t *)(jacobian + (size_t)n * n);
    for (int i = 0; i < MOST_CORRECTIONS; i++) {
        if (!s->at(s->data, x, correction, jacobian)) return RUN_NOT_FINITE;
        if (!solve(n, jacobian, correction, row)) return RUN_FAILED;
        double size = 0;
        for (uint32_t j = 0; j < n; j++) {
            x[j] -= correction[j];
            const double relative = fabs(correction[j]) / (1 + fabs(x[j]));
            size = relative > size || isnan(relative) ? relative : size;
        }
        if (!isfinite(size)) return RUN_NOT_FINITE;
        if (size <= DBL_EPSILON || (before <= NEAR && size >= before / 2)) return RUN_DONE;
        before = size;
    }
    return RUN_FAILED;
}
