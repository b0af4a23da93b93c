// The linear motion around a steady one in closed form: A, B, M, C, K as expressions in the
// parameters and the velocities of the motion, where that is known exactly (exact_state.h). The
// formulas are those of linearise.h, quotient.h and second_order.h.
//
// Neutral directions: dz with A dz = sum_a c_a X_a, the changes that other speeds of the group make
// good. They are found as the kernel of (A, -X), and must be as many as the balls say.
#ifndef HAMEL_STUDY_EXACT_LINEAR_H
#define HAMEL_STUDY_EXACT_LINEAR_H

#include "study/exact_state.h"
#include "study/grid.h"
#include "study/second_order.h"

typedef struct {
    const char *refusal; // why there is none; NULL: there is
    exact_state at;
    grid a, b;       // size x size, size x inputs
    grid reduced;    // A without the neutral directions
    bool has_second; // then M, C, K, and F for the inputs
    grid m, c, k, f;
    const expr *coefficients; // of the characteristic polynomial of `reduced`, from x^0; or NULL
} exact_linear;

// What was found in balls, in closed form. `second`: as it was found in balls.
exact_linear exact_linear_create(const steady_problem *p, const steady_motion *at, const ode *o,
                                 const mechanics *stated, const linearisation *l, const response *r,
                                 const second_order *second, uint32_t kept_count, const expr *kept);

// Is the characteristic polynomial of `reduced` even in x, whatever the symbols are? Then
// eigenvalues lie symmetric about the imaginary axis.
bool exact_linear_is_even(const exact_linear *e, pool *p);

#endif
