// A short way along the motion from a state, forwards or backwards.
#ifndef HAMEL_PROVE_TRAVEL_H
#define HAMEL_PROVE_TRAVEL_H

#include "equations/evaluate.h"

// q'' and multipliers of eq stored in s, whose quasi-velocities are set from its
// velocities. False where there are none.
bool travel_solve(const equations *eq, state *s);
// The quasi-velocities alone.
void travel_set_quasi(const equations *eq, state *s);
// `to` becomes the state after the time h: one step of the classical Runge-Kutta method, wrong by
// O(h^5), with its own q''. `from` must be solved; `to` is made here, and is the caller's to clear.
bool travel(const equations *eq, state *from, double h, state *to);
// The same in two halves, and false unless both ways come to the same place: where the
// motion is singular they do not.
bool travel_safely(const equations *eq, state *from, double h, state *to);
// A copy of midpoints; the caller's to clear.
void travel_copy(const state *from, slong precision, state *to);

#endif
