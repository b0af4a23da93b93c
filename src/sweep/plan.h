// What a sweep varies, and the values that run i of it has. A plan is made once of the statements
// `sweep` of a model or of options, and does not change: the values of a run are a pure function of
// its number, the same whoever computes them, in whatever order.
#ifndef HAMEL_SWEEP_PLAN_H
#define HAMEL_SWEEP_PLAN_H

#include "base/context.h"

typedef struct sweep_plan sweep_plan;

uint64_t sweep_plan_runs(const sweep_plan *plan);
uint32_t sweep_plan_values(const sweep_plan *plan);                   // of one run
const char *sweep_plan_name(const sweep_plan *plan, uint32_t value);  // "g", "x'"
bool sweep_plan_is_parameter(const sweep_plan *plan, uint32_t value); // or an initial value
// The values of run `run` < sweep_plan_runs(); any thread may ask.
void sweep_plan_find(const sweep_plan *plan, uint64_t run, double *values);

#endif
