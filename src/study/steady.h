// Steady motions: those that a symmetry carries along itself, so that nothing but the group moves.
//
// With the symmetries X_a of a system (analyse/symmetry.h), a motion is steady where
//   q' = sum_a xi_a X_a(q),   q'' = sum_a xi_a A_a q'
// at one instant, with constant speeds xi_a: then it goes on so for ever. Equilibria are those with
// q' = 0. Make the problem once, then look for motions from as many guesses as wanted.
#ifndef HAMEL_STUDY_STEADY_H
#define HAMEL_STUDY_STEADY_H

#include "analyse/symmetry.h"

typedef struct steady_problem steady_problem;

// Of a system whose equations do not depend on time, with constraints on positions and velocities;
// the caller looks at that first (steady_refusal). NULL: no refusal. In the arena.
const char *steady_refusal(const mechanics *s);
steady_problem *steady_problem_create(const mechanics *s, const symmetries *group);

typedef struct {
    const mechanics *s;
    bool found;
    // There is exactly one such motion in the balls of x where what was not solved for stands as it
    // is; false: the numbers are good to the working precision, and nothing is proved.
    bool proved;
    state x;       // q, q', eta and lambda of the motion at an instant
    arb_ptr speed; // xi, one for each symmetry
    uint32_t speeds;
    uint32_t family; // dimension of the steady motions around it that are not moved copies of it
    // d(q, q', eta)/d(what was not solved for): columns of a matrix with 2 n + m rows. They span
    // the moved copies and the family.
    uint32_t directions;
    arb_ptr direction; // row-major: (2 n + m) x directions
} steady_motion;

// The steady motion near a state that satisfies the constraints. Values that `guess` gives stay as
// they are while others can be solved for.
void steady_motion_find(steady_problem *p, const completion_request *guess, const state *from,
                        steady_motion *out);
void steady_motion_clear(steady_motion *m);

#endif
