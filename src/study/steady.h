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
// `also`: parameters that are solved for besides the motion (trim).
steady_problem *steady_problem_create(const mechanics *s, const symmetries *group, uint32_t count,
                                      const expr *also);

// Does this symbol stand in the equations?
bool steady_problem_holds(const steady_problem *p, expr symbol);

typedef struct {
    const mechanics *s;
    bool found;
    // There is exactly one such motion in the balls of x where what was not solved for stands as it
    // is; false: the numbers are good to the working precision, and nothing is proved.
    bool proved;
    // The equations do not determine the accelerations there: the coordinates fail, as angles do at
    // a pole, and it may be no motion. Nothing is proved then.
    bool singular;
    // A function in the equations jumps or bends there, so that slopes say nothing: neither is
    // anything proved, nor is there a linear motion.
    bool kink;
    // A multiple root of the equations: their slopes are singular there. Nothing is proved, and of
    // the motions around it only the moved copies are known.
    bool multiple;
    bool exact;    // but it was verified exactly that these numbers, fractions, solve all of them
    state x;       // q, q', eta and lambda of the motion at an instant
    arb_ptr speed; // xi, one for each symmetry
    uint32_t speeds;
    // so many independent combinations of symmetries leave (q, q') where it is: their speeds are
    // not determined, and the shortest are taken
    uint32_t isotropy;
    bool without;    // as many of the speeds are 0 instead
    uint32_t family; // dimension of the steady motions around it that are not moved copies of it
    // d(q, q', eta, parameters that are solved for)/d(what was not solved for): columns of a matrix
    // with `height` rows. They span the moved copies and the family.
    uint32_t height, directions;
    arb_ptr direction;  // row-major: height x directions
    const bool *solved; // by unknown of the problem: was it solved for?
    // `family` coordinates, velocities or quasi-velocities that tell the motions of the family
    // apart, and how all of them change with each: d(q, q', eta)/d(parameter), where the other
    // parameters stay and no symmetry moves it. NULL: not known.
    const expr *parameter;
    arb_ptr tangent; // row-major: height x family
    // How it was found: `rank` of the functions, solved for as many unknowns; the rows of motion
    // that were left out, each with the identity by which it follows. In the arena.
    const expr *function;
    uint32_t functions, rank;
    const uint32_t *row, *column;
    const uint32_t *left_out, *identity;
    uint32_t left_outs;
} steady_motion;

// The steady motion near a state that satisfies the constraints. Values that `guess` gives stay as
// they are while others can be solved for.
void steady_motion_find(steady_problem *p, const completion_request *guess, const state *from,
                        steady_motion *out);
// The same for a choice of what stays: rank by unknown of the problem, 0 for what is solved for;
// `from` may violate the constraints, and has speeds and multipliers too.
void steady_motion_find_near(steady_problem *p, const uint8_t *rank, const state *from,
                             steady_motion *out);
void steady_motion_clear(steady_motion *m);

#endif
