// The starts of runs of a sweep by one motion: values of a plan become those of its parameters, and
// the state that they and the constraints make. Where states follow from the values without solving
// anything they are copied; else they are completed as `initial` is (model/complete.c).
#ifndef HAMEL_API_SWEEP_START_H
#define HAMEL_API_SWEEP_START_H

#include "api/motion.h"
#include "sweep/plan.h"

typedef struct sweep_start sweep_start;

typedef enum {
    START_FOUND,
    START_NONE,       // the constraints cannot be satisfied
    START_OF_ANOTHER, // the constraints are others for these values, or the motion is used up
} start_result;

// Inside of a call on the motion's context, like all that follows. HAMEL_USAGE where the motion has
// no such parameter or initial value.
hamel_status sweep_start_create(hamel_motion *w, const sweep_plan *plan, sweep_start **out);
void sweep_start_free(sweep_start *s);
// Does an expression in parameters change with what is varied?
bool sweep_start_varies(const sweep_start *s, expr e);
// Parameters and t0, z0 of the motion's simulation
start_result sweep_start_find(sweep_start *s, const double *values);
// t, q and q' of the start that was found last, where it was completed: those velocities, too, that
// do not follow from z because the chart is singular there. NULL: it was copied
const double *sweep_start_columns(const sweep_start *s);
// Outside of a call: the knobs of the motion only, before it is copied for START_OF_ANOTHER. Those
// that are not `set` are the model's.
void sweep_start_set_knobs(sweep_start *s, const double *values, bool set);

#endif
