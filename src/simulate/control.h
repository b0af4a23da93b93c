// Step size control that embedded Runge-Kutta methods share.
#ifndef HAMEL_SIMULATE_CONTROL_H
#define HAMEL_SIMULATE_CONTROL_H

#include "simulate/run.h"

// Root mean square of error_i / (tolerance * (1 + max(|a_i|, |b_i|))).
double scaled_norm(uint32_t n, double tolerance, const double *error, const double *a, const double *b);

// A first step for a method of this order (Hairer, Norsett, Wanner II.4); 0 if f has no finite value at the start.
double first_step(run *r, uint32_t order);

// Can a step of this size from t still be told apart from none?
bool is_too_small(double t, double step);

#endif
