// The rows dPhi/dq' of the constraints on positions and velocities, and what is done with those
// that depend on one another. Inside of the model room.
#ifndef HAMEL_MODEL_INDEPENDENCE_H
#define HAMEL_MODEL_INDEPENDENCE_H

#include "model/mechanics.h"
#include "model/points.h"

typedef struct {
    model *m;
    uint32_t count, n;
    uint32_t *constraint; // of each row: index into m->constraints, those of order 0 first
    const expr *q, *qd;
    expr *entry; // count x n: d velocity_phi/dq'
    uint64_t seed;
    // points of F_p on the constraints were found, the rank is largest at that of `seed`
    bool in_field;
    uint32_t real_rank;      // largest rank at a real state
    const double *elsewhere; // the rows at such a state
    // a constraint that did not hold at another state that the others allow; or UINT32_MAX
    uint32_t unsatisfied;
} constraint_rows;

static inline const constraint *row_constraint(const constraint_rows *r, uint32_t row) {
    return &r->m->constraints[r->constraint[row]];
}

// combine.c: some rows (indices in order) have fewer independent ones among them (marked in
// `kept`): combinations without common factors take their place, so that they have that rank
// wherever all of them together do.
hamel_status combine_constraints(constraint_rows *r, uint32_t members, const uint32_t *row,
                                 const bool *kept, state *here);

// Independent rows that lose rank at the state: combinations take their place if those do not lose
// it. False, and nothing is changed, if they do.
bool combine_regularise(constraint_rows *r, state *here);

#endif
