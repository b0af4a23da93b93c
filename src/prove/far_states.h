// States far and wide: where a condition that held everywhere so far does not. pieces.h asks for
// candidates one after the other until the condition fails or they are used up.
#ifndef HAMEL_PROVE_FAR_STATES_H
#define HAMEL_PROVE_FAR_STATES_H

#include "equations/evaluate.h"

// Candidates, by number: one coordinate, velocity or the time moved at a time, by small
// and by very large steps; then all of them at random. Only what the expressions speak of
// and no constraint does is moved.
typedef struct {
    const equations *eq;
    const state *from;
    uint64_t seed;
    uint32_t variables;
    expr *variable;
    uint32_t candidates;
} far_states;

far_states far_states_create(const equations *eq, const state *from, uint64_t seed, uint32_t count,
                             const expr *e);
// The candidate, with everything along the motion of eq there. False (and nothing to
// clear) where the motion has no value.
bool far_states_get(const far_states *far, uint32_t number, state *out);

#endif
