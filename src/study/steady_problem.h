// The equations of steady motions, and which of them follow from the others. steady_problem.c makes
// them of a system and its symmetries; steady.c solves them.
#ifndef HAMEL_STUDY_STEADY_PROBLEM_H
#define HAMEL_STUDY_STEADY_PROBLEM_H

#include "model/constraint_newton.h"
#include "study/steady.h"

struct steady_problem {
    const mechanics *s;
    const symmetries *group;
    pool *p;
    arena *arena;
    expr *speed;  // xi: symbols
    expr *field;  // n: sum_a xi_a X_a
    expr *pace;   // n: sum_a xi_a A_a q', the accelerations
    expr *motion; // n rows N_i - sum_nu lambda_nu dPhi_nu/dq'_i
    // (n + k) x (n + k), of (q'', lambda): [d2L/dq'dq', dPhi/dq' turned + dQ/dlambda; dPhi/dq', 0]
    expr *inertia;
    expr *row; // the others
    uint32_t rows;
    expr *unknown;
    uint32_t unknowns;
    expr *identity; // n for each: w with sum_i w_i motion_i = 0 where the other rows hold
    bool *generic;  // of each: only where `block` is regular
    expr *block;    // r x r: of the conditions that constraints put on the speeds
    uint32_t block_size;
    uint32_t identities, independent; // how many; so many of them say something of their own
    const expr *also;                 // parameters among the unknowns, behind all others
    uint32_t also_count;
};

// How firmly the value of an unknown stands: solved for in any case (multipliers, parameters that
// are asked for), nobody gave it, the model states it, it was asked for.
enum { STANDS_NOT, STANDS_OPEN, STANDS_STATED, STANDS_ASKED };
// rank[j] of each unknown; those below `firmest` are all taken as open.
void steady_rows_rank_unknowns(const steady_problem *w, const completion_request *guess,
                               uint8_t firmest, uint8_t *rank);

// Speeds of the symmetries that come nearest to the velocities of x; no reactions
void steady_rows_guess_speeds(const steady_problem *w, state *x);
// What all rows are worth at a state, those of the motion last: the caller's vector of so many
// balls
arb_ptr steady_rows_values(const steady_problem *w, const state *x, uint32_t *count);

// The rows to be solved at a state: all of `row` and `motion` but one row of motion for each
// independent identity (`generic`: also for identities that hold in general only).
typedef struct {
    expr *function;
    uint32_t functions;
    uint32_t *left_out; // rows of motion
    uint32_t *identity; // which identity each of them goes with
    uint32_t left_outs;
} steady_rows;
steady_rows steady_rows_choose(const steady_problem *w, state *x, bool generic);

// More rows than unknowns, of which the pivots were solved and verified at `at`: do the others hold
// as well, because they vanish identically where unknowns that are 0 are 0?
bool steady_zeros_prove(const steady_problem *w, const steady_rows *rows,
                        const newton_result *result, const uint8_t *rank, const state *at);

// The same by exact elimination of unknowns that stand linearly in rows
bool steady_follow_prove(const steady_problem *w, const steady_rows *rows,
                         const newton_result *result, const uint8_t *rank, const state *at);

// The symmetries that leave the state (q, q') where it is, for a tolerance of numbers near 0: one
// condition zeta . xi = 0 on the speeds for each, a speed that may be 0 instead, and the equations
// of the states that it leaves where they are, 2n for each. False: there are none. In the arena.
typedef struct {
    uint32_t count;
    expr *shortest; // count
    expr *unit;     // count: speeds, of rotations rather than of shifts
    expr *fixed;    // count x 2n
} steady_isotropy;
bool steady_isotropy_find(const steady_problem *w, state *x, double tolerance,
                          steady_isotropy *out);

// A motion that is a multiple root: exact numbers where fractions solve all rows, else balls as
// wide as the error of what was solved for; the moved copies as its directions.
void steady_multiple_settle(const steady_problem *w, uint32_t count, const uint32_t *solved,
                            double error, state *x);
void steady_multiple_directions(const steady_problem *w, steady_motion *m);

// Dimension, parameters and tangents of the family around a motion whose directions are known
void steady_family_find(const steady_problem *w, const uint8_t *rank, steady_motion *m);

#endif
