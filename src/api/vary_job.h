// What is to be varied, "v = 1..10", and the path of steady motions along it. `stability` and
// `continue` read it, run the job and close it, also where it failed.
#ifndef HAMEL_API_VARY_JOB_H
#define HAMEL_API_VARY_JOB_H

#include "api/steady_job.h"
#include "study/steady_path.h"

typedef struct {
    const char *name; // of a parameter, or of a coordinate, velocity or quasi-velocity
    arb_t low, high;
} vary;

// "NAME = A..B" with numbers or constant expressions; HAMEL_USAGE after saying what is wrong.
hamel_status vary_read(model *m, const char *words, vary *out);
void vary_clear(vary *v);

typedef struct {
    steady_job steady; // of a model that has the first value
    bool borrowed;     // it belongs to somebody else
    vary what;
    vary also;         // a second one; its name is NULL where there is none
    double start;      // where the steady motion was found
    double start_also; // and of the second one
    equations *eq;
    const ode *o;
    expr symbol; // of what is varied
    steady_path path;
} vary_job;

// Does it name two that are varied, "v = 1..10, g = 5..15"?
bool vary_is_plane(const char *words);
// Finds a steady motion at the value that the model or --at has, or at another one inside, and
// prepares the path through it.
// `whole`: as in steady_path_create.
hamel_status vary_job_run(model *m, const char *at, const char *words, bool whole, vary_job *j);
// Another path from the same motion; steady_path_clear() is the caller's
void vary_job_path(const vary_job *j, bool whole, steady_path *out);
// The same for an unknown that a motion found before holds, which is `known`'s and stays its own.
hamel_status vary_job_from(const steady_job *known, const ode *o, const char *words, vary_job *j);
void vary_job_close(vary_job *j);

#endif
