// The A-model's matrices (RS 2.15-2.20), for the forms that have them, and the transpositional
// relations (docs/mathematics.md, section 5). A form calls transposition_define() when it has W and
// E(L), and transposition_define_inertia() when its residuals are in place.
#ifndef HAMEL_DERIVE_TRANSPOSITION_H
#define HAMEL_DERIVE_TRANSPOSITION_H

#include "derive/manifold.h"
#include "equations/equations.h"

// The rows L[i], W[i,j] = dL_i/dq'_j, E[i,j] = E_j(L_i), det W, A[i,j] with A^T = W^-1 E(L) =
// `transposition`, all n x n, and set the transpositional relations
//   delta(dq_i/dt) - d/dt delta(q_i) = sum_j (W^-1 E(L))_ij delta(q_j)   (2.18).
// `tidy`: that matrix is in shortest form.
void transposition_define(equations *eq, const expr *row, const expr *w, const expr *e,
                          const expr *transposition, bool tidy);

// E_j(L_a) for constraints in explicit form, L_a = x'_a - alpha_a(q, y', t): n x n, row i that of
// the dependent velocity i, rows of the independent ones zero. With the supplementary rows y' it is
// W^-1 E(L), so it gives the transpositional relations (4.9), (4.18), (4.25).
const expr *transposition_explicit(const manifold *m);

// G[i,j] = d residual_j / dq''_i and det G (2.20): the motion is determined where det G is not
// zero (Corollary 2.3). RS prints dA/dx' there; the matrix of the accelerations needs dA/dx''.
// Call it when the residuals are in place.
void transposition_define_inertia(equations *eq);

#endif
