// Small linear systems by Cramer's rule. ode.c takes this way for systems of up to three unknowns,
// where it costs fewer operations than elimination and no pivot can vanish by itself.
#ifndef HAMEL_EQUATIONS_COFACTORS_H
#define HAMEL_EQUATIONS_COFACTORS_H

#include "expr/expr.h"

enum { MOST_BY_COFACTORS = 3 };

// matrix * x = right, n <= MOST_BY_COFACTORS: x = adj(matrix) right / det(matrix). One
// division, that waits for no other one.
const expr *cofactors_solve(pool *p, uint32_t n, const expr *matrix, const expr *right);

#endif
