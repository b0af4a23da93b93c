// Velocities and accelerations that the constraints leave, from one elimination: the same factors
// give dq'/d eta, q' itself and the part of q'' that does not come from eta'. Differentiating a
// solution for q' would cost twice as much. assembly.c writes equations of motion with all three.
//
//   Phi(q, q', t) = 0, Psi(q, q', t) = eta, both affine in q', A = d(Psi, Phi)/dq':
//   A slope = (1, 0),   q' = slope * eta + rest,   A bias = -d(Psi, Phi)/dt at q'' = 0
//   q'' = slope * eta' + bias
#ifndef HAMEL_EQUATIONS_KINEMATICS_H
#define HAMEL_EQUATIONS_KINEMATICS_H

#include "equations/equations.h"

typedef struct {
    expr *slope;    // n x m, in (q, t)
    expr *velocity; // n: q' in (q, eta, t)
    expr *bias;     // n: in (q, q', t)
} kinematics;

// False where a constraint or a quasi-velocity is not affine in q'.
bool kinematics_create(const mechanics *s, kinematics *out);

#endif
