// The last step of a formalism: its residuals become an `equations` object. A form that eliminates
// the dependent velocities delivers m residuals in eta' (deliver_projected); one that keeps all
// accelerations delivers n in q'' (deliver_accelerations), with multipliers among the unknowns or
// not. Where they are not, they follow afterwards from deliver_recovery().
#ifndef HAMEL_DERIVE_DELIVER_H
#define HAMEL_DERIVE_DELIVER_H

#include "derive/manifold.h"
#include "equations/equations.h"

// m residuals in (q, eta, t; eta') = 0, and the multipliers recovered afterwards
void deliver_projected(equations *eq, const manifold *m, const expr *value);

// n residuals in (q, q', t; q'') = 0
void deliver_accelerations(equations *eq, const expr *value);

// value_i = sum_nu lambda_nu dPhi_nu/dq'_i for i = 1 .. n, together with d/dt Phi_nu = 0; unknowns
// (q'', lambda). value is affine in q''.
void deliver_with_multipliers(equations *eq, const expr *value);

// N_i = R_i, the reaction, for the dependent i (with constraints of order 2: for the carriers): a
// regular system for the multipliers, once q'' is known. `s` says which velocities are dependent.
const expr *deliver_recovery(const equations *eq, const mechanics *s);

#endif
