// Step size control that embedded Runge-Kutta methods share. A method asks for its first step, and
// for the next one after each, accepted or not.
#ifndef HAMEL_INTEGRATE_CONTROL_H
#define HAMEL_INTEGRATE_CONTROL_H

#include "integrate/integration.h"

// Root mean square of error_i / (tolerance * (1 + max(|a_i|, |b_i|))).
double scaled_norm(uint32_t n, double tolerance, const double *error, const double *a,
                   const double *b);

// A first step for a method of this order (Hairer, Norsett, Wanner II.4); 0 if f has
// no finite value at the start.
double first_step(integration *in, uint32_t order);

// PI control (Gustafsson; Hairer, Norsett, Wanner IV.2): the next step from the sizes of
// this error and of the one before,
//   h <- h 0.9 size^-alpha before^beta,  alpha = 1/order - 3/4 beta,  beta = 0.2/order,
// by no more than a factor of 6 at once, and not longer just after a rejection.
typedef struct {
    double alpha, beta, before;
    bool rejected; // the attempt before was
} step_control;
step_control step_control_for(uint32_t error_order);
double step_after_success(step_control *c, double size); // factors
double step_after_rejection(const step_control *c, double size);

// Can a step of this size from t still be told apart from none?
bool is_too_small(double t, double step);

#endif
