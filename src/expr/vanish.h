// Which expressions are 0, whatever their symbols are.
#ifndef HAMEL_EXPR_VANISH_H
#define HAMEL_EXPR_VANISH_H

#include "expr/expr.h"

// Are all of them 0 at random points of F_p? The chance that something else is taken for 0 is below 2^-100. False, too,
// where they have no image there.
bool all_vanish(pool *p, uint32_t count, const expr *e);

#endif
