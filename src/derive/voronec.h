// Are linear or affine constraints integrable? Voronec's coefficients beta tell: they all vanish
// exactly where the constraints are (docs/mathematics.md, section 3.11).
#ifndef HAMEL_DERIVE_VORONEC_H
#define HAMEL_DERIVE_VORONEC_H

#include "derive/manifold.h"
#include "normal/normal.h"

// d/dt dT*/dq'_i - dT*/dq_i - sum_nu dT*/dq_{m+nu} dalpha_nu/dq'_i - F*_i, i = 1 .. m: what both of
// Voronec's forms share, and all there is where the constraints are integrable
void voronec_common_part(const manifold *m, expr *value);

// Do all beta^nu_ir and beta^nu_i0 vanish identically? UNKNOWN for large systems and for
// constraints that are not linear.
normal_truth voronec_beta_vanishes(const mechanics *s);

#endif
