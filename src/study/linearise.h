// The linear motion around a steady one: dz' = A dz for small changes dz of z = (q, eta), as an
// observer sees them whom the symmetries carry along, on the tangent space of the constraints.
//
// With z' = f(z) and the motion of the group X(z) = sum_a xi_a X_a(z), f - X vanishes at a steady
// With z' = f(z) and the motion of the group X(z) = sum_a xi_a X_a(z), f - X vanishes at a steady
// one, are invariant under A: what is left without them has the eigenvalues that tell stability.
#ifndef HAMEL_STUDY_LINEARISE_H
#define HAMEL_STUDY_LINEARISE_H

#include "equations/ode.h"
#include "study/steady.h"

#include <acb_mat.h>

typedef enum { STABLE_UNDECIDED, STABLE_YES, STABLE_NO, STABLE_MARGINAL } stability_verdict;

typedef struct {
    uint32_t size;
    const expr *state; // what dz are changes of: coordinates that are free of the others, then eta
    arb_mat_t a;
    uint32_t neutral; // directions along symmetries and steady motions
    uint32_t count;   // of the eigenvalues, size - neutral
    acb_ptr eigenvalue;
    bool enclosed; // all of them are, each in a ball of its own or together with its equals
    stability_verdict stable;
} linearisation;

// `p` and the steady motion it found; o: the same system in first-order form, with z = (q, eta).
void linearisation_create(steady_problem *p, const steady_motion *at, const ode *o,
                          linearisation *out);
void linearisation_clear(linearisation *l);

#endif
