// Methods of fixed step: equal steps from the start of the run to its end, so that a reversible
// method can be run backwards through the same nodes. midpoint and dla give one step; this does the
// counting, the interpolation and the warnings.
#ifndef HAMEL_INTEGRATE_FIXED_STEP_H
#define HAMEL_INTEGRATE_FIXED_STEP_H

#include "integrate/integration.h"

typedef struct fixed_method {
    // From z at t to z1 at t + h; f is z' at t. RUN_DONE, RUN_NOT_FINITE or RUN_FAILED.
    run_status (*advance)(struct fixed_method *m, double t, double h, const double *z,
                          const double *f, double *z1);
    void *data;
} fixed_method;

// From in->t to the end. Between nodes the solution is the cubic through both ends with the slopes
// z' = f(z, t) there.
run_status fixed_step_run(integration *in, uint32_t order, fixed_method *m);

#endif
