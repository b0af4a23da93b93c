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
static double bring_pivot(uint32_t rows, uint32_t columns, double *a, uint32_t rights, double *b,
                          uint32_t *column, uint32_t k) {
    uint32_t row = k, col = k;
    double most = -1;
    for (uint32_t i = k; i < rows; i++)
        for (uint32_t j = k; j < columns; j++)
            if (fabs(a[i * columns + j]) > most) most = fabs(a[i * columns + j]), row = i, col = j;
    for (uint32_t j = 0; j < columns; j++) swap(&a[k * columns + j], &a[row * columns + j]);
    for (uint32_t i = 0; i < rows; i++) swap(&a[i * columns + k], &a[i * columns + col]);
    for (uint32_t j = 0; j < rights; j++) swap(&b[k * rights + j], &b[row * rights + j]);
    if (column) {
        const uint32_t other = column[k];
        column[k] = column[col], column[col] = other;
    }
    return isfinite(most) && most > 0 ? most : 0;
}

static void clear_below(uint32_t rows, uint32_t columns, double *a, uint32_t rights, double *b,
                        uint32_t k) {
    for (uint32_t i = k + 1; i < rows; i++) {
        const double factor = a[i * columns + k] / a[k * columns + k];
        if (factor == 0) continue;
        for (uint32_t j = k; j < columns; j++) a[i * columns + j] -= factor * a[k * columns + j];
        for (uint32_t j = 0; j < rights; j++) b[i * rights + j] -= factor * b[k * rights + j];
    }
}

pivot_sizes elimination_pivots(uint32_t rows, uint32_t columns, double *a) {
    pivot_sizes found = {0, 0, 1};
    for (uint32_t k = 0; k < rows && k < columns; k++) {
        found.smallest = bring_pivot(rows, columns, a, 0, NULL, NULL, k);
        found.largest = fmax(found.largest, found.smallest);
        found.product *= found.smallest;
        if (found.smallest == 0) break;
        clear_below(rows, columns, a, 0, NULL, k);
    }
    return found;
}

void elimination_solve(uint32_t n, double *a, uint32_t rights, double *b) {
    uint32_t *column = memory_array(uint32_t, n + 1), rank = 0;
    double *x = memory_zeros(double, (size_t)n *rights + 1), largest = 0;
    for (uint32_t i = 0; i < n; i++) column[i] = i;
    for (; rank < n; rank++) {
        const double size = bring_pivot(n, n, a, rights, b, column, rank);
        largest = fmax(largest, size);
        if (!(size > NEGLIGIBLE * largest)) break;
        clear_below(n, n, a, rights, b, rank);
    }
    for (uint32_t k = rank; k-- > 0;)
        for (uint32_t c = 0; c < rights; c++) {
            double sum = b[k * rights + c];
            for (uint32_t j = k + 1; j < rank; j++) sum -= a[k * n + j] * x[column[j] * rights + c];
            x[column[k] * rights + c] = sum / a[k * n + k];
        }
    for (uint32_t i = 0; i < n * rights; i++) b[i] = x[i];
    memory_free(column);
    memory_free(x);
}
