// The defect of Newton's and Lagrange's equations, N_i = E_i(L) - Q_i.
#ifndef HAMEL_DERIVE_DEFECT_H
#define HAMEL_DERIVE_DEFECT_H

#include "model/mechanics.h"

// E_i(f) = d/dt df/dq'_i - df/dq_i, all n of them, affine in q''.
void lagrange_derivatives(const mechanics *system, expr f, expr *out);

// out: n expressions in (q, q', q'', t), affine in q''. The free motion is N = 0.
void lagrange_defect(const mechanics *system, expr *out);

#endif
