// Rebuilding an expression from the bottom up with a change at some nodes.
// Inside of the normal room.
#ifndef HAMEL_NORMAL_WALK_H
#define HAMEL_NORMAL_WALK_H

#include "expr/expr.h"

// `now` is the node `old` over its changed operands; returns what is to stand in its place. Nodes
// whose operands did not change stay the nodes they are.
typedef expr node_change(pool *p, expr old, expr now, void *data);
expr walk_rebuild(pool *p, expr e, node_change *change, void *data);

// polish.c: small structural shortenings that polynomials do not see.
expr polish_tangents(pool *p, expr e); // sin(u)/cos(u) -> tan(u)
// m*r*(..)^2 + m*s -> m*(r*(..)^2 + s), in a sum or a factor of a product
expr polish_common_factors(pool *p, expr e);

#endif
