// A steady motion in closed form: coordinates are known numbers (0, fractions, fractions of pi),
// velocities that are not 0 and parameters stay symbols, and the equations of steady motions hold
// for all of their values.
//
// Numbers are recognised from the balls of a motion that was found, then everything is verified at
// random points of F_p: what was recognised wrongly does not pass.
#ifndef HAMEL_STUDY_EXACT_STATE_H
#define HAMEL_STUDY_EXACT_STATE_H

#include "study/linearise.h"

typedef struct {
    const char *refusal; // why there is none; NULL: verified
    bool stated;         // only for the values that the model gives its parameters
    uint32_t count;      // of the pairs
    expr *from, *to;     // what stands for which symbol
} exact_state;

// `kept`: names that stay symbols also where only the stated values of the others will do, and in
// which velocities are written: parameters, eta, or dependent velocities q'. o: with open inputs.
exact_state exact_state_create(const steady_problem *p, const steady_motion *at, const ode *o,
                               const mechanics *stated, uint32_t kept_count, const expr *kept);

void exact_state_put(const exact_state *x, pool *p, uint32_t count, const expr *in, expr *out);

#endif
