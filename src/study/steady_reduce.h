// Fewer equations for steady motions: what stands linearly in them and has no range of its own is
// eliminated, so that a box of the others can be searched completely. Every steady motion satisfies
// the reduced rows; they may have zeros that belong to none, where a coefficient vanishes.
#ifndef HAMEL_STUDY_STEADY_REDUCE_H
#define HAMEL_STUDY_STEADY_REDUCE_H

#include "study/steady_problem.h"

// What becomes of an unknown: it stays as it is, it is searched for in its range, or it is
// eliminated if that is possible.
typedef enum { UNKNOWN_HELD, UNKNOWN_RANGED, UNKNOWN_OTHER } unknown_use;

typedef struct {
    uint32_t rows;
    expr *row;
    uint32_t unknowns;
    expr *unknown; // those that are ranged
    expr left;     // one that has no range and could not be eliminated; EXPR_NONE: all could
    bool crossed;  // a zero of these rows need not be one of all
} steady_reduced;

// `x`: values of what is held; balls over the ranges of what is ranged.
steady_reduced steady_reduce(const steady_problem *w, const unknown_use *use, const state *x);

#endif
