// Equations of which each brings one unknown more, solved by substitution: the constraints of a
// chain of links, for one. Where f_i = a x_i + b, with b made of the unknowns before it, x_i = -b/a
// takes the place of x_i in all that follows. What the equations share stays shared: a chain of N
// links takes some N nodes, where the matrix of its slopes has N^2/2 entries.
#ifndef HAMEL_EXPR_TRIANGULAR_H
#define HAMEL_EXPR_TRIANGULAR_H

#include "expr/expr.h"

typedef struct { // in heap memory: triangular_free()
    uint32_t count;
    uint32_t *row, *column; // in the order of solution: which equation, which unknown
    expr *solution;         // of each unknown, free of all of them
    expr *slope;            // of each unknown: the a that was divided by
} triangular;

// Solves f_i = 0 for as many unknowns, which are symbols. False where they have no such order, or
// an equation is not affine in the unknown it brings; then there is nothing to free. It is up to
// the caller to see that no slope vanishes.
bool triangular_solve(pool *p, uint32_t count, const expr *f, const expr *unknown, triangular *out);
void triangular_free(triangular *t);

#endif
