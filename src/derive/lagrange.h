// The defect of Newton's and Lagrange's equations, N_i = E_i(L) - Q_i, with Lagrange's derivative
// E_i(f) = d/dt df/dq'_i - df/dq_i (docs/mathematics.md, section 2.2). The free motion is N = 0;
// ideal constraints make N orthogonal to the virtual displacements. A formalism that starts from
// L takes N from here.
#ifndef HAMEL_DERIVE_LAGRANGE_H
#define HAMEL_DERIVE_LAGRANGE_H

#include "model/mechanics.h"

// E_i(f) = d/dt df/dq'_i - df/dq_i, all n of them, affine in q''.
void lagrange_derivatives(const mechanics *s, expr f, expr *out);

// out: n expressions in (q, q', q'', t), affine in q''. The free motion is N = 0.
void lagrange_defect(const mechanics *s, expr *out);

#endif
