// `method = auto`: an integrator for a run, and why. One call looks at the equations and the
// request, and answers with a method and the reason that is printed.
#ifndef HAMEL_SIMULATE_CHOOSE_H
#define HAMEL_SIMULATE_CHOOSE_H

#include "integrate/integrator.h"

typedef struct {
    const integrator *method;
    const char *why; // in the arena
    // for stiff equations where the method is for others, and the other way round: the run may
    // change to it and back. NULL: there is none
    const integrator *other;
} choice;

// By what the methods say of themselves: where abs, sign or atan2 of the state make the right-hand
// side not smooth, one for kinks; stiff at the start, one for stiff systems; else of those for
// smooth ones that which does the least work, by what they foretell (forecast.h), or in wider
// numbers than double the first. The next one of the list takes the place of one that refuses.
choice choose_integrator(integration *in, bool in_double);
// choice.other of this method
const integrator *choose_other(const integrator *m, integration *in);
// What makes these rates not smooth: "abs"; NULL: nothing
const char *choose_kink(const tape *t);

#endif
