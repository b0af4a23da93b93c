// What a method foretells of its steps at the start of a run: how long they are, and how many
// operations one takes. `method = auto` asks the methods for smooth equations (integrator.foresee)
// and takes the one that does the least work for a unit of time.
#ifndef HAMEL_INTEGRATE_FORECAST_H
#define HAMEL_INTEGRATE_FORECAST_H

#include "integrate/integration.h"

typedef struct {
    double step;       // its length
    double more_steps; // shorter ones, before it
    double operations; // of the method in it, in additions and multiplications of doubles
    const char *words; // what these are, in the arena
} forecast;

// Operations of one evaluation of a tape, a function as that many as take its time
double forecast_of_tape(const tape *t);
// To two digits, as counts are told
double forecast_rounded(double operations);

#endif
