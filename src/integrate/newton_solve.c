// Newton's method for small dense systems: elimination with row pivoting,
// corrections until rounding stops them.
#include "integrate/newton_solve.h"

#include <float.h>
#include <math.h>

enum { MOST_CORRECTIONS = 40 };
static const double NEAR = 1e-8; // corrections this small no longer shrink only because of rounding

// a x = b by elimination with row pivoting; b becomes x, a is overwritten. False if a is singular.
static bool eliminate(uint32_t n, double *a, double *b) {
    for (uint32_t k = 0; k < n; k++) {
        uint32_t pivot = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) pivot = i;
        if (!(fabs(a[pivot * n + k]) > 0)) return false;
        for (uint32_t j = 0; j < n && pivot != k; j++) {
            const double held = a[k * n + j];
            a[k * n + j] = a[pivot * n + j], a[pivot * n + j] = held;
        }
        const double held = b[k];
        b[k] = b[pivot], b[pivot] = held;
        for (uint32_t i = k + 1; i < n; i++) {
            const double factor = a[i * n + k] / a[k * n + k];
            if (factor == 0) continue;
            for (uint32_t j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t j = i + 1; j < n; j++) b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
    return true;
}

size_t newton_solve_work(uint32_t n) { return (size_t)n * (n + 1); }

run_status newton_solve_dense(const dense_system *s, double *x, double *work) {
    const uint32_t n = s->n;
    double *correction = work, *jacobian = work + n, before = INFINITY;
    for (int i = 0; i < MOST_CORRECTIONS; i++) {
        if (!s->at(s->data, x, correction, jacobian)) return RUN_NOT_FINITE;
        if (!eliminate(n, jacobian, correction)) return RUN_FAILED;
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
