// Chunks of runs by motions, one worker a thread.
#include "api/sweep_scalar.h"

#include <stddef.h>
#include <stdio.h>

sweep_worker *sweep_scalar_worker(scalar_engine *e, uint32_t worker) {
    if (!e->worker[worker]) sweep_worker_create(&e->how, false, &e->worker[worker]);
    return e->worker[worker];
}

static bool find_start(sweep_starts *s, uint32_t worker, const double *values, double *t, double *z,
                       double *parameters, sweep_outcome *why) {
    scalar_engine *e = (scalar_engine *)((char *)s - offsetof(scalar_engine, starts));
    sweep_worker *w = sweep_scalar_worker(e, worker);
    *why = SWEEP_OTHER;
    return w && sweep_worker_find(w, values, t, z, parameters, why);
}

hamel_status sweep_scalar_system(scalar_engine *e, sweep_system *out) {
    const hamel_status status = sweep_worker_system(e->worker[0], out);
    e->starts.find = find_start;
    out->starts = &e->starts;
    return status;
}

static bool run_chunk(sweep_engine *base, uint32_t worker, uint64_t count, const double *values,
                      double *collected, sweep_end *end) {
    scalar_engine *e = (scalar_engine *)base;
    sweep_worker *w = sweep_scalar_worker(e, worker);
    return w && !sweep_worker_run(w, count, values, collected, end);
}

static void close_workers(void *of) {
    scalar_engine *e = of;
    for (uint32_t i = 0; i < e->base.worker_count; i++) sweep_worker_free(e->worker[i]);
}

static void release(sweep_engine *base) {
    scalar_engine *e = (scalar_engine *)base;
    guard_lift(&e->open);
    close_workers(e);
    memory_free(e->worker);
    memory_free(e);
}

hamel_status sweep_scalar_create(const sweep_setting_up *how, uint32_t workers, bool tells,
                                 scalar_engine **out) {
    enum { AT_A_TIME = 64 };
    *out = NULL;
    scalar_engine *e = memory_new(scalar_engine);
    e->how = *how;
    e->worker = memory_zeros(sweep_worker *, workers);
    const hamel_status status = sweep_worker_create(&e->how, tells, &e->worker[0]);
    if (status) {
        memory_free(e->worker), memory_free(e);
        return status;
    }
    const hamel_motion *w = sweep_worker_motion(e->worker[0]);
    snprintf(e->words, sizeof e->words, "scalar, %s", w->j->method->id);
    e->base = (sweep_engine){.how = e->words,
                             .arithmetic = "scalar",
                             .value_count = sweep_plan_values(how->plan),
                             .collected_count = sweep_worker_collected(e->worker[0]),
                             .worker_count = workers,
                             .preferred = AT_A_TIME,
                             .run = run_chunk,
                             .release = release,
                             .interrupted = how->run.interrupted};
    guard_set(&e->open, close_workers, e);
    *out = e;
    return HAMEL_OK;
}
