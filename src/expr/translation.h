// Symbols that expressions hold in differences only, as the coordinates of bodies that a spring
// joins. Runs take the common part off such coordinates, so that bodies that go far together keep
// the digits of their distances.
#ifndef HAMEL_EXPR_TRANSLATION_H
#define HAMEL_EXPR_TRANSLATION_H

#include "expr/expr.h"

#include <flint/fmpz_mat.h>

// Directions v with e(x + c v) = e(x) for every expression and every number c, as far as the sums
// in them show it: rows of whole numbers, a basis in the first ones of `direction` (n x n). Their
// number. Symbols that are `fixed`, and those that do not occur, are in no direction.
uint32_t expr_translations(pool *p, uint32_t count, const expr *e, uint32_t n, const expr *symbol,
                           const bool *fixed, fmpz_mat_t direction);

#endif
