// Linear equations solved one after the other, each for the one unknown in it that is still open.
// The velocities of a chain of bodies are such equations; where they are not, the caller goes on
// with a matrix.
#ifndef HAMEL_EQUATIONS_ROWS_H
#define HAMEL_EQUATIONS_ROWS_H

#include "expr/expr.h"

// row_i = 0, affine in the unknowns (symbols), n by n; out[i] is free of them. Forward substitution
// keeps what the rows share, where a matrix would multiply it out. False where rows are coupled.
bool rows_solve(pool *p, uint32_t n, const expr *row, const expr *unknown, expr *out);

#endif
