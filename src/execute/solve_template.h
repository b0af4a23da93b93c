// Linear systems in numbers, by the same operations in the same order as emit_solver() writes.
// Included with SCALAR a floating type. A singular matrix gives what is not finite.
#include <stdbool.h>
#include <stdint.h>

// A = L D L^T, row by row up to the diagonal: L below it, D on it
static void factor_symmetric(uint32_t n, SCALAR *a) {
    SCALAR *r = a; // row i
    for (uint32_t i = 0; i < n; r += ++i) {
        const SCALAR *c = a; // row j
        for (uint32_t j = 0; j < i; c += ++j)
            for (uint32_t k = 0; k < j; k++) r[j] -= r[k] * c[k];
        c = a;
        for (uint32_t j = 0; j < i; c += ++j) {
            const SCALAR scaled = r[j] / c[j];
            r[i] -= r[j] * scaled;
            r[j] = scaled;
        }
    }
}

static void solve_symmetric(uint32_t n, const SCALAR *a, SCALAR *x) {
    const SCALAR *r = a;
    for (uint32_t i = 0; i < n; r += ++i)
        for (uint32_t k = 0; k < i; k++) x[i] -= r[k] * x[k];
    for (uint32_t i = n; i-- > 0;) {
        r -= i + 1;
        x[i] /= r[i];
    }
    for (uint32_t i = n; i-- > 0;) {
        r = a + i * (i + 1) / 2;
        for (uint32_t k = 0; k < i; k++) x[k] -= r[k] * x[i];
    }
}

// P A = L U; row[k] is the row that was exchanged with row k
static void factor_general(uint32_t n, SCALAR *a, uint32_t *row) {
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < n; i++)
            if ((a[i * n + k] < 0 ? -a[i * n + k] : a[i * n + k]) >
                (a[best * n + k] < 0 ? -a[best * n + k] : a[best * n + k]))
                best = i;
        row[k] = best;
        for (uint32_t j = 0; j < n && best != k; j++) {
            const SCALAR other = a[k * n + j];
            a[k * n + j] = a[best * n + j], a[best * n + j] = other;
        }
        for (uint32_t i = k + 1; i < n; i++) {
            const SCALAR f = a[i * n + k] /= a[k * n + k];
            for (uint32_t j = k + 1; j < n; j++) a[i * n + j] -= f * a[k * n + j];
        }
    }
}

static void solve_general(uint32_t n, const SCALAR *a, const uint32_t *row, SCALAR *x) {
    for (uint32_t k = 0; k < n; k++) {
        const SCALAR other = x[k];
        x[k] = x[row[k]], x[row[k]] = other;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++) x[i] -= a[i * n + k] * x[k];
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t k = i + 1; k < n; k++) x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
    }
}

static void factor_system(bool symmetric, uint32_t n, SCALAR *a, uint32_t *row) {
    if (symmetric) factor_symmetric(n, a);
    else factor_general(n, a, row);
}

static void solve_system(bool symmetric, uint32_t n, const SCALAR *a, const uint32_t *row,
                         SCALAR *x) {
    if (symmetric) solve_symmetric(n, a, x);
    else solve_general(n, a, row, x);
}
