// Choice of pivots by numeric elimination with threshold pivoting, as in sparse LU: of the pivots
// that are large enough the simplest is taken.
#include "model/state.h"

#include <math.h>
#include <string.h>

// relative to the rows, which are scaled to 1: far above double rounding
static const double RANK_TOLERANCE = 1e-9;

// A row knows where it may be other than 0, in order; everything below goes through these lists, so
// that matrices with few entries take little time.
typedef struct {
    uint32_t k, n;
    double *a; // k x n, rows scaled, reduced in place
    bool *row_used, *column_used;
    uint32_t *filled; // k x n: columns of the entries of each row
    uint32_t *length; // of each row: how many
    uint32_t *in_row, *in_column;
} elimination;

static double largest_left(const elimination *e) {
    double largest = 0;
    for (uint32_t i = 0; i < e->k; i++) {
        const double *a = e->a + (size_t)i * e->n;
        const uint32_t *filled = e->filled + (size_t)i * e->n;
        for (uint32_t l = 0; l < e->length[i] && !e->row_used[i]; l++)
            if (!e->column_used[filled[l]] && fabs(a[filled[l]]) > largest)
                largest = fabs(a[filled[l]]);
    }
    return largest;
}

// Entries left in each row and column: (r - 1)*(c - 1) bounds what eliminating with a
// pivot there fills in (Markowitz).
static void count_entries(const elimination *e, uint32_t *in_row, uint32_t *in_column) {
    memset(in_row, 0, sizeof *in_row * e->k);
    memset(in_column, 0, sizeof *in_column * e->n);
    for (uint32_t i = 0; i < e->k; i++) {
        const double *a = e->a + (size_t)i * e->n;
        const uint32_t *filled = e->filled + (size_t)i * e->n;
        for (uint32_t l = 0; l < e->length[i] && !e->row_used[i]; l++)
            if (!e->column_used[filled[l]] && fabs(a[filled[l]]) > RANK_TOLERANCE)
                in_row[i]++, in_column[filled[l]]++;
    }
}

static bool pick(const elimination *e, const double *cost, double threshold, uint32_t *row,
                 uint32_t *column) {
    const double largest = largest_left(e), least = threshold * largest;
    if (!(largest > RANK_TOLERANCE)) return false;
    if (!cost) count_entries(e, e->in_row, e->in_column);
    bool found = false;
    double best_cost = 0, best_size = 0;
    for (uint32_t i = 0; i < e->k; i++) {
        budget_check_work(1 + e->length[i] / BUDGET_STEPS);
        for (uint32_t l = 0; l < e->length[i] && !e->row_used[i]; l++) {
            const uint32_t j = e->filled[(size_t)i * e->n + l];
            const double size = fabs(e->a[(size_t)i * e->n + j]);
            if (e->column_used[j] || size < least || size <= RANK_TOLERANCE) continue;
            const double c = cost ? cost[(size_t)i * e->n + j]
                                  : (double)(e->in_row[i] - 1) * (e->in_column[j] - 1);
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

// The columns of one row into those of another, both in order
static void fill_in(elimination *e, uint32_t row, uint32_t i, uint32_t *merged) {
    const uint32_t *from = e->filled + (size_t)row * e->n;
    uint32_t *to = e->filled + (size_t)i * e->n, l = 0, r = 0, count = 0;
    while (l < e->length[i] || r < e->length[row]) {
        const uint32_t mine = l < e->length[i] ? to[l] : UINT32_MAX,
                       new = r < e->length[row] ? from[r] : UINT32_MAX;
        l += mine <= new, r += new <= mine;
        merged[count++] = mine < new ? mine : new;
    }
    memcpy(to, merged, sizeof(uint32_t) * count);
    e->length[i] = count;
}

static void eliminate(elimination *e, uint32_t row, uint32_t column) {
    e->row_used[row] = e->column_used[column] = true;
    const double *b = e->a + (size_t)row * e->n, pivot = b[column];
    const uint32_t *filled = e->filled + (size_t)row * e->n;
    uint32_t *merged = memory_array(uint32_t, e->n);
    for (uint32_t i = 0; i < e->k; i++) {
        double *a = e->a + (size_t)i * e->n;
        const double factor = a[column] / pivot;
        if (e->row_used[i] || factor == 0) continue;
        for (uint32_t l = 0; l < e->length[row]; l++) a[filled[l]] -= factor * b[filled[l]];
        a[column] = 0;
        fill_in(e, row, i, merged);
    }
    memory_free(merged);
}

static elimination elimination_of(uint32_t k, uint32_t n, const double *matrix, bool scaled) {
    elimination e = {.k = k,
                     .n = n,
                     .a = memory_array(double, (size_t)k *n),
                     .row_used = memory_zeros(bool, k),
                     .column_used = memory_zeros(bool, n),
                     .filled = memory_array(uint32_t, (size_t)k * n),
                     .length = memory_zeros(uint32_t, k),
                     .in_row = memory_array(uint32_t, k),
                     .in_column = memory_array(uint32_t, n)};
    for (uint32_t i = 0; i < k; i++) {
        const size_t first = (size_t)i * n;
        double norm = 0;
        for (uint32_t j = 0; j < n; j++) norm = fmax(norm, fabs(matrix[first + j]));
        if (!scaled && norm > 0) norm = 1;
        for (uint32_t j = 0; j < n; j++) {
            e.a[first + j] = norm > 0 ? matrix[first + j] / norm : 0;
            if (e.a[first + j] != 0) e.filled[first + e.length[i]++] = j;
        }
    }
    return e;
}

static void elimination_free(elimination *e) {
    memory_free(e->a);
    memory_free(e->row_used);
    memory_free(e->column_used);
    memory_free(e->filled);
    memory_free(e->length);
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
