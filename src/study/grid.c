// Matrices of expressions.
#include "study/grid.h"

#include "expr/matrix.h"
#include "expr/vanish.h"

grid grid_create(const model *m, uint32_t rows, uint32_t columns) {
    return (grid){rows, columns, arena_array(&m->ctx->arena, expr, (size_t)rows * columns + 1)};
}

void grid_clear(pool *p, grid a) { expr_clear_vanishing(p, a.rows * a.columns, a.at); }

grid grid_product(const model *m, grid a, grid b) {
    grid out = grid_create(m, a.rows, b.columns);
    for (uint32_t i = 0; i < a.rows; i++)
        for (uint32_t j = 0; j < b.columns; j++) {
            expr sum = EXPR_ZERO;
            for (uint32_t k = 0; k < a.columns; k++)
                sum = expr_add_product(m->pool, sum, GRID(a, i, k), GRID(b, k, j));
            GRID(out, i, j) = sum;
        }
    grid_clear(m->pool, out);
    return out;
}

grid grid_transposed(const model *m, grid a) {
    grid out = grid_create(m, a.columns, a.rows);
    for (uint32_t i = 0; i < a.rows; i++)
        for (uint32_t j = 0; j < a.columns; j++) GRID(out, j, i) = GRID(a, i, j);
    return out;
}

grid grid_part(const model *m, grid a, uint32_t rows, const uint32_t *row, uint32_t columns,
               const uint32_t *column) {
    grid out = grid_create(m, rows, columns);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) GRID(out, i, j) = GRID(a, row[i], column[j]);
    return out;
}

double *grid_values(state *x, grid a) {
    state_reserve(x);
    return state_doubles(x, a.rows * a.columns, a.at);
}

bool grid_solve(state *x, grid a, grid right, grid *out) {
    const model *m = x->model;
    const uint32_t n = a.rows;
    *out = grid_create(m, n, right.columns);
    if (!n || !right.columns) return true;
    uint32_t *row = arena_array(&m->ctx->arena, uint32_t, 2 * n + 1),
             *column = arena_array(&m->ctx->arena, uint32_t, 2 * n + 1);
    if (pivots_choose(n, n, grid_values(x, a), NULL, 1, row, column) < n) return false;
    matrix_solve(m->pool, n, a.at, right.columns, right.at, row, column, out->at);
    grid_clear(m->pool, *out);
    return true;
}
