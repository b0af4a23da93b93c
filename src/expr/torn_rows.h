// Sparse rows of affine equations, sum_j entry_j x_j + rest = 0, as many as there are unknowns,
// with symbolic entries and their values at a few states. Fill them entry by entry, split what is
// long, eliminate, ask for solutions, free. torn.c makes them of expressions.
#ifndef HAMEL_EXPR_TORN_ROWS_H
#define HAMEL_EXPR_TORN_ROWS_H

#include "expr/expr.h"

typedef struct torn_rows torn_rows;

torn_rows *torn_rows_create(pool *p, uint32_t count);
void torn_rows_free(torn_rows *r);
void torn_rows_add(torn_rows *r, uint32_t row, uint32_t unknown, expr entry);
void torn_rows_add_rest(torn_rows *r, uint32_t row, expr rest);
// A row from `first` on that has all terms of another and one more becomes that other row's unknown
// and one term: sums of one, two, three .. terms become a chain.
void torn_rows_split(torn_rows *r, uint32_t first);
// Equations and unknowns come first, sums and their definitions behind them. False where a pivot
// does not keep its sign and size at these states.
bool torn_rows_eliminate(torn_rows *r, uint32_t equations, uint32_t states, double *const *at);
expr torn_rows_solution(const torn_rows *r, uint32_t unknown);

#endif
