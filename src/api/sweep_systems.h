// For which parameters the systems of a sweep are derived. Signs of parameters, and values that
// decide what the constraints are, take another system than that of the model, and what is derived
// for one value in place of another differs in the last bits: pivots, forms. So that a run comes
// out the same whatever was run before it, its system is made for parameters that follow from its
// own values alone: from level to level closer ones, of which the first that can be used is taken.
#ifndef HAMEL_API_SWEEP_SYSTEMS_H
#define HAMEL_API_SWEEP_SYSTEMS_H

#include "api/motion.h"
#include "sweep/plan.h"

// One of the values of a run
typedef struct {
    double usual;      // of a parameter, in the model
    bool is_parameter; // or else an initial value
    bool is_exact;     // its value decides what the constraints are
    bool is_signal;    // an input: no sign of it decides anything
    bool feeds;        // others follow from it
} sweep_value;

enum { SWEEP_SYSTEM_LEVELS = 7 };

// In a call on the context of the motion, before any of its parameters was changed
void sweep_systems_describe(const hamel_motion *w, const sweep_plan *plan, sweep_value *out);
// One number for each value, 0 for those that are no parameters. On the first level they are the
// model's or their opposites, on the last one those of the run.
void sweep_systems_find(uint32_t count, const sweep_value *what, const double *values,
                        uint32_t level, double *out);

#endif
