// What the linear and the nonlinear Voronec equations share.
#ifndef HAMEL_DERIVE_VORONEC_H
#define HAMEL_DERIVE_VORONEC_H

#include "derive/manifold.h"
#include "normal/normal.h"

// value[i] = d/dt dT*/dq'_i - dT*/dq_i - sum_nu dT*/dq_{m+nu} dalpha_nu/dq'_i - F*_i
void voronec_common_part(const manifold *m, expr *value);
// Subtract sum_nu coefficient[i][nu] (dT/dq'_{m+nu})* and deliver.
void voronec_finish(equations *eq, const manifold *m, expr *value, const expr *coefficient);

// Linear or affine constraints: do all beta^nu_ir and beta^nu_i0 vanish identically? YES: they are
// integrable. UNKNOWN for large systems.
normal_truth voronec_beta_vanishes(const mechanics *system);

#endif
