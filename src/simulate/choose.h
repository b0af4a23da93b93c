// `method = auto`: an integrator for a run, and why.
#ifndef HAMEL_SIMULATE_CHOOSE_H
#define HAMEL_SIMULATE_CHOOSE_H

#include "integrate/integrator.h"

typedef struct {
    const integrator *method;
    const char *why; // in the arena
} choice;

// Not smooth (abs, sign or atan2 of the state in the right-hand side): tsit5. Stiff at the start:
// bdf. Else taylor. dop853 takes the place of one that is not there or refuses.
choice choose_integrator(run *r);

// The dominant real eigenvalue of df/dz at the start of the run, by power iteration with
// differences of f; 0 if the dominant ones are a complex pair or none stands out.
double dominant_rate(run *r);

#endif
