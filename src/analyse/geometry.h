// Geometry of linear constraints: which are integrable and by what function, and how fast brackets of admissible
// directions fill the space (MATH.md section 7).
#ifndef HAMEL_ANALYSE_GEOMETRY_H
#define HAMEL_ANALYSE_GEOMETRY_H

#include "analyse/special_values.h"

typedef enum { INTEGRABLE_NO, INTEGRABLE_YES, INTEGRABLE_UNKNOWN } integrability;

typedef struct {
    integrability verdict; // does the constraint follow from a relation between positions (and time), given the others?
    bool alone;            // it does so without the others
    expr integral;         // f whose rate is a multiple of the constraint; EXPR_NONE if none was found
} constraint_geometry;

typedef struct {
    expr f;           // constant on every admissible motion
    expr *multiplier; // k: df/dt = sum_nu multiplier_nu Phi_nu; NULL if they were not found in short form
} integral;

typedef struct {
    constraint_geometry *constraint; // by index into model->constraints

    // The number of integrals is known: all constraints are linear, and the system is not too large
    bool counted;
    // Independent functions of (q, t) that stay constant: k of them for an integrable distribution
    uint32_t integral_count;
    integral *integrals; // those that were found
    uint32_t integrals_found;

    parameter_geometry *parameter; // for each parameter of the constraints: values that change the number of integrals
    uint32_t parameters;

    flag generic; // of the columns of B, at a generic position; levels == 0 if not known
    flag initial; // at the initial state; not complete where not decided
} geometry;

// Decided at random points of F_p: 'no' is certain, 'yes' and the growth vector fail with a probability far below
// 2^-100.
geometry geometry_of(const mechanics *system);

#endif
