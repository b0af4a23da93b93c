// Statements that algebra alone does not decide, piece by piece: around real states, where every
// sign is known. The judge comes here with what is zero at every real state and no identity in F_p.
#ifndef HAMEL_PROVE_PIECES_H
#define HAMEL_PROVE_PIECES_H

#include "prove/decider.h"

typedef struct {
    motion_tested motion;
    // Real states with everything along the motion of eq. At each the statement is zero as far
    // as numbers tell, or has no value.
    uint32_t state_count;
    state *const *states;
    // a state found on the way around which the statement may fail
    void (*against)(void *judge, state *at);
    void *judge;
} pieces_request;

typedef struct {
    bool exact;   // no random point was needed
    double bound; // log2 of the probability that this is wrong
    uint32_t trials;
    // it holds where these have these signs; nothing is known elsewhere. The caller frees it.
    LIST(sign_used, where);
    bool on_pieces; // it holds on the connected pieces of the states tried
} pieces_result;

// Do the expressions vanish around every state that has a value for them? True is a proof for the
// union of the pieces: the sets of states, around those tried, where the signs are the same.
bool pieces_vanish(const pieces_request *r, uint32_t count, const expr *e, pieces_result *out);

#endif
