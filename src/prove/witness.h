// Refutation: a real admissible state at which a residual certainly is not zero.
#ifndef HAMEL_PROVE_WITNESS_H
#define HAMEL_PROVE_WITNESS_H

#include "equations/evaluate.h"
#include "prove/prove.h"

enum { NEAR_STATES = 6, MOST_STATES = 30 }; // near the initial state; all

// The states that are tried, each found when it is first asked for.
typedef struct {
    const model *m;
    const equations *paths; // whose arbitrary symbols residuals may hold; NULL: none
    state at[MOST_STATES];
    bool found[MOST_STATES], tried[MOST_STATES];
} witness_room;
void witness_room_free(witness_room *r);

// Look for a state where one of the expressions (in q, q', q'', lambda, t) is nonzero along the motion of eq. True: v
// is filled as refuted.
bool witness_against(witness_room *r, const equations *eq, uint32_t count, const expr *residual, verdict *v);
// The same for two sets of equations that give different accelerations, or also different multipliers.
bool witness_between(witness_room *r, const equations *a, const equations *b, bool with_multipliers, verdict *v);
// Is the symmetric matrix of the unknowns positive definite at the initial state? An interval Cholesky factorisation is
// a proof.
verdict_kind definite_at_initial_state(witness_room *r, const equations *eq);

#endif
