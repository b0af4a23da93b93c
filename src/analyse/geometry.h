// Geometry of linear constraints: which are integrable and by what function, and how fast brackets
// of admissible directions fill the space (docs/mathematics.md, section 8). One call with the
// mechanics does it all, in general and at the stated values; `check` and the page put the answer
// into words.
#ifndef HAMEL_ANALYSE_GEOMETRY_H
#define HAMEL_ANALYSE_GEOMETRY_H

#include "analyse/reach.h"
#include "analyse/special_values.h"

typedef enum { INTEGRABLE_NO, INTEGRABLE_YES, INTEGRABLE_UNKNOWN } integrability;

// omega = sum_i dPhi/dq'_i dq_i + Phi(q' = 0) dt is the 1-form of a constraint linear in the
// velocities.
typedef struct {
    // omega = mu df for some functions mu, f of (q, t): omega ^ d omega = 0 (Frobenius)
    integrability alone;
    // some f(q, t) that all constraints together keep constant has df = mu omega on them
    integrability beside;
    expr integral; // such an f where it is integrable alone; EXPR_NONE if none was found
} constraint_geometry;

// What the stated values of parameters, givens and functions make of the constraints
typedef struct {
    bool stated;  // something in the constraints has a value; if not, nothing else is set
    bool decided; // if not, nothing below is set
    uint32_t constraints, integral_count;
    constraint_geometry *constraint; // by index into model->constraints
    expr *integral;                  // those found
    uint32_t integrals_found;
    flag generic;
    reach reach;
    bool different; // something is not as in general
} stated_geometry;

typedef struct {
    expr f; // constant on every admissible motion
    // k: df/dt = sum_nu multiplier_nu Phi_nu; NULL if they were not found in short form
    expr *multiplier;
} integral;

typedef struct {
    constraint_geometry *constraint; // by index into model->constraints

    // The number of integrals is known: all constraints are linear, and the system is not too large
    bool counted;
    // Independent functions of (q, t) that stay constant: k of them for an integrable distribution
    uint32_t integral_count;
    integral *integrals; // those that were found
    uint32_t integrals_found;

    // for each parameter of the constraints: values that change the number of integrals
    parameter_geometry *parameter;
    uint32_t parameters;

    flag generic; // of the columns of B, at a generic position; levels == 0 if not known
    flag initial; // at the initial state; not complete where not decided
    reach reach;

    stated_geometry stated;
} geometry;

// For general values of the parameters, and for the stated ones. Decided at random points of F_p:
// 'no' is certain, 'yes' and the growth vector fail with a probability far below 2^-100.
geometry geometry_of(const mechanics *s);

#endif
