// All steady motions in a box: ranges for some unknowns, the others held or solved for.
//
// Newton's method from many starts finds motions, each is enclosed as steady_motion_find does; then
// the box is searched completely where few unknowns are left, so that it is proved that there are
// no others, or said where that is open.
#ifndef HAMEL_STUDY_STEADY_BOX_H
#define HAMEL_STUDY_STEADY_BOX_H

#include "study/steady_problem.h"
#include "study/steady_reduce.h"

typedef struct {
    expr symbol; // an unknown of the problem
    double low, high;
} steady_range;

typedef struct {
    steady_problem *problem;
    uint32_t count; // of motions, ordered by the values of what is ranged
    steady_motion *motion;
    bool complete;      // it is proved that there are no others in the box
    const char *reason; // why that is open; NULL if it is not
    // Unknowns with a range that are held in its middle, because the motions form a family
    uint32_t held_count;
    const expr *held;
    unknown_use *use; // of each unknown of the problem
    state x;          // values of what is held
    // what the search for others could not settle: boxes of low, high for each ranged unknown
    uint32_t unknowns, undecided;
    const expr *unknown;
    double *box; // undecided x unknowns x 2
    uint32_t starts, boxes;
    uint32_t loose; // starts that came to something in the box that is no isolated motion
} steady_motions;

// `from`: a state, where values that are not solved for are taken from. Ranges name each unknown
// once, and are finite.
void steady_box_search(steady_problem *p, const completion_request *guess, const state *from,
                       uint32_t ranges, const steady_range *range, steady_motions *out);
void steady_motions_clear(steady_motions *m);

// --- the two parts of it -------------------------------------------------------------------------

typedef struct {
    steady_problem *w;
    const completion_request *guess;
    uint32_t ranges;
    const steady_range *range; // without those that are held
    uint8_t *rank;             // 0 for what is solved for
    struct descent *descent;   // least squares on all rows (steady_starts.c)
    steady_motions *out;
} box_search;

void steady_starts_open(box_search *b);
void steady_starts_close(box_search *b);
// From points of a low-discrepancy sequence: motions in the box are added
void steady_box_start(box_search *b);
// From a state, which moves; true if a motion was added
bool steady_box_try(box_search *b, state *from);
// Add the motion at a state that is nearly one, unless it is known or outside the box
bool steady_box_add(box_search *b, const state *near);
// A multiple root of one unknown that is a fraction: is it exactly one, and where is no other one?
// `full`: the width of the range. Sets m->exact; true: the interval was found.
bool steady_box_settle_multiple(const box_search *b, const steady_reduced *r, steady_motion *m,
                                double full, double *low, double *high);
// Branch and prune: proves that there are no others
void steady_box_prove(box_search *b, const steady_reduced *reduced);

#endif
