// Forces that hold multipliers (mechanics.forces_hold_multipliers), Q_i = F_i + sum_nu lambda_nu
// c_nu,i, and servo constraints. The equations of motion are then affine in accelerations and
// multipliers together, and a form that eliminates the multipliers takes them up again. The
// registry asks reactive_refusal() and calls reactive_join(); where a state is singular,
// reactive_diagnose() says why.
#ifndef HAMEL_DERIVE_REACTIVE_H
#define HAMEL_DERIVE_REACTIVE_H

#include "derive/formalism.h"
#include "derive/servo_degree.h"

typedef servo_trouble reactive_trouble;

// Why a form cannot treat such forces; NULL if it can, or there are none.
const char *reactive_refusal(const formalism *f, const mechanics *s);

// The equations of a form whose residuals hold multipliers that it meant to recover afterwards, or
// of a motion that the constraints prescribe, where it has no residuals: the recovery joins the
// residuals, the multipliers join the unknowns.
void reactive_join(equations *eq);

// Is it these forces, or servo constraints, alone that make the equations singular at the state?
// With lambda = 0 in them, [M, -A^T; -A, 0] is regular there. Then what is to be said: Painleve's
// case, no motion or several; or why a servo cannot hold its constraint. Else what = NULL.
reactive_trouble reactive_diagnose(const mechanics *s, state *x);
// The same words, for one who knows that it is so; `where`: " at t = 0, x = 1, ..", or ""
reactive_trouble reactive_words(const mechanics *s, const char *where);
// The same system with lambda = 0 in its forces
mechanics reactive_without(const mechanics *s);

#endif
