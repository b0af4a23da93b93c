// Refutation: a real admissible state at which a residual certainly is not zero.
#ifndef HAMEL_PROVE_WITNESS_H
#define HAMEL_PROVE_WITNESS_H

#include "equations/evaluate.h"
#include "prove/prove.h"

// Look for a state where one of the expressions (in q, q', q'', lambda, t) is nonzero along the motion of eq. True: v is filled as refuted.
bool witness_against(const equations *eq, uint32_t count, const expr *residual, verdict *v);
// The same for two sets of equations that give different accelerations.
bool witness_between(const equations *a, const equations *b, verdict *v);
// Is the symmetric matrix of the unknowns positive definite at the initial state? An interval Cholesky factorisation is a proof.
verdict_kind definite_at_initial_state(const equations *eq);

#endif
