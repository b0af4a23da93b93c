// What a sweep varies, and the values that run i of it has. A plan is made once of the statements
// `sweep` of a model or of options, and does not change: the values of a run are a pure function of
// its number, the same whoever computes them, in whatever order. Grids, lists and rows of data make
// a grid together, the last of them fastest; at each of its places come the samples, which are
// drawn of all distributions together and are the same at every place. All that a plan is made of
// lies in the arena of the model's context.
#ifndef HAMEL_SWEEP_PLAN_H
#define HAMEL_SWEEP_PLAN_H

#include "parse/parse.h"
#include "sweep/values.h"

typedef struct sweep_plan sweep_plan;

// From the model and what options say (`given` as in parse_sweep, or all zeros), with the list of
// what is collected, which may be empty. NULL after errors in the context.
sweep_plan *sweep_plan_create(model *m, const sweep_texts *given, const collected **collected,
                              uint32_t *collected_count);

uint64_t sweep_plan_runs(const sweep_plan *plan);
uint32_t sweep_plan_values(const sweep_plan *plan);                   // of one run
const char *sweep_plan_name(const sweep_plan *plan, uint32_t value);  // "g", "x'"
const char *sweep_plan_unit(const sweep_plan *plan, uint32_t value);  // NULL: none, or not known
bool sweep_plan_is_parameter(const sweep_plan *plan, uint32_t value); // or an initial value
// The values of run `run` < sweep_plan_runs(); any thread may ask.
void sweep_plan_find(const sweep_plan *plan, uint64_t run, double *values);

// How the runs are laid out, for those who compute values elsewhere and for figures.
const sweep_layout *sweep_plan_layout(const sweep_plan *plan);
// All that decides the values, in words: two plans with the same words have the same values.
void sweep_plan_words(const sweep_plan *plan, text *out);

#endif
