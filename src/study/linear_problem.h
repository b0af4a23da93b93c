// What a linearisation needs of a system, made once: the derivatives of its rates as an observer
// sees them whom the symmetries carry along, and the slopes of the constraints on positions, as
// programs. Then evaluate A and its quotient by the neutral directions at as many states as wanted,
// in balls or, with 53 bits, from doubles.
#ifndef HAMEL_STUDY_LINEAR_PROBLEM_H
#define HAMEL_STUDY_LINEAR_PROBLEM_H

#include "equations/ode.h"
#include "study/quotient.h"
#include "study/steady.h"

typedef struct {
    steady_problem *w;
    const ode *o;
    uint32_t size;      // of z = (q, eta)
    uint32_t holonomic; // constraints on positions
    program *slopes;    // d(f - X)/dz, size x size, then dphi/dq, holonomic x n
    program *rates;     // their derivatives along a path, where one was given; else NULL
    arb_ptr value;      // of the outputs of both
    expr *rate;         // f - X
    expr *slope;        // what `slopes` gives; along a path what `rates` gives
} linear_problem;

// f - X as expressions in (q, eta) and the speeds of the group
void linear_problem_rates(const steady_problem *w, const ode *o, expr *out);

// How everything moves along a path: d(symbol) = velocity, expressions
typedef struct {
    uint32_t count;
    const expr *symbol, *velocity;
    uint32_t zeros; // symbols that are 0 all along
    const expr *zero;
} path_motion;
// Expressions on the path: without what is 0
void path_motion_simplify(const path_motion *along, pool *p, uint32_t count, expr *e);

// The arena's; programs are released by linear_problem_clear().
void linear_problem_create(steady_problem *w, const ode *o, const path_motion *along,
                           linear_problem *out);
void linear_problem_clear(linear_problem *l);

// Values of a program at a state; with 53 bits or fewer computed in doubles.
void linear_problem_run(const program *prog, const state *x, slong bits, arb_ptr out);

typedef struct {
    uint32_t size;           // coordinates that are free of the others, then eta
    uint32_t *kept;          // their positions in z
    matrix_jet a, tangent;   // dz = T d(what is kept)
    uint32_t neutral, count; // count = size - neutral
    quotient rest;           // without the neutral directions,
    matrix_jet quotient;     // and A there
    bool good;               // both matrices are there and finite
} linear_matrices;

// Where values are wanted for all of a ball of the parameter: the state at its middle, and the ball
// less its middle
typedef struct {
    const state *middle;
    arb_srcptr shift;
} path_ball;
// v = v(middle) + rate shift, where that is the narrower one
void linear_problem_narrow(const program *prog, const path_ball *ball, slong bits, arb_srcptr rate,
                           arb_ptr v);

// A at a state, and its quotient by the columns of `direction`, which has (2 n + m) rows of
// d(q, q', eta). With derivatives along the path where there is a ball to look at; else NULL.
void linear_matrices_evaluate(linear_problem *l, state *x, slong bits, const matrix_jet *direction,
                              const path_ball *ball, linear_matrices *out);
void linear_matrices_clear(linear_matrices *m);

#endif
