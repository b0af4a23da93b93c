// An integrator: one file, one descriptor, one line in integrators.def.
#ifndef HAMEL_INTEGRATE_INTEGRATOR_H
#define HAMEL_INTEGRATE_INTEGRATOR_H

#include "integrate/run.h"

typedef struct integrator {
    const char *id; // "dop853"
    const char *name;
    const char *paper; // where it comes from
    const char *about; // what it is good for, in one line
    uint32_t order;    // 0: variable
    bool adaptive;
    bool multistep; // it works with the steps before: where the state jumps it has to begin anew
    // NULL if it can treat the run, else the reason why not.
    const char *(*refusal)(const run *r);
    // From r->t, r->z to r->end: run_step() after each accepted step, until it says
    // stop. RUN_DONE, or why it could not go on. A run that is taken up again finds
    // r->carried as it was in the last step.
    run_status (*integrate)(run *r);
} integrator;

uint32_t integrator_count(void);
const integrator *integrator_at(uint32_t index);
const integrator *integrator_find(const char *id);

// The residual of a holonomic constraint that is let stand: a tenth of the
// tolerance. A multistep method begins anew where the state is corrected, which is
// worth it only where errors have added up.
double integrator_residual(const integrator *method, double tolerance);

#endif
