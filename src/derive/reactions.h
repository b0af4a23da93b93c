// Equations in all accelerations and the multipliers of the constraints.
#ifndef HAMEL_DERIVE_REACTIONS_H
#define HAMEL_DERIVE_REACTIONS_H

#include "equations/equations.h"

// value_i = sum_nu lambda_nu dPhi_nu/dq'_i for i = 1 .. n, together with d/dt Phi_nu = 0; unknowns
// (q'', lambda). value is affine in q''.
void deliver_with_multipliers(equations *eq, const expr *value);

#endif
