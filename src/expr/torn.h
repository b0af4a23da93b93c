// Affine equations solved with the sums that they share as further unknowns. The accelerations of a
// pendulum of N bodies have a full matrix, of N^2/2 entries; with the accelerations of the bodies
// and the forces between them as unknowns of their own each equation is short, and elimination from
// one end to the other takes some N operations (as with articulated bodies). Which
// sums these are is read off the expressions: whatever several of them have in common.
#ifndef HAMEL_EXPR_TORN_H
#define HAMEL_EXPR_TORN_H

#include "expr/expr.h"

// Solves f_i = 0, affine in as many unknowns (symbols); x_i is free of them. f_i is the derivative
// by x_i of an energy that grows with all of them, so that pivots in the order of the chain are
// positive; each must be of one sign and like size at all of the states (values by symbol index),
// or the answer is false. It is false, too, where an f is not affine in a way that shows.
bool torn_solve(pool *p, uint32_t count, const expr *f, const expr *unknown, uint32_t states,
                double *const *at, expr *x);

#endif
