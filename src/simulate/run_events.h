// Events within a step of a run: where they cross zero is found by event_search.h, and what is done
// with a crossing is decided here. The driver (run.c) calls this once for each step, before rows
// are written, because an event may end the run inside of the step.
#ifndef HAMEL_SIMULATE_RUN_EVENTS_H
#define HAMEL_SIMULATE_RUN_EVENTS_H

#include "simulate/run.h"

// Crossings of the step go to r->record.events with the state there; those of a section are rows.
// *stop becomes the time of the first that ends the run. RUN_DONE, or why a row was not written.
run_status run_find_events(run *r, const accepted_step *s, double *stop);

#endif
