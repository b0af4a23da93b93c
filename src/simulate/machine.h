// Three-address code at work: registers, and the steps run over them.
#ifndef HAMEL_SIMULATE_MACHINE_H
#define HAMEL_SIMULATE_MACHINE_H

#include "simulate/system.h"

typedef struct {
    const tape *t;
    double *value; // registers; inputs and constants first
    double time;   // for which the timed steps were last run
    bool fresh;
} machine;

// The parameters are those of the system.
void machine_init(machine *m, const tape *t, const simulation *s);
// The outputs at time t; z are the other inputs before the parameters. False where one is not a finite number.
bool machine_run(machine *m, double t, const double *z, double *out);

#endif
