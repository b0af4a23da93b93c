// The method of a run may change on its way: under `auto` a run that becomes stiff goes on with a
// method for stiff systems, and goes back where it is stiff no more (stiffness.h says when). The
// driver asks after each step; every change is in the run's record. Where a method was asked for it
// is kept, and what was seen is said at the end.
#ifndef HAMEL_SIMULATE_RUN_METHOD_H
#define HAMEL_SIMULATE_RUN_METHOD_H

#include "simulate/run.h"

// After a step of this length, whose polynomial has this order: RUN_METHOD, or RUN_DONE to go on.
run_status run_method_look(run *r, double step, uint32_t order);
// A multistep method is let farther from the holonomic constraints than others: where it is left,
// or begins anew, the coordinates go back onto them.
void run_method_project(run *r);
// The other method from here on
void run_method_change(run *r);
// A run that is taken up again has the method that it had; one that begins anew the first.
void run_method_take_up(run *r);
void run_method_rewind(run *r);

// That steps were limited by stability, in words; NULL: nothing to say
const char *run_method_words(const run *r, const char **help);

#endif
