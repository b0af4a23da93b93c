// An integrator: one file with one descriptor, and one line in integrators.def. The descriptor
// says where the method comes from, what it is for and what it can do; `method = auto`, the errors
// that list methods and the table of docs/integrators.md are made from these. Only the registry
// knows methods by their names.
#ifndef HAMEL_INTEGRATE_INTEGRATOR_H
#define HAMEL_INTEGRATE_INTEGRATOR_H

#include "codegen/tableau.h"
#include "integrate/forecast.h"
#include "integrate/taylor.h"

typedef struct integrator {
    const char *id; // "dop853"
    const char *name;
    const char *paper; // where it comes from
    const char *about; // what it is good for, in one line
    uint32_t order;    // 0: variable
    bool smooth;       // made for smooth equations: `auto` takes it there
    bool kinks;        // not disturbed by abs, sign ..: `auto` takes it there
    bool stiff;        // its steps are not limited by modes that die out: `auto` takes it there
    // Of an explicit method: z' = -z/T is kept from growing by steps up to so many T, and so many
    // for each order of a step; 0: not limited so, or nobody asks
    double stable, stable_an_order;
    bool fixed_step; // without error control
    bool multistep;  // works with the steps before: where the state jumps it has to begin anew
    bool extended;   // can compute in wider numbers than double (extended.h)
    const tableau *tableau; // of an explicit Runge-Kutta pair; else NULL
    // Of a method by the series of the solution its order and step for a tolerance; looks: ranges
    // look along its steps. NULL: it is another method
    taylor_plan (*series)(const simulation *sim, double tolerance, bool looks);
    // One attempt of a step by it, where field.attempt has none: as there, but always made
    double (*attempt)(field *f, double t, const double *z, double h, double tolerance, double *k,
                      double *work, double *z1);
    // NULL if it can treat the run, else the reason why not; NULL itself: it treats all.
    const char *(*refusal)(const integration *in);
    // The first step that it would take from in->t, in->z; false where it cannot say. NULL itself:
    // `auto` does not weigh it against others.
    bool (*foresee)(integration *in, forecast *out);
    // From in->t, in->z to the end: integration_accept() after each step, until it says stop.
    // RUN_DONE, or why it could not go on. A run that is taken up again finds in->pace as it was
    // in the last step.
    run_status (*integrate)(integration *in);
} integrator;

uint32_t integrator_count(void);
const integrator *integrator_at(uint32_t index);
const integrator *integrator_find(const char *id);
const integrator *integrator_extended(void); // the one that can compute in wider numbers

// Why the method cannot treat the run; NULL: it can.
static inline const char *integrator_refusal(const integrator *m, const integration *in) {
    return m->refusal ? m->refusal(in) : NULL;
}

// The largest residual of a holonomic constraint that is not corrected: a tenth of the tolerance. A
// multistep method has to begin anew where the state is corrected, which is worth it only where
// errors have added up.
double integrator_residual(const integrator *method, double tolerance);

#endif
