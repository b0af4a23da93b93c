// Linear equations solved one after the other, as far as each holds one unknown that is still open.
#ifndef HAMEL_EQUATIONS_ROWS_H
#define HAMEL_EQUATIONS_ROWS_H

#include "expr/expr.h"

// row_i = 0, affine in the unknowns (symbols), n by n. Forward substitution keeps what the rows share, where a matrix would multiply it out; rows that
// hang together are solved in normal form. False where that fails. out[i] is free of the unknowns.
bool solve_rows(pool *p, uint32_t n, const expr *row, const expr *unknown, expr *out);

#endif
