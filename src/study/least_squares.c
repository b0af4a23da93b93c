// Damped least squares by reflections.
#include "study/least_squares.h"

#include "base/memory.h"

#include <math.h>

typedef struct {
    uint32_t rows, columns;
    long double *a; // rows x (columns + 1), the last column is the right-hand side
} work;

static long double *at(const work *w, uint32_t i, uint32_t j) {
    return w->a + (size_t)i * (w->columns + 1) + j;
}

// Column c below row c becomes 0: v = x - alpha e, a <- a - 2 v (v.a)/(v.v)
static void reflect(const work *w, uint32_t c) {
    long double size = 0, along, sum;
    for (uint32_t i = c; i < w->rows; i++) size += *at(w, i, c) * *at(w, i, c);
    const long double alpha = *at(w, c, c) > 0 ? -sqrtl(size) : sqrtl(size);
    if (!(size > 0)) return;
    const long double first = *at(w, c, c) - alpha;
    sum = size - *at(w, c, c) * *at(w, c, c) + first * first;
    for (uint32_t j = c + 1; j <= w->columns; j++) {
        along = first * *at(w, c, j);
        for (uint32_t i = c + 1; i < w->rows; i++) along += *at(w, i, c) * *at(w, i, j);
        along *= 2 / sum;
        *at(w, c, j) -= along * first;
        for (uint32_t i = c + 1; i < w->rows; i++) *at(w, i, j) -= along * *at(w, i, c);
    }
    *at(w, c, c) = alpha;
    for (uint32_t i = c + 1; i < w->rows; i++) *at(w, i, c) = 0;
}

void least_squares_step(uint32_t rows, uint32_t columns, const double *j, const double *f,
                        double damping, double *d) {
    work w = {.rows = rows + columns, .columns = columns};
    w.a = memory_zeros(long double, (size_t)w.rows *(columns + 1) + 1);
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t k = 0; k < columns; k++) *at(&w, i, k) = j[(size_t)i * columns + k];
        *at(&w, i, columns) = -f[i];
    }
    for (uint32_t k = 0; k < columns; k++) *at(&w, rows + k, k) = sqrtl(damping);
    for (uint32_t c = 0; c < columns; c++) reflect(&w, c);
    for (uint32_t c = columns; c-- > 0;) {
        long double x = *at(&w, c, columns);
        for (uint32_t k = c + 1; k < columns; k++) x -= *at(&w, c, k) * d[k];
        const long double pivot = *at(&w, c, c);
        d[c] = pivot != 0 ? (double)(x / pivot) : 0;
    }
    memory_free(w.a);
}
