// Definiteness by interval Cholesky, and its opposite by a vector x with x.A x < 0: an eigenvector
// of the midpoint matrix, found by Jacobi's rotations in doubles and then used exactly.
#include "prove/definiteness.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { MOST_SWEEPS = 60 };

// One rotation in the plane (p, q) that makes a_pq zero; v collects the rotations.
static void rotate(uint32_t n, double *a, double *v, uint32_t p, uint32_t q) {
    const double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)),
                 c = 1 / sqrt(t * t + 1), s = t * c;
    for (uint32_t k = 0; k < n; k++) {
        const double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
    }
    for (uint32_t k = 0; k < n; k++) {
        const double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
    }
    for (uint32_t k = 0; k < n; k++) {
        const double x = v[k * n + p], y = v[k * n + q];
        v[k * n + p] = c * x - s * y, v[k * n + q] = s * x + c * y;
    }
}

// An eigenvector of the least eigenvalue.
static void least_eigenvector(uint32_t n, double *a, double *x) {
    double *v = memory_zeros(double, (size_t)n *n);
    for (uint32_t i = 0; i < n; i++) v[i * n + i] = 1;
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double off = 0, all = 0;
        for (uint32_t i = 0; i < n * n; i++) all = fmax(all, fabs(a[i]));
        for (uint32_t p = 0; p < n; p++)
            for (uint32_t q = p + 1; q < n; q++) {
                off = fmax(off, fabs(a[p * n + q]));
                if (fabs(a[p * n + q]) > 1e-300) rotate(n, a, v, p, q);
            }
        if (off <= 1e-15 * all) break;
    }
    uint32_t least = 0;
    for (uint32_t i = 1; i < n; i++)
        if (a[i * n + i] < a[least * n + least]) least = i;
    for (uint32_t k = 0; k < n; k++) x[k] = v[k * n + least];
    memory_free(v);
}

// x.A x, of the balls
static void quadratic_form(const arb_mat_t a, const double *x, slong precision, arb_t out) {
    arb_t term;
    arb_init(term);
    arb_zero(out);
    for (slong i = 0; i < arb_mat_nrows(a); i++)
        for (slong j = 0; j < arb_mat_ncols(a); j++) {
            arb_set_d(term, x[j]);
            arb_mul(term, term, arb_mat_entry(a, i, j), precision);
            arf_t factor;
            arf_init(factor);
            arf_set_d(factor, x[i]);
            arb_addmul_arf(out, term, factor, precision);
            arf_clear(factor);
        }
    arb_clear(term);
}

definiteness definiteness_of_matrix(const arb_mat_t a, slong precision, arb_t power) {
    const uint32_t n = (uint32_t)arb_mat_nrows(a);
    arb_mat_t l;
    arb_mat_init(l, n, n);
    definiteness found = arb_mat_cho(l, a, precision) ? DEFINITE_YES : DEFINITE_OPEN;
    arb_mat_clear(l);
    if (found == DEFINITE_YES) return found;
    double *middle = memory_array(double, (size_t)n *(n + 1)), *x = middle + (size_t)n * n;
    bool finite = true;
    for (uint32_t i = 0; i < n * n; i++) {
        const double here = arf_get_d(arb_midref(arb_mat_entry(a, i / n, i % n)), ARF_RND_NEAR),
                     there = arf_get_d(arb_midref(arb_mat_entry(a, i % n, i / n)), ARF_RND_NEAR);
        middle[i] = (here + there) / 2;
        finite = finite && isfinite(middle[i]);
    }
    if (finite && n) {
        least_eigenvector(n, middle, x);
        quadratic_form(a, x, precision, power);
        if (arb_is_negative(power)) found = DEFINITE_NO;
    }
    memory_free(middle);
    return found;
}
