// Forces that hold multipliers (mechanics.forces_hold_multipliers), Q_i = F_i + sum_nu lambda_nu
// c_nu,i: the equations of motion are affine in accelerations and multipliers together, and a form
// that eliminates the multipliers takes them up again.
#ifndef HAMEL_DERIVE_REACTIVE_H
#define HAMEL_DERIVE_REACTIVE_H

#include "derive/formalism.h"

// Why a form cannot treat such forces; NULL if it can, or there are none.
const char *reactive_refusal(const formalism *f, const mechanics *s);

// The equations of a form whose residuals hold multipliers that it meant to recover afterwards: the
// recovery joins the residuals, the multipliers join the unknowns.
void reactive_join(equations *eq);

// Is it these forces alone that make the equations singular at the state? With lambda = 0 in them,
// [M, -A^T; -A, 0] is regular there: Painleve's case, no motion or several. Then the state in
// words, " at t = 0, x = 1, ..", for REACTIVE_PAINLEVE; else NULL.
const char *reactive_painleve(const mechanics *s, state *x);
#define REACTIVE_PAINLEVE                                                                          \
    "the forces that hold multipliers make the equations singular%s: no motion or several "        \
    "(Painleve's paradox)"
#define REACTIVE_PAINLEVE_HELP                                                                     \
    "masses and constraints alone are regular there: less friction, or an impact, decides what "   \
    "happens"
// The same system with lambda = 0 in its forces
mechanics reactive_without(const mechanics *s);

#endif
