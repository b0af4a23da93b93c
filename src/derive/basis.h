// The kinematics every projection method shares: q' = V(q, eta, t), q'' affine in eta', and the
// basis B = dq'/d eta of the virtual displacements (MATH.md section 1).
#ifndef HAMEL_DERIVE_BASIS_H
#define HAMEL_DERIVE_BASIS_H

#include "model/mechanics.h"

typedef struct {
    // V was found in closed form; otherwise `velocity` holds the symbols q' themselves
    bool explicit_velocities;
    const expr *velocity;     // n
    const expr *acceleration; // n, affine in eta'
    const expr *column;       // n x m: B
    const expr *eta_rate;     // m symbols eta'
} velocity_basis;

velocity_basis basis_create(const mechanics *system);

// Do (q, eta, t) determine the velocities with no choice of a branch? They do where the
// equations for them are affine in them.
bool basis_is_unique(const mechanics *system);

// Solve [dPsi/dq'; dPhi/dq'] x = r (n x count, in (q, q', t)) by elimination on the DAG.
void basis_solve(const mechanics *system, uint32_t count, const expr *r, expr *x);

#endif
