// Matrices of expressions, for linear algebra at a state that is known exactly. Products and
// solutions drop entries that are zero (at random points of F_p), so that what is written of them
// is short. All of them lie in the arena.
#ifndef HAMEL_STUDY_GRID_H
#define HAMEL_STUDY_GRID_H

#include "model/state.h"

typedef struct {
    uint32_t rows, columns;
    expr *at; // row by row
} grid;

#define GRID(g, i, j) ((g).at[(size_t)(i) * (g).columns + (j)])

grid grid_create(const model *m, uint32_t rows, uint32_t columns);
grid grid_product(const model *m, grid a, grid b);
grid grid_transposed(const model *m, grid a);
grid grid_part(const model *m, grid a, uint32_t rows, const uint32_t *row, uint32_t columns,
               const uint32_t *column);
// A X = R with the pivots of an elimination in numbers at this state; false: A is singular there.
bool grid_solve(state *x, grid a, grid right, grid *out);
double *grid_values(state *x, grid a); // in the arena
// Entries that are zero for all values of their symbols become 0.
void grid_clear(pool *p, grid a);

#endif
