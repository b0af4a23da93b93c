// How a run gets on: does it still move, will it end, and is it time to save and to tell progress?
// The driver sets a `pace` at the start and asks after each step. Numbers never depend on the
// clock: it only says when to save.
#ifndef HAMEL_SIMULATE_PACE_H
#define HAMEL_SIMULATE_PACE_H

#include "integrate/integration.h"
#include "record/record.h"

typedef struct {
    double stuck_mark, slow_mark; // t where the steps last counted began
    double checked, told;         // seconds of the clock: last look, last time it was due
    uint32_t stride, unchecked;   // steps between two looks at the clock, and since the last
} pace;

void pace_begin(pace *p, double t);
// Steps end where data do, which is no sign of trouble: what was counted does not count
void pace_pause(pace *p);
// RUN_DONE while the run gets on; else RUN_UNDERFLOW or RUN_TOO_MANY
run_status pace_judge(pace *p, const run_record *record, double t, double end);
// Twenty times a second at the most
bool pace_is_due(pace *p);

#endif
