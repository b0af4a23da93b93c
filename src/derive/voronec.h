// Are linear or affine constraints integrable? Voronec's coefficients beta tell: they all vanish
// exactly where the constraints are (docs/mathematics.md, section 3.11).
#ifndef HAMEL_DERIVE_VORONEC_H
#define HAMEL_DERIVE_VORONEC_H

#include "model/mechanics.h"
#include "normal/normal.h"

// Do all beta^nu_ir and beta^nu_i0 vanish identically? UNKNOWN for large systems and for
// constraints that are not linear.
normal_truth voronec_beta_vanishes(const mechanics *s);

#endif
