// The real states at which statements are looked at: on the piece of the constraint manifold, and
// on the branch, of the initial state. Make one for a system, ask for states by number, free it;
// all witnesses and all second looks use the same states.
#ifndef HAMEL_PROVE_SAMPLES_H
#define HAMEL_PROVE_SAMPLES_H

#include "equations/evaluate.h"
#include "prove/walk.h"

enum {
    NEAR_SAMPLES = 6,    // the initial state and others near it
    STATED_SAMPLES = 30, // all with the parameter values that the model states
    VARIED_SAMPLES = 6,  // then some with other values
    ALL_SAMPLES = STATED_SAMPLES + VARIED_SAMPLES,
    SAMPLE_BITS = 256,
    FINE_BITS = 3072, // for gaps of 10^-800
};

// A state with the accelerations and multipliers of one set of equations.
typedef struct {
    const equations *eq;
    uint32_t number;
    evaluate_status status;
    state at;
    evaluation values;
} solved_sample;

// Every state is found when it is first asked for. A model without `initial` has states on every
// piece: each is then found from a random start of its own.
typedef struct {
    const model *m;
    const mechanics *system;
    uint64_t seed;          // of the targets
    const equations *paths; // whose arbitrary symbols statements may hold; NULL: none
    walker walker;
    state at[ALL_SAMPLES];
    bool found[ALL_SAMPLES], tried[ALL_SAMPLES];
    LIST(solved_sample *, solved);
} samples;

void samples_free(samples *r);
// A copy of the state of this number, for the caller to change and to clear; false if there is
// none.
bool samples_copy(samples *r, uint32_t number, state *out);
// The same with everything along the motion of eq; NULL if eq has none there, or speaks of
// another branch. It belongs to the samples.
solved_sample *samples_solved(samples *r, const equations *eq, uint32_t number);
// The same with many more digits, for gaps that are far below the others; false where that
// cannot be had. The caller clears it.
bool samples_fine(samples *r, const equations *eq, uint32_t number, state *out);
// What is free at a state: multipliers that are state, accelerations and displacements of an
// arbitrary path. Anything but 0, so that they matter.
void samples_set_arbitrary(const samples *r, const equations *eq, state *x);
// Are the velocities of the state those of the form's own branch of the constraints?
bool samples_are_on_branch(const equations *eq, state *x);

#endif
