// Newton's method for underdetermined systems in Arb arithmetic, with a verified enclosure of the
// solution. Initial states are completed with it, and points of the constraint manifold corrected;
// the enclosure is what makes `eval --digits` right to the last digit.
#ifndef HAMEL_MODEL_CONSTRAINT_NEWTON_H
#define HAMEL_MODEL_CONSTRAINT_NEWTON_H

#include "model/state.h"

typedef struct {
    uint32_t functions, variables;
    const expr *function; // concrete expressions
    const expr *variable; // symbols
    // by variable: one of higher rank is moved only if no other choice is left
    const uint8_t *fixed;
    // go on where steps shrink by a steady ratio, as they do towards a multiple root
    bool patient;
} newton_problem;

typedef struct {
    uint32_t rank;
    // the pivots: which functions were solved for which variables (room for `functions`)
    uint32_t *row, *column;
    bool converged, verified;
    bool multiple; // the pivot block is singular there: nothing is verified
    double error;  // of a multiple root: about how far the variables may be off
} newton_result;

// Solve function = 0 starting from the values in x, changing as many variables as the rank asks
// for. On success the solved variables are balls that enclose an exact solution of the pivot rows
// (verified == true) or midpoints good to the working precision.
void constraint_newton_solve(state *x, const newton_problem *problem, newton_result *result);
// The same from the values in x only; the other also starts from others of what is free
void constraint_newton_solve_here(state *x, const newton_problem *problem, newton_result *result);

#endif
