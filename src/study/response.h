// How the linear motion answers to inputs, and what is observed of it:
//   dz' = A dz + B du,   dy = C dz + D du
// with exact derivatives at the steady motion. Inputs that stand in constraints on positions move
// the coordinates that these tie, and their rates u', u'' act as well: each is a column.
#ifndef HAMEL_STUDY_RESPONSE_H
#define HAMEL_STUDY_RESPONSE_H

#include "study/linearise.h"

typedef struct {
    uint32_t inputs, outputs;
    const expr *input;              // u, u' ..
    const named_expression *output; // those observables that have derivatives there
    arb_mat_t b;                    // size x inputs
    arb_mat_t c, d;                 // outputs x size, outputs x inputs
} response;

// stated: the system with its inputs as symbols; o: that of the system with open inputs. The
// changes of the inputs have the value 0 in the state of the motion (response_inputs).
void response_create(const linearisation *l, const steady_motion *at, const ode *o,
                     const mechanics *stated, response *out);
void response_clear(response *r);

// Gives the inputs and their rates the value 0, before anything is evaluated.
void response_inputs(steady_motion *at, const mechanics *stated);

#endif
