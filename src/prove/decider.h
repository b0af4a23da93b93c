// Does an expression, written for a real state, vanish around it? pieces.h makes one for each
// state, and local_form.h asks it which arguments of functions are the same.
#ifndef HAMEL_PROVE_DECIDER_H
#define HAMEL_PROVE_DECIDER_H

#include "prove/local_form.h"
#include "prove/modular_test.h"

typedef struct {
    const mechanics *system;
    const equations *eq;
    modular_freedom freedom;
} motion_tested;

typedef struct {
    expr e;
    bool zero;
} tested_one;

enum { MOST_CONDITIONS = 4 };

typedef struct {
    const motion_tested *motion;
    modular_test test;
    LIST(tested_one, known);
    LIST(expr, failed);              // around the state at hand
    expr condition[MOST_CONDITIONS]; // random points where these are positive are used
    uint32_t condition_count, depth;
    double bound; // log2 of the probability that a test is wrong, the worst so far
    uint32_t trials;
    bool by_family; // something was decided on the connected piece of the state only
} decider;

// here->decider is the decider, here->vanishes is this function.
bool decider_vanishes(local_state *here, expr e);
void decider_clear(decider *d);

#endif
