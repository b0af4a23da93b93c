// An expression near one real state: what hangs on signs and domains is written as it is there.
// pieces.h sets a state, asks for the form, and tests what is left by algebra; the signs that were
// used become conditions of the verdict.
#ifndef HAMEL_PROVE_LOCAL_FORM_H
#define HAMEL_PROVE_LOCAL_FORM_H

#include "equations/evaluate.h"

typedef struct { // what was used: `of` has this sign at the state
    expr of;
    int sign;
} sign_used;

typedef struct local_state {
    pool *p;
    const equations *eq;
    state *at;   // with accelerations and multipliers
    expr beside; // the statement: its angles decide how others are taken apart
    LIST(sign_used, signs);
    LIST(expr, arguments); // of functions, met so far
    bool lost;             // something has no value, or no certain sign, at the state
    // Does the difference of two arguments, zero at the state, vanish around it?
    bool (*vanishes)(struct local_state *here, expr difference);
    void *decider;
} local_state;

// e around the state, wherever the signs used are what they are there: abs(u) is u or -u,
// sqrt(x^2*y) = abs(x)*sqrt(y), log(x^2*y) = 2*log(abs(x)) + log(y) in irreducible factors, b^c =
// exp(c*log(b)), exp(c*log(b)) = b^c for numbers c, inverse functions by atan, sin and cos of atan
// by roots. Arguments of functions that are the same on the constraints are the same.
expr local_form(local_state *here, expr e);
// Has e so many nodes that its form is not worth the time?
bool local_form_is_too_long(pool *p, expr e);

// sin(e) and exp(e) of such a form, written in the same way
expr local_form_sine(local_state *here, expr e);
expr local_form_exponential(local_state *here, expr e);

// The value of e at the state. False where it is not finite.
bool local_form_value(local_state *here, expr e, arb_t out);
// +1 or -1; 0 where it is not certain. What follows from the structure alone
// (x^2 + 1 > 0) is not noted.
int local_form_sign(local_state *here, expr e);
void local_form_clear(local_state *here);

#endif
