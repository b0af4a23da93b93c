// Other ways in which a state can be completed: the constraints on coordinates often have several
// solutions, as a linkage that closes with its coupler above or below. They are looked for by
// Newton's method from many starts; each one that is listed is proved to be a solution, and there
// may be others.
#ifndef HAMEL_MODEL_BRANCHES_H
#define HAMEL_MODEL_BRANCHES_H

#include "model/state.h"

typedef struct {
    uint32_t variables; // the coordinates that were solved for
    const expr *variable;
    uint32_t count;      // of branches, without the one of the state itself
    const double *value; // count x variables
    bool looked;         // false: nothing was solved, or too much
} other_branches;

// Of a state that state_complete() made: what was not solved for stays as it is. Angles that differ
// by whole turns are the same. In the arena.
other_branches state_other_branches(const state *x);

// Newton's method does not always end at the solution that is nearest to where it starts. Where one
// is found that is nearer to the model's guesses, the coordinates that were solved for become those
// of it, to double precision: solve again from there. Guesses count of what was not given (by
// symbol index). False: nothing was changed.
bool state_move_to_nearest(state *x, const uint8_t *given);

#endif
