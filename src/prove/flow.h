// A short way along the motion from a state, forwards or backwards. Kinks of solutions and jumps of
// invariants are looked for along it. Solve a state, step, clear.
#ifndef HAMEL_PROVE_FLOW_H
#define HAMEL_PROVE_FLOW_H

#include "equations/evaluate.h"

// q'' and multipliers of eq stored in s, whose quasi-velocities are set from its
// velocities. False where there are none.
bool flow_solve(const equations *eq, state *x);
// The quasi-velocities alone.
void flow_set_quasi(const equations *eq, state *x);
// `to` becomes the state after the time h: one step of the classical Runge-Kutta method, wrong by
// O(h^5), with its own q''. `from` must be solved; `to` is made here, and is the caller's to clear.
bool flow_step(const equations *eq, state *from, double h, state *to);
// The same in two halves, and false unless both ways come to the same place: where the
// motion is singular they do not.
bool flow_step_checked(const equations *eq, state *from, double h, state *to);

#endif
