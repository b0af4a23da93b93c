// Geometry of linear constraints: which are integrable, and how fast brackets of admissible directions fill the space (MATH.md section 7).
#ifndef HAMEL_ANALYSE_GEOMETRY_H
#define HAMEL_ANALYSE_GEOMETRY_H

#include "model/mechanics.h"

typedef enum { INTEGRABLE_NO, INTEGRABLE_YES, INTEGRABLE_UNKNOWN } integrability;

enum { MOST_LEVELS = 12 };

typedef struct {
    integrability *constraint; // by index into model->constraints: does it follow from a relation between positions, given the others?
    uint32_t growth[MOST_LEVELS]; // generic dimensions of the spans of brackets up to length 1, 2, ...
    uint32_t growth_count;        // 0: not known (nonlinear constraints, or too large)
} geometry;

// Decided at random points of F_p: 'no' is certain, 'yes' and the growth vector fail with a probability far below 2^-100.
geometry geometry_of(const mechanics *system);

#endif
