// Equations at a state: accelerations, multipliers and energy as enclosures. `eval`, `prove` and
// the tests solve the equations of any form here: complete a state, evaluate, read the balls,
// clear.
#ifndef HAMEL_EQUATIONS_EVALUATE_H
#define HAMEL_EQUATIONS_EVALUATE_H

#include "equations/equations.h"

typedef struct {
    uint32_t n, m, k;        // k: all constraints, also those of higher order
    arb_ptr acceleration;    // n
    arb_ptr eta, eta_rate;   // m
    arb_ptr multiplier;      // k
    arb_ptr multiplier_rate; // k: lambda', where the multiplier is state; else 0
    // n: sum_nu lambda_nu dPhi_nu/dq'_i; in vakonomic motion sum_nu (lambda'_nu
    // dPhi_nu/dq'_i + lambda_nu E_i(Phi_nu))
    arb_ptr reaction;
    // k: Phi_nu(q, q', t), of order 0 constraints the position residual; order 2 and 3:
    // with the computed q'' and q'''
    arb_ptr residual;
    arb_t energy;             // sum q'_i dL/dq'_i - L
    bool velocities_replaced; // by those of a form of first order
} evaluation;

typedef enum {
    EVALUATE_OK,
    EVALUATE_SINGULAR,
    EVALUATE_OUTSIDE_DOMAIN,
    EVALUATE_NO_VALUE
} evaluate_status;

// x must be complete. On EVALUATE_NO_VALUE *missing is the symbol or function without a value.
evaluate_status equations_evaluate(const equations *eq, state *x, evaluation *out, expr *missing);
void evaluation_clear(evaluation *e);

// Is the matrix of the unknowns regular at the state?
bool equations_are_regular(const equations *eq, state *x);

// Values of expressions at a state, also of q'' and lambda after equations_evaluate().
void equations_values(const equations *eq, state *x, uint32_t count, const expr *in, arb_ptr out);

#endif
