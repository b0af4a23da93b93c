// Coordinates that expressions are written with and do not depend on: the heading of a body on a
// plane, in its equations of motion. linear.c asks before the system is solved, so that no time is
// spent on what drops out.
#ifndef HAMEL_EQUATIONS_IGNORABLE_H
#define HAMEL_EQUATIONS_IGNORABLE_H

#include "expr/expr.h"

// Sets to 0 each of the coordinates on which none of the expressions depends. They are
// regular at the state `at` (by symbol index); `concrete` are the same expressions with
// values for everything that has none. Whether they depend is decided at random points of
// F_p, with a chance of an error below 2^-100.
void ignorable_drop(pool *p, uint32_t coordinates, const expr *coordinate, double *at,
                    uint32_t count, const expr *concrete, expr *e);

#endif
