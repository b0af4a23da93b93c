// The equations as a linear system for their unknowns, matrix * unknown = right, and what it is
// like at the state under study. The right-hand side stands behind the n * n entries of the
// matrix; what is returned is in the arena. ode.c makes one, and solves it by whichever of the two
// calls below is cheaper, or leaves it to be solved in numbers.
#ifndef HAMEL_EQUATIONS_LINEAR_H
#define HAMEL_EQUATIONS_LINEAR_H

#include "equations/equations.h"

// residual = matrix * unknown - right, without the coordinates that drop out
expr *linear_system(const equations *eq);
// q' in (q, eta, t), each without the coordinates that drop out of it: the heading of a body on a
// plane drops out of most of them, and what is left is what accelerations are made of, too
const expr *linear_velocities(const equations *eq);
enum { MOST_BY_COFACTORS = 3 };
// matrix * x = right, n <= MOST_BY_COFACTORS, by Cramer's rule: x = adj(matrix) right /
// det(matrix). One division, that waits for no other one.
const expr *linear_solve_by_cofactors(pool *p, uint32_t n, const expr *matrix, const expr *right);
// By elimination on the DAG, with the pivots that are good at the state; the right-hand side stands
// behind the n * n entries. NULL: the matrix is singular, at states around it too.
const expr *linear_solve_on_dag(const equations *eq, uint32_t n, bool symmetric,
                                const expr *matrix);

// HAMEL_MODEL, after saying that nothing determines the accelerations
hamel_status linear_refuse_singular(const equations *eq);

// Sets to 0 the coordinates that the expressions are written with and do not depend on
void linear_without_ignorable(const equations *eq, uint32_t count, expr *e);
// Is a symmetric matrix positive definite at the state?
bool linear_is_definite(const equations *eq, uint32_t n, const expr *matrix);

// The unknowns of many bodies without constraints, with what their equations share as further
// unknowns (expr/torn.h); it is seen to hold at random points of F_p. NULL where that cannot be
// done, or takes more operations than `most`.
const expr *linear_solve_torn(const equations *eq, double most);

#endif
