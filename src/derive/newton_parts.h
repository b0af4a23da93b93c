// The terms of Newton's projected equations, sorted: sum_s C_rs q''_s + D_r
// + E_r + G_r (T18 (14)-(15)).
#ifndef HAMEL_DERIVE_NEWTON_PARTS_H
#define HAMEL_DERIVE_NEWTON_PARTS_H

#include "derive/manifold.h"

typedef struct {
    const expr *c;          // m x m
    const expr *d, *e, *g;  // m each
    const char *how_sorted; // in words
} newton_parts;

// `covector`: sum m X''.dX/dq_i + moments, n entries in (q, q', q'', t). Under constraints linear
// in the velocities D, E and G are the terms of degree 2, 1 and 0 in the independent velocities u.
// Nonlinear alpha has no degrees: there the terms go by what they come from, as in T18 (15): D is
// quadratic in u as it stands, G has no u outside alpha, E is the rest,
//   D_r = sum_i B_ir sum_st xi_sti u_s u_t,
//   E_r = sum_i B_ir (sum_s 2 (sum_nu xi_s,nu,i alpha_nu + eta_si) u_s
//   + sum_nu g_i,nu sum_s dalpha_nu/dq_s u_s),
//   G_r = sum_i B_ir (sum_nu,mu xi_nu,mu,i alpha_nu alpha_mu + 2 sum_nu eta_nu,i alpha_nu + zeta_i
//                     + sum_nu g_i,nu (sum_mu alpha_mu dalpha_nu/dq_mu + dalpha_nu/dt)),
// s, t over the independent and nu, mu over the dependent coordinates, B_ir = dq'_i/du_r.
newton_parts newton_parts_of(const manifold *m, const expr *covector);

#endif
