// The defect of Newton's and Lagrange's equations, N_i = E_i(L) - Q_i, with Lagrange's derivative
// E_i(f) = d/dt df/dq'_i - df/dq_i (docs/mathematics.md, section 2.2). The free motion is N = 0;
// ideal constraints make N orthogonal to the virtual displacements. A formalism that starts from
// L takes N from here.
#ifndef HAMEL_DERIVE_DEFECT_H
#define HAMEL_DERIVE_DEFECT_H

#include "model/mechanics.h"

// E_i(f) = d/dt df/dq'_i - df/dq_i, all n of them, affine in q''.
void lagrange_derivatives(const mechanics *s, expr f, expr *out);

// out: n expressions in (q, q', q'', t), affine in q''. The free motion is N = 0.
void lagrange_defect(const mechanics *s, expr *out);

// The explicit rate df/dt of f(q, t): what is left of d/dt f where q' = 0. Time may also enter
// through a given function of time.
expr explicit_rate(const mechanics *s, expr f);

#endif
