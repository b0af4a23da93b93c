// States far and wide: where a condition that held everywhere so far does not.
#ifndef HAMEL_PROVE_WANDER_H
#define HAMEL_PROVE_WANDER_H

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
} wanderer;

wanderer wanderer_create(const equations *eq, const state *from, uint64_t seed, uint32_t count,
                         const expr *e);
// The candidate, with everything along the motion of eq there. False (and nothing to
// clear) where the motion has no value.
bool wander(const wanderer *w, uint32_t number, state *out);

// A copy, for the caller to change and to clear
void state_copy_to(const state *from, state *out);

#endif
