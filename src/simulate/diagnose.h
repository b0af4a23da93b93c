// Why a run could not go on: the last good state is compared with the first one. Called once a run
// has ended early; the words go into the error.
#ifndef HAMEL_SIMULATE_DIAGNOSE_H
#define HAMEL_SIMULATE_DIAGNOSE_H

#include "integrate/integration.h"

typedef struct {
    const char *cause; // "the argument of sqrt, `1 - x^2`, reaches 0"; in the arena
    const char *help;  // what one can do; NULL if there is nothing to say
} diagnosis;

// After RUN_RANK, RUN_NOT_FINITE, RUN_UNDERFLOW or a failure of a solver, at (in->t, in->z);
// `start` is z at the beginning, simulation.t0 its time.
diagnosis diagnose(const integration *in, run_status status, const double *start);

#endif
