// The equations in explicit first-order form: z' = f(z, t), everything else as functions of (z, t).
//
// z = (q, eta) where the form eliminates the dependent velocities, so that velocity constraints
// hold identically; (q, p) for Hamilton's equations, (q, q') where velocities stay, q alone for a
// form of first order; behind them the multipliers that are state. The linear system for the
// unknowns is solved on the DAG, in an order of pivots that is good at the state it was made for;
// of a few equal ways to write f the cheapest is taken, where the system is small enough to try
// them.
#ifndef HAMEL_EQUATIONS_ODE_H
#define HAMEL_EQUATIONS_ODE_H

#include "equations/equations.h"
#include "expr/matrix.h"

typedef struct ode {
    const equations *eq;
    uint32_t size;
    const expr *state; // z: symbols
    // z' = f(z, t); parameters stay symbols, givens stand by their definitions
    const expr *rate;
    const expr *start;    // what each z is in (q, q', t, lambda): to begin from a completed state
    const expr *velocity; // q' in (q, eta, t), where the form eliminates velocities
    // What the unknowns are in (z, t): substituted for in ode_expression().
    uint32_t known_count;
    const expr *known, *meaning;
    // The linear system for the unknowns, of (z, t), for code that solves it in numbers, and
    // what else there is with its unknowns left as symbols. n = 0: the solution on the DAG is
    // cheaper, and the others are as above.
    matrix_system system;
    const expr *open_rate, *open_meaning;
    // The matrix of the equations is singular at every state that was looked at: rates have no
    // values.
    bool is_undetermined;
} ode;

ode *ode_create(const equations *eq);

// An expression in q, q', q'', q''', eta, eta', lambda, p, t, as a function of (z, t).
expr ode_expression(const ode *o, expr e);
void ode_expressions(const ode *o, uint32_t count, const expr *in, expr *out);

// The same for code that solves `system`: its unknowns stay symbols.
void ode_open_expressions(const ode *o, uint32_t count, const expr *in, expr *out);

#endif
