// A steady motion for the calls that start from one: `steady` shows it, `linearise` looks at the
// motions around it. Run the job, read it, close it, also where it failed.
#ifndef HAMEL_API_STEADY_JOB_H
#define HAMEL_API_STEADY_JOB_H

#include "api/api_internal.h"
#include "study/steady.h"

typedef struct {
    model *m;
    const mechanics *s;
    symmetries group;
    steady_problem *problem;
    steady_motion motion;
} steady_job;

hamel_status steady_job_run(model *m, const char *at, steady_job *j);
void steady_job_close(steady_job *j);

// Digits that are right, or 0 where the ball is around it; a radius, rounded up. In the arena.
const char *steady_job_number(const steady_job *j, arb_srcptr v);
const char *steady_job_radius(const steady_job *j, const mag_t r);

#endif
