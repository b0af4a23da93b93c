// Functions on the constraint manifold, in coordinates (q, eta, t): the star calculus that
// most formalisms are written in.
//
// f* = f(q, V(q, eta, t), t). Where V has no closed form the q' stay symbols and the derivatives of
// f* come from the chain rule with dV/d eta and dV/dq of the implicit function theorem, so that no
// formalism needs to know which case it is in.
#ifndef HAMEL_DERIVE_MANIFOLD_H
#define HAMEL_DERIVE_MANIFOLD_H

#include "derive/basis.h"
#include "equations/equations.h"

typedef struct {
    const mechanics *system;
    velocity_basis v;
    // T; the Lagrangian where the potential depends on velocities or only L was stated
    expr kinetic;
    const expr *force; // n: F_i, such that the free motion is E_i(T) = F_i
} manifold;

manifold manifold_create(const mechanics *system);

expr on_manifold(const manifold *m, expr f); // f*
// d/dt f along the motion, affine in eta'
expr rate_on_manifold(const manifold *m, expr f);
void eta_gradient(const manifold *m, expr f, expr *out); // m: df*/d eta_s
void q_gradient(const manifold *m, expr f, expr *out);   // n: df*/dq_j at fixed eta
void velocity_q_jacobian(const manifold *m, expr *out);  // n x n: dV_i/dq_j at fixed eta
// m: sum_i c_i B_is, on the manifold
void project(const manifold *m, const expr *covector, expr *out);
void project_force(const manifold *m, expr *out); // m: F*_s
// The same for forms whose inertia comes from points and bodies, never from L: a potential
// that depends on velocities then acts by its Lagrange derivative, F_i = Q_i + d/dt
// dU/dq'_i - dU/dq_i, which may hold eta'.
void project_particle_force(const manifold *m, expr *out);
expr basis_entry(const manifold *m, uint32_t i, uint32_t s); // B_is

// The full frame eta = (Psi, Phi): C = [dPsi/dq'; dPhi/dq']^-1 = dq'/d eta, n x n in (q,
// q', t); its first m columns are B.
void frame_inverse(const mechanics *system, expr *out);

// Equations in eta' with residuals residual[0..m), and multipliers recovered from the
// dependent rows of N = sum lambda dPhi/dq'.
void deliver_projected(equations *eq, const manifold *m, const expr *residual);

// N_i = sum_nu lambda_nu dPhi_nu/dq'_i for the dependent i (with constraints of order 2: for the
// carriers): a regular system for the multipliers, once q'' is known.
const expr *multiplier_recovery(const mechanics *system);

#endif
