// The flow of the equations of motion: a short way along the motion from a state, forwards or
// backwards. continuity.c looks with it at both sides of a place where an invariant may jump.
#ifndef HAMEL_PROVE_FLOW_H
#define HAMEL_PROVE_FLOW_H

#include "equations/evaluate.h"

// q'' and multipliers of eq stored in x, whose quasi-velocities are set from its
// velocities. False where there are none.
bool flow_solve(const equations *eq, state *x);
// The quasi-velocities alone.
void flow_set_quasi(const equations *eq, state *x);
// `to` becomes the state after the time h, with its own q'', by two steps of the classical
// Runge-Kutta method, wrong by O(h^5). False unless one long step comes to the same place: where
// the motion is singular it does not. `from` must be solved; `to` is made here, and is the caller's
// to clear.
bool flow_step_checked(const equations *eq, state *from, double h, state *to);

#endif
