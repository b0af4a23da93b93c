// What a run holds between its beginning and its end, and how it is put back to the start. Used by
// the driver (run.c), and by whoever runs one system many times: run_rewind(), then run_begin().
#ifndef HAMEL_SIMULATE_RUN_MEMORY_H
#define HAMEL_SIMULATE_RUN_MEMORY_H

#include "simulate/run.h"

uint32_t run_event_count(const run *r); // of those that are looked for
// Before the first row: memory for all of it, once, and nothing counted yet
void run_reset(run *r);
// After the chart was changed: holonomic constraints are kept in that one.
void run_follow_chart(run *r);

// Back to the start: the first chart, t0 of its simulation, and z as the caller has set it.
void run_rewind(run *r);
// Other values of the parameters, one for each, from the next beginning on
void run_set_parameters(run *r, const double *value);

// Functions from data are the polynomials from here on that they are behind the state's time, and
// the method stops where those end. Also at the beginning
void run_enter_piece(run *r);
// The same at another time, to evaluate something there: the run is to enter its own piece again.
void run_look_at(run *r, double t);

#endif
