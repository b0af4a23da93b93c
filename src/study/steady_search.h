// One search for a steady motion: the files that take part in it. steady.c begins and ends it,
// steady_attempt.c goes from one state to a zero of the equations, steady_hold.c looks at states
// that symmetries leave where they are.
#ifndef HAMEL_STUDY_STEADY_SEARCH_H
#define HAMEL_STUDY_STEADY_SEARCH_H

#include "study/steady_problem.h"

typedef struct {
    steady_problem *w;
    steady_motion *out;
    steady_rows rows;
    const uint8_t *rank; // how firmly each unknown stands
    bool persistent;     // nothing was found without looking closer
    bool scattered;      // one of many starts
    newton_result result;
} steady_search;

// Newton's method for the chosen rows; `here`: from this state only
void steady_search_solve(steady_search *r, bool here);
// All rows vanish there, also those that were not solved.
bool steady_search_all_vanish(steady_search *r);
// Is det of the matrix not 0 over the balls of the state?
bool steady_search_is_regular(steady_search *r, uint32_t size, const expr *matrix);
// Do the rows that were not pivots hold as well?
bool steady_search_rows_follow(const steady_search *r);
// Numbers that are 0 but for rounding, at the working precision, become 0; balls their middles
void steady_search_remove_rounding(const steady_search *r, state *x);

// Where symmetries leave the state as it is, for a tolerance of numbers near 0
void steady_search_hold_isotropy(steady_search *r, bool generic, double tolerance);

// The guess, `at_rest`: with no reactions and the speeds that fit best; then the rows solved, and
// looked at
void steady_search_attempt(steady_search *r, const state *from, bool at_rest, bool generic);
// Where nothing is found from the state itself: from states around it, the nearest first
void steady_search_around(steady_search *r, const state *from, const completion_request *guess,
                          uint8_t *rank);

#endif
