// Step size control. Methods ask for their first step and whether a step is still long enough to be
// one; embedded Runge-Kutta pairs also for the next step after each one, accepted or not.
#ifndef HAMEL_INTEGRATE_STEP_CONTROL_H
#define HAMEL_INTEGRATE_STEP_CONTROL_H

#include "integrate/integration.h"

// A first step for a method of this order (Hairer, Norsett, Wanner II.4); 0 if f has
// no finite value at the start.
double step_control_first(integration *in, uint32_t order);

// PI control (Gustafsson; Hairer, Norsett, Wanner IV.2): the next step from the sizes of
// this error and of the one before,
//   h <- h 0.9 size^-alpha before^beta,  alpha = 1/order - 3/4 beta,  beta = 0.2/order,
// by no more than a factor of 6 at once, and not longer just after a rejection.
enum { STEP_CONTROL_MOST_GROWTH = 6 };
typedef struct {
    double alpha, beta, before;
    double known, log_known; // an error, and its logarithm
    bool rejected;           // the attempt before was
} step_control;
step_control step_control_for(uint32_t error_order);
double step_control_after_success(step_control *c, double size); // factors
double step_control_after_rejection(const step_control *c, double size);

// Can a step of this size from t still be told apart from none?
bool step_control_is_too_small(double t, double step);
// Does a step from in->t end the run: what is left behind it is nothing, or too little for another?
bool step_control_is_last(const integration *in, double step);

#endif
