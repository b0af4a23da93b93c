// What all engines of a sweep run: one system, made ready once, from many starts and with many
// values of its parameters. Engines differ in how they step it; what a run is, and what is
// collected of it, is defined here alone.
//
// A run goes from its start to `end`, or to the first event with `stop`. Collected of it is
//   final(E)  E where it ended
//   max(E), min(E)  over the run: E at its start and at the ends of steps, and where dE/dt along
//             the motion goes from above 0 to 0 or below it (min: the other way round) from one
//             look to the next, located on the dense output of the step by extremum.h. There are
//             SIGN_LOOKS looks at equal distances in each step, the last at its end
//   mean(E)   the integral of E over the run by its length; by Gauss's rule with GAUSS_NODES nodes
//             on the dense output of each step
//   first(EVENT)  the time of its first crossing in its direction; NaN: none
//   count(EVENT)  how many there were
// of the steps as they were taken: an engine that takes the same steps finds the same numbers. Of a
// run that failed there are first crossings only; where E has no finite value at a look, its max,
// min or mean is NaN.
#ifndef HAMEL_SWEEP_SYSTEM_H
#define HAMEL_SWEEP_SYSTEM_H

#include "execute/simulation.h"
#include "integrate/integrator.h"
#include "sweep/engine.h"

enum { GAUSS_NODES = 5, SIGN_LOOKS = 4 };

// Where runs begin: the start of a run from what is varied in it, completed by the constraints.
// Each worker asks from its own thread. False: there is none for these values; `*why` says why,
// SWEEP_OTHER where these values make another system, which the scalar engine runs.
typedef struct sweep_starts sweep_starts;
struct sweep_starts {
    bool (*find)(sweep_starts *s, uint32_t worker, const double *values, double *t, double *z,
                 double *parameters, sweep_outcome *why);
};

typedef struct {
    const simulation *sim;    // rates, events; parameters as sim->parameter lists them
    const integrator *method; // never "auto"
    double tolerance, step, end;
    uint32_t collected_count;
    const struct collected *collected; // of the model (model.h)
    // of each collected quantity E of (t, z), and of dE/dt along the motion; an event's are 0
    const tape *value, *slope; // collected_count outputs each; NULL: there are none
    sweep_starts *starts;
} sweep_system;

#endif
