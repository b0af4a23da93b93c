// Is a run stiff where it is? A mode that decays much faster than the motion changes limits the
// steps of an explicit method, not the accuracy that was asked for. choose.c asks at the start; the
// driver asks again every so many steps, and under `auto` goes on with a method for stiff systems,
// and back where these modes are gone. What is found depends on the state and on the step alone, so
// that a run that is taken up again finds the same.
#ifndef HAMEL_SIMULATE_STIFFNESS_H
#define HAMEL_SIMULATE_STIFFNESS_H

#include "integrate/integrator.h"

// The dominant eigenvalue of df/dz at in->t, in->z, if it is real: of a mode that goes as exp(rate
// t); 0 if the dominant ones are a complex pair or none stands out.
double stiffness_dominant_rate(integration *in);

enum { STIFFNESS_LOOK = 256, STIFFNESS_LOOK_BACK = 64 }; // steps between two looks

// Does a mode that decays, not its accuracy, limit a step of this length of an explicit method,
// with a polynomial of this order? *rate: of that mode.
bool stiffness_limits(integration *in, const integrator *method, double step, uint32_t order,
                      double *rate);
// Would steps of this length not be limited any more?
bool stiffness_is_over(integration *in, const integrator *method, double step);

#endif
