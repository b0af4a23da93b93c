// Functions on the constraint manifold, in coordinates (q, eta, t): the star calculus that
// most formalisms are written in (docs/mathematics.md, section 2.5).
//
// f* = f(q, V(q, eta, t), t). Where V has no closed form the q' stay symbols and the derivatives of
// f* come from the chain rule with dV/d eta and dV/dq of the implicit function theorem, so that no
// formalism needs to know which case it is in.
#ifndef HAMEL_DERIVE_MANIFOLD_H
#define HAMEL_DERIVE_MANIFOLD_H

#include "derive/basis.h"

typedef struct {
    const mechanics *system;
    velocity_basis v;
    // T; the Lagrangian where the potential depends on velocities or only L was stated
    expr kinetic;
    const expr *force; // n: F_i, such that the free motion is E_i(T) = F_i
} manifold;

manifold manifold_create(const mechanics *s);

expr manifold_star(const manifold *m, expr f); // f*
expr manifold_rate(const manifold *m, expr f); // d/dt f along the motion, affine in eta'
void manifold_eta_gradient(const manifold *m, expr f, expr *out); // m: df*/d eta_s
void manifold_q_gradient(const manifold *m, expr f, expr *out);   // n: df*/dq_j at fixed eta
void manifold_velocity_jacobian(const manifold *m, expr *out);    // n x n: dV_i/dq_j at fixed eta

expr manifold_basis(const manifold *m, uint32_t i, uint32_t s);           // B_is
expr manifold_along(const manifold *m, const expr *covector, uint32_t s); // sum_i c_i B_is
// m: (sum_i c_i B_is)*, what a force c does along the quasi-velocities
void manifold_project(const manifold *m, const expr *covector, expr *out);
void manifold_force(const manifold *m, expr *out); // m: F*_s = sum_i F_i B_is
// The same for forms whose inertia comes from points and bodies, never from L: a potential
// that depends on velocities then acts by its Lagrange derivative, F_i = Q_i + d/dt
// dU/dq'_i - dU/dq_i, which may hold eta'.
void manifold_particle_force(const manifold *m, expr *out);

#endif
