// One worker of a sweep: motions of its own, in contexts of their own, that go from start to start.
// Values that decide what the constraints are, and signs of parameters, take another motion; those
// that were prepared are kept while there is room. sweep_worker_find() makes starts for engines
// that run them elsewhere, sweep_worker_run() runs them here.
#ifndef HAMEL_API_SWEEP_WORKER_H
#define HAMEL_API_SWEEP_WORKER_H

#include "api/motion.h"
#include "sweep/collector.h"
#include "sweep/plan.h"
#include "sweep/system.h"

// What all workers have in common; it stays while there are any
typedef struct {
    const model *m;
    hamel_run run; // with the flag that ends all of it
    const sweep_plan *plan;
    size_t memory; // of a motion, at most
    // In a call on the context of this model, a copy of m: what is collected
    hamel_status (*collects)(model *copy, void *data, const collected **out, uint32_t *count);
    void *data;
} sweep_setting_up;

typedef struct sweep_worker sweep_worker;

sweep_outcome sweep_worker_outcome(run_status status);

// `tells`: errors are said in the context of the model.
hamel_status sweep_worker_create(const sweep_setting_up *how, bool tells, sweep_worker **out);
void sweep_worker_free(sweep_worker *w);
const hamel_motion *sweep_worker_motion(const sweep_worker *w); // the first
// When runs end: as the first motion was asked to, at the values of the model; or each at a time
// that follows from its values
double sweep_worker_end(const sweep_worker *w);
bool sweep_worker_end_varies(const sweep_worker *w);
uint32_t sweep_worker_collected(const sweep_worker *w); // how many numbers of each run
// Its first motion as what other engines run; `starts` is the caller's to set. It stays as long as
// the worker does, and is read by any thread, but for the values of its parameters.
hamel_status sweep_worker_system(sweep_worker *w, sweep_system *out);
// Runs one behind the other. HAMEL_LIMIT: there is no memory, or the sweep is to end.
hamel_status sweep_worker_run(sweep_worker *w, uint64_t count, const double *values,
                              double *collected, sweep_end *end);
// Rows of one run at these times; NaN where it did not come to them
hamel_status sweep_worker_rows(sweep_worker *w, const double *values, const double *times,
                               size_t count, double *rows);
// The start of a run for the system of the first motion; false: there is none, or (SWEEP_OTHER) it
// has another system.
bool sweep_worker_find(sweep_worker *w, const double *values, double *t, double *z,
                       double *parameters, sweep_outcome *why);

#endif
