// The linear motion around a steady one: dz' = A dz for small changes dz of z = (q, eta), as an
// observer sees them whom the symmetries carry along, on the tangent space of the constraints.
//
// With z' = f(z) and the motion of the group X(z) = sum_a xi_a X_a(z), f - X vanishes at a steady
// motion, and A = d(f - X)/dz there. Directions along the symmetries, and to other steady motions,
// are invariant under A: what is left without them has the eigenvalues that tell stability.
#ifndef HAMEL_STUDY_LINEARISE_H
#define HAMEL_STUDY_LINEARISE_H

#include "study/linear_problem.h"

#include <acb_mat.h>

typedef enum { STABLE_UNDECIDED, STABLE_YES, STABLE_NO, STABLE_MARGINAL } stability_verdict;

typedef struct {
    linear_matrices at; // A and the others as they were evaluated: what follows points into it
    uint32_t size;
    const expr *state; // what dz are changes of: coordinates that are free of the others, then eta
    const arb_mat_struct *a;
    const arb_mat_struct *tangent; // dz = T d(state): coordinates that constraints tie follow
    const uint32_t *kept;          // where they stand in z = (q, eta)
    // of z: f - X as expressions, and their slopes by z, row by row
    const expr *rate, *slope;
    uint32_t neutral;              // directions along symmetries and steady motions
    const quotient *rest;          // without them,
    const arb_mat_struct *reduced; // and A there
    uint32_t count;                // of the eigenvalues, size - neutral
    acb_ptr eigenvalue;
    bool enclosed; // all of them are, each in a ball of its own or together with its equals
    stability_verdict stable;
} linearisation;

// `p` and the steady motion it found; o: the same system in first-order form, with z = (q, eta).
void linearisation_create(steady_problem *p, const steady_motion *at, const ode *o,
                          linearisation *out);
void linearisation_clear(linearisation *l);

#endif
