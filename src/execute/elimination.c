// Gaussian elimination with full pivoting.
#include "execute/elimination.h"

#include "base/context.h"

#include <math.h>

static const double NEGLIGIBLE = 1e-13;

static void swap(double *a, double *b) {
    const double other = *a;
    *a = *b, *b = other;
}

// Bring the largest entry of the rest to place (k, k); its size.
static double bring_pivot(uint32_t rows, uint32_t columns, double *a, double *b, uint32_t *column,
                          uint32_t k) {
    uint32_t row = k, col = k;
    double most = -1;
    for (uint32_t i = k; i < rows; i++)
        for (uint32_t j = k; j < columns; j++)
            if (fabs(a[i * columns + j]) > most) most = fabs(a[i * columns + j]), row = i, col = j;
    for (uint32_t j = 0; j < columns; j++) swap(&a[k * columns + j], &a[row * columns + j]);
    for (uint32_t i = 0; i < rows; i++) swap(&a[i * columns + k], &a[i * columns + col]);
    if (b) swap(&b[k], &b[row]);
    if (column) {
        const uint32_t other = column[k];
        column[k] = column[col], column[col] = other;
    }
    return isfinite(most) && most > 0 ? most : 0;
}

static void clear_below(uint32_t rows, uint32_t columns, double *a, double *b, uint32_t k) {
    for (uint32_t i = k + 1; i < rows; i++) {
        const double factor = a[i * columns + k] / a[k * columns + k];
        if (factor == 0) continue;
        for (uint32_t j = k; j < columns; j++) a[i * columns + j] -= factor * a[k * columns + j];
        if (b) b[i] -= factor * b[k];
    }
}

pivot_sizes elimination_pivots(uint32_t rows, uint32_t columns, double *a) {
    pivot_sizes found = {0, 0, 1};
    for (uint32_t k = 0; k < rows && k < columns; k++) {
        found.smallest = bring_pivot(rows, columns, a, NULL, NULL, k);
        found.largest = fmax(found.largest, found.smallest);
        found.product *= found.smallest;
        if (found.smallest == 0) break;
        clear_below(rows, columns, a, NULL, k);
    }
    return found;
}

void elimination_solve(uint32_t n, double *a, double *b) {
    uint32_t *column = memory_array(uint32_t, n + 1), rank = 0;
    double *x = memory_array(double, n + 1), largest = 0;
    for (uint32_t i = 0; i < n; i++) column[i] = i, x[i] = 0;
    for (; rank < n; rank++) {
        const double size = bring_pivot(n, n, a, b, column, rank);
        largest = fmax(largest, size);
        if (!(size > NEGLIGIBLE * largest)) break;
        clear_below(n, n, a, b, rank);
    }
    for (uint32_t k = rank; k-- > 0;) {
        double sum = b[k];
        for (uint32_t j = k + 1; j < rank; j++) sum -= a[k * n + j] * x[column[j]];
        x[column[k]] = sum / a[k * n + k];
    }
    for (uint32_t i = 0; i < n; i++) b[i] = x[i];
    memory_free(column);
    memory_free(x);
}
