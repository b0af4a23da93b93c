// Choice of pivots by numeric elimination with threshold pivoting, as in sparse LU: of the pivots
// that are large enough the simplest is taken.
#include "model/state.h"

#include <math.h>
#include <string.h>

// relative to the rows, which are scaled to 1: far above double rounding
static const double RANK_TOLERANCE = 1e-9;

typedef struct {
    uint32_t k, n;
    double *a; // k x n, rows scaled, reduced in place
    bool *row_used, *column_used;
    uint32_t *in_row, *in_column;
} elimination;

static double largest_left(const elimination *e) {
    double largest = 0;
    for (uint32_t i = 0; i < e->k; i++)
        for (uint32_t j = 0; j < e->n && !e->row_used[i]; j++)
            if (!e->column_used[j] && fabs(e->a[i * e->n + j]) > largest)
                largest = fabs(e->a[i * e->n + j]);
    return largest;
}

// Entries left in each row and column: (r - 1)*(c - 1) bounds what eliminating with a
// pivot there fills in (Markowitz).
static void count_entries(const elimination *e, uint32_t *in_row, uint32_t *in_column) {
    memset(in_row, 0, sizeof *in_row * e->k);
    memset(in_column, 0, sizeof *in_column * e->n);
    for (uint32_t i = 0; i < e->k; i++)
        for (uint32_t j = 0; j < e->n && !e->row_used[i]; j++)
            if (!e->column_used[j] && fabs(e->a[i * e->n + j]) > RANK_TOLERANCE)
                in_row[i]++, in_column[j]++;
}

static bool pick(const elimination *e, const double *cost, double threshold, uint32_t *row,
                 uint32_t *column) {
    const double largest = largest_left(e), least = threshold * largest;
    if (!(largest > RANK_TOLERANCE)) return false;
    if (!cost) count_entries(e, e->in_row, e->in_column);
    bool found = false;
    double best_cost = 0, best_size = 0;
    for (uint32_t i = 0; i < e->k; i++) {
        for (uint32_t j = 0; j < e->n && !e->row_used[i]; j++) {
            const double size = fabs(e->a[i * e->n + j]);
            const double c =
                cost ? cost[i * e->n + j] : (double)(e->in_row[i] - 1) * (e->in_column[j] - 1);
            if (e->column_used[j] || size < least || size <= RANK_TOLERANCE) continue;
            const bool better = !found || c < best_cost ||
                                (c == best_cost && size > best_size * (1 + 1e-9)) ||
                                (c == best_cost && size >= best_size * (1 - 1e-9) && j > *column);
            if (!better) continue;
            found = true;
            best_cost = c, best_size = size;
            *row = i, *column = j;
        }
    }
    return found;
}

static void eliminate(elimination *e, uint32_t row, uint32_t column) {
    e->row_used[row] = e->column_used[column] = true;
    const double pivot = e->a[row * e->n + column];
    for (uint32_t i = 0; i < e->k; i++) {
        const double factor = e->a[i * e->n + column] / pivot;
        if (e->row_used[i] || factor == 0) continue;
        for (uint32_t j = 0; j < e->n; j++) e->a[i * e->n + j] -= factor * e->a[row * e->n + j];
        e->a[i * e->n + column] = 0;
    }
}

static elimination elimination_of(uint32_t k, uint32_t n, const double *matrix, bool scaled) {
    elimination e = {k,
                     n,
                     memory_array(double, (size_t)k *n),
                     memory_zeros(bool, k),
                     memory_zeros(bool, n),
                     memory_array(uint32_t, k),
                     memory_array(uint32_t, n)};
    for (uint32_t i = 0; i < k; i++) {
        double norm = 0;
        for (uint32_t j = 0; j < n; j++) norm = fmax(norm, fabs(matrix[i * n + j]));
        if (!scaled && norm > 0) norm = 1;
        for (uint32_t j = 0; j < n; j++) e.a[i * n + j] = norm > 0 ? matrix[i * n + j] / norm : 0;
    }
    return e;
}

static void elimination_free(elimination *e) {
    memory_free(e->a);
    memory_free(e->row_used);
    memory_free(e->column_used);
    memory_free(e->in_row);
    memory_free(e->in_column);
}

uint32_t pivots_choose(uint32_t k, uint32_t n, const double *matrix, const double *cost,
                       double threshold, uint32_t *row, uint32_t *column) {
    if (!k || !n) return 0;
    elimination e = elimination_of(k, n, matrix, true);
    uint32_t rank = 0, r = 0, c = 0;
    while (rank < k && pick(&e, cost, threshold, &r, &c)) {
        row[rank] = r, column[rank++] = c;
        eliminate(&e, r, c);
    }
    elimination_free(&e);
    return rank;
}

double pivots_smallest(uint32_t k, uint32_t n, const double *matrix) {
    if (!k || !n) return INFINITY;
    for (uint32_t i = 0; i < k * n; i++)
        if (!isfinite(matrix[i])) return NAN;
    elimination e = elimination_of(k, n, matrix, false);
    uint32_t rank = 0, r = 0, c = 0;
    double size = 0;
    for (; rank < k && pick(&e, NULL, 1, &r, &c); rank++) {
        size = fabs(e.a[r * n + c]);
        eliminate(&e, r, c);
    }
    elimination_free(&e);
    return rank == k ? size : 0;
}
