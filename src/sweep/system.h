// What all engines of a sweep run: one system, made ready once, from many starts and with many
// values of its parameters. Engines differ in how they step it; what a run is, and what is
// collected of it, is defined here alone.
//
// A run goes from its start to `end`, or to the first event with `stop`. Collected of it is
//   final(E)  E where it ended
//   max(E), min(E)  over the run: E at its start, and along its steps, panel by panel: a step is
//             halved until E at seven places of a panel tells where it rises and falls (panels.h:
//             the cubic through four of them meets the others by a quarter of what E changes from
//             one to the next), or until the panel holds no value that is better by more than the
//             tolerance's part of the largest |E| seen. Where it may turn, and dE/dt along the
//             motion changes its sign so, it is located on the dense output by extremum.h
//   mean(E)   the integral of E over the run by its length: of a step by Lobatto's and Kronrod's
//             rule with 13 nodes, halved until the one with 7 of them agrees to the tolerance's
//             part of the largest |E| seen, in the mean over the step
//   A panel is no longer than a sixteenth of the run, and is not halved for a difference that E has
//   between two places that are next to each other, by rounding. So often as panels.h says panels
//   are halved, no more.
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
