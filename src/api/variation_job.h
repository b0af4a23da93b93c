// What the calls that follow a motion with its derivatives have in common: `sensitivity`,
// `lyapunov` and `orbit` prepare a run, choose columns, and let a flow (study/flow.h) go. Prepare
// the job, make its flow, close it, also where something failed.
#ifndef HAMEL_API_VARIATION_JOB_H
#define HAMEL_API_VARIATION_JOB_H

#include "api/run_job.h"
#include "study/flow.h"

typedef struct {
    model *m;
    hamel_run asked;
    completion_request where; // the start
    run_job run;
    double *z0; // the state in which the run begins, in the arena
    flow *flow; // NULL: not made yet
} variation_job;

// Everything up to the start of the run; errors are said. variation_job_close() in every case.
hamel_status variation_job_prepare(variation_job *j, model *m, const hamel_run *asked);
void variation_job_close(variation_job *j);
// HAMEL_NUMERICS, after saying where the motion stopped and why
hamel_status variation_job_stopped(const variation_job *j, run_status status);
// Have these expressions values along the motion? Else an error says which has none.
bool variation_job_knows(const variation_job *j, uint32_t count, const expr *e);

// The flow with so many columns of changes of the state, none by a parameter; refuses forms whose
// states are not free on the constraints of positions
hamel_status variation_job_whole(variation_job *v, variation_request *columns, uint32_t count);
bool variation_job_is_autonomous(const variation_job *v);

#endif
