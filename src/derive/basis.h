// The kinematics every projection method shares: q' = V(q, eta, t), q'' affine in eta', and the
// basis B = dq'/d eta of the virtual displacements (docs/mathematics.md, section 2.5). Forms use it
// through a `manifold`; those who only need velocities call basis_create().
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

velocity_basis basis_create(const mechanics *s);

// All n velocity forms in (q, q', t): Psi_1 .. Psi_m, which are eta, then Phi_1 .. Phi_k, which
// are 0.
expr basis_form(const mechanics *s, uint32_t rho);

// Do (q, eta, t) determine the velocities with no choice of a branch? They do where the
// equations for them are affine in them.
bool basis_is_unique(const mechanics *s);

// Solve [dPsi/dq'; dPhi/dq'] x = r (n x count, in (q, q', t)) by elimination on the DAG.
void basis_solve(const mechanics *s, uint32_t count, const expr *r, expr *x);

#endif
