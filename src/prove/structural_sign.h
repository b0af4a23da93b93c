// Bounds for expressions that hold at every real state. Square roots and absolute values are taken
// apart with it, where no state need be asked.
#ifndef HAMEL_PROVE_STRUCTURAL_SIGN_H
#define HAMEL_PROVE_STRUCTURAL_SIGN_H

#include "expr/expr.h"

// > 0 (+1) or < 0 (-1) wherever e has a value and is not zero, from its structure alone (x^2 +
// y^2, 2 + sin(x), exp(x)); 0: unknown.
int structural_sign(pool *p, expr e);

#endif
