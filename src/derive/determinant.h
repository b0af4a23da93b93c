// Determinants with symbolic entries: det W and det G of the A-model, and the minors that tell
// where brackets fill the space. Exact and without divisions, for small matrices.
#ifndef HAMEL_DERIVE_DETERMINANT_H
#define HAMEL_DERIVE_DETERMINANT_H

#include "expr/expr.h"

enum { MOST_DETERMINANT = 10 };

// By Laplace's expansion with shared minors: exact, without divisions, for n up to
// MOST_DETERMINANT; EXPR_NONE beyond.
expr determinant(pool *p, uint32_t n, const expr *entry);

#endif
