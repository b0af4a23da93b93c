// Small structural shortenings that polynomials do not see: taken before and after the search for
// the shortest form. Inside of the normal room.
#ifndef HAMEL_NORMAL_POLISH_H
#define HAMEL_NORMAL_POLISH_H

#include "expr/expr.h"

expr polish_tangents(pool *p, expr e); // sin(u)/cos(u) -> tan(u)
// m*r*(..)^2 + m*s -> m*(r*(..)^2 + s), in a sum or a factor of a product
expr polish_common_factors(pool *p, expr e);

#endif
