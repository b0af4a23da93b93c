// Symmetries that leave a state where it is.
//
// The speeds zeta with sum_a zeta_a X_a(q) = 0 and sum_a zeta_a A_a q' = 0 are the isotropy of the
// state (q, q'). Added to the speeds of a steady motion they change neither q' = sum_a xi_a X_a nor
// q'' = sum_a xi_a A_a q', so that the equations cannot tell them: at the centre of a central force
// any rotation speed will do. The shortest speeds are taken, zeta . xi = 0 for all zeta. The states
// with this isotropy are an affine space, since each X_a is affine: its equations help to find the
// motion where Newton's method would crawl towards it.
#include "study/steady_problem.h"

#include <math.h>

enum { LARGEST_DENOMINATOR = 60 };

// Columns (X_a(q), A_a q') of a 2n x g matrix, each divided by the largest number of A_a and b_a
static bool load(const steady_problem *w, state *x, double *v, double *scale) {
    const uint32_t n = w->s->n, g = w->group->count, height = 2 * n;
    expr *e = arena_array(w->arena, expr, height);
    bool finite = true;
    for (uint32_t a = 0; a < g; a++) {
        const symmetry *y = &w->group->at[a];
        for (uint32_t i = 0; i < n; i++) {
            e[i] = y->field[i];
            e[n + i] = expr_dot(w->p, n, y->matrix + i * n, w->s->qd);
        }
        const double *value = state_doubles(x, height, e);
        for (uint32_t i = 0; i < height; i++) {
            v[i * g + a] = value[i];
            finite = finite && isfinite(value[i]);
        }
        scale[a] = 0;
        const double *shift = state_doubles(x, n, y->shift);
        for (uint32_t i = 0; i < n; i++) scale[a] = fmax(scale[a], fabs(shift[i]));
        const double *matrix = state_doubles(x, n * n, y->matrix);
        for (uint32_t i = 0; i < n * n; i++) scale[a] = fmax(scale[a], fabs(matrix[i]));
        if (!(scale[a] > 0)) scale[a] = 1;
        for (uint32_t i = 0; i < height; i++) v[i * g + a] /= scale[a];
    }
    return finite;
}

// Gauss and Jordan with full pivoting, entries below the tolerance taken as 0. Afterwards the
// column of each pivot is a unit vector; pivot[a]: its row, or `rows` for a column that is free.
static uint32_t eliminate(uint32_t rows, uint32_t columns, double tolerance, double *v,
                          uint32_t *pivot) {
    bool *used = memory_zeros(bool, rows + 1);
    uint32_t rank = 0;
    for (uint32_t a = 0; a < columns; a++) pivot[a] = rows;
    for (; rank < columns; rank++) {
        uint32_t row = rows, column = 0;
        double largest = tolerance;
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t a = 0; a < columns; a++)
                if (!used[i] && pivot[a] == rows && fabs(v[i * columns + a]) > largest)
                    row = i, column = a, largest = fabs(v[i * columns + a]);
        if (row == rows) break;
        used[row] = true, pivot[column] = row;
        const double divisor = v[row * columns + column];
        for (uint32_t a = 0; a < columns; a++) v[row * columns + a] /= divisor;
        for (uint32_t i = 0; i < rows; i++) {
            const double factor = v[i * columns + column];
            for (uint32_t a = 0; a < columns && i != row; a++)
                v[i * columns + a] -= factor * v[row * columns + a];
        }
    }
    memory_free(used);
    return rank;
}

// A fraction with a small denominator where one is as near as that, else the double itself
static expr number_near(pool *p, double v, double tolerance) {
    for (int denominator = 1; denominator <= LARGEST_DENOMINATOR; denominator++) {
        const double numerator = round(v * denominator);
        if (fabs(numerator) < 1e6 && fabs(v - numerator / denominator) <= tolerance)
            return expr_rational(p, (int64_t)numerator, denominator);
    }
    return expr_exact(p, v);
}

// Speeds on which the zeta, rows of a matrix, are regular
static void choose_units(const steady_problem *w, const double *zeta, steady_isotropy *out) {
    const uint32_t g = w->group->count, count = out->count;
    double *cost = memory_array(double, (size_t)count *g + 1);
    uint32_t *row = memory_array(uint32_t, 2 * (count + g)), *column = row + count + g;
    for (uint32_t i = 0; i < count * g; i++) cost[i] = w->group->at[i % g].is_shift;
    const uint32_t rank = pivots_choose(count, g, zeta, cost, 1e-6, row, column);
    for (uint32_t i = 0; i < rank; i++) out->unit[i] = w->speed[column[i]];
    memory_free(cost), memory_free(row);
}

bool steady_isotropy_find(const steady_problem *w, state *x, double tolerance,
                          steady_isotropy *out) {
    const uint32_t n = w->s->n, g = w->group->count, height = 2 * n;
    *out = (steady_isotropy){0};
    if (!g) return false;
    double *v = memory_zeros(double, (size_t)height *g), *scale = memory_zeros(double, g);
    uint32_t *pivot = memory_array(uint32_t, g);
    if (load(w, x, v, scale)) out->count = g - eliminate(height, g, tolerance, v, pivot);
    out->shortest = arena_array(w->arena, expr, out->count + 1);
    out->unit = arena_array(w->arena, expr, out->count + 1);
    double *zetas = memory_zeros(double, (size_t)out->count *g + 1);
    out->fixed = arena_array(w->arena, expr, out->count * height + 1);
    uint32_t next = 0;
    for (uint32_t a = 0; a < g && out->count; a++) {
        if (pivot[a] != height) continue;
        double *row = zetas + (size_t)next * g;
        expr *fixed = out->fixed + next * height, *shortest = out->shortest + next++;
        for (uint32_t b = 0; b < g; b++) {
            const double zeta = b == a               ? 1
                                : pivot[b] == height ? 0
                                                     : -v[pivot[b] * g + a] * scale[a] / scale[b];
            const expr part = number_near(w->p, zeta, 100 * tolerance);
            row[b] = zeta;
            const symmetry *y = &w->group->at[b];
            *shortest = expr_add_product(w->p, *shortest, part, w->speed[b]);
            for (uint32_t i = 0; i < n; i++) {
                fixed[i] = expr_add_product(w->p, fixed[i], part, y->field[i]);
                fixed[n + i] = expr_add_product(w->p, fixed[n + i], part,
                                                expr_dot(w->p, n, y->matrix + i * n, w->s->qd));
            }
        }
    }
    choose_units(w, zetas, out);
    memory_free(v), memory_free(scale), memory_free(pivot), memory_free(zetas);
    return out->count > 0;
}
