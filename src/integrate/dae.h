// The equations with multipliers as a differential-algebraic system F(t, y, y') = 0 with the
// constraints themselves in it, not their derivatives.
//
// y = (q, v, lambda, mu): with N_i of the equations of motion,
//   q' - v - sum_j mu_j dg_j/dq = 0,      N(q, v, v', t) - sum_nu lambda_nu a_nu = 0,
//   Phi(q, v, t) = 0,      g_j(q, t) = 0,
// a_nu = dPhi_nu/dq', g_j the geometric constraints, mu_j = 0 on the solution (Gear, Leimkuhler,
// Gupta 1985): the index is 2. A constraint of order 2 stands there as it is; the multipliers of
// order 3 are differential variables.
#ifndef HAMEL_INTEGRATE_DAE_H
#define HAMEL_INTEGRATE_DAE_H

#include "execute/field.h"
#include "execute/own_functions.h"

typedef struct {
    uint32_t size;
    bool *differential;     // which of the y have a derivative in F
    uint32_t *place;        // of each variable of the system's z among the y
    own_functions residual; // of (y, y'): size outputs
    own_functions jacobian; // of (y, y', c): dF/dy + c dF/dy', size x size, row by row
} dae;

// False if something has no value. The equations must be those of the form `multipliers`.
bool dae_init(dae *d, const simulation *sim);
void dae_clear(dae *d);

// y and y' at (t, z), satisfying F = 0 except that the derivatives of algebraic variables are left
// 0. False where something is not finite.
bool dae_start(const dae *d, field *f, double t, const double *z, double *y, double *dy);

#endif
