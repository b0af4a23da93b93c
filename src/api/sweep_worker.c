// Runs of a sweep, one behind the other, by motions of one thread.
#include "api/sweep_worker.h"

#include "api/sweep_start.h"

#include <math.h>
#include <string.h>

enum { MOST_MOTIONS = 8 };

// A motion made ready for sweeps
typedef struct {
    hamel_motion *w;
    collector *c;
    sweep_start *start;
    uint32_t numbers; // collected of each run
    const collected *what;
    tape *value, *slope; // of what is collected, for other engines
} swept_motion;

struct sweep_worker {
    const sweep_setting_up *how;
    double end; // of each run
    swept_motion list[MOST_MOTIONS];
    uint32_t count, now, oldest;
};

// --- making --------------------------------------------------------------------------------------

static hamel_status make_ready(swept_motion *s, const sweep_setting_up *how) {
    const hamel_status status = how->collects(s->w->m, how->data, &s->what, &s->numbers);
    if (status) return status;
    const run_job *j = s->w->j;
    s->c = collector_create(j->sim, s->numbers, s->what);
    if (!s->c) return HAMEL_MODEL;
    const hamel_status limits = run_limits_check(j); // of data that is collected, too
    return limits ? limits : sweep_start_create(s->w, how->plan, &s->start);
}

static hamel_status enter_and_make_ready(swept_motion *s, const sweep_setting_up *how) {
    API_CALL(s->w->ctx, NULL, make_ready(s, how), "preparing a sweep");
}

static void close(swept_motion *s) {
    s->w->j->r.follower = NULL;
    collector_free(s->c);
    sweep_start_free(s->start);
    tape_free(s->value), tape_free(s->slope);
}

static hamel_status enter_and_close(swept_motion *s) {
    API_CALL(s->w->ctx, NULL, (close(s), HAMEL_OK), "closing a sweep");
}

static void drop(swept_motion *s) {
    if (!s->w) return;
    enter_and_close(s);
    hamel_motion_free(s->w);
    *s = (swept_motion){0};
}

// Another motion for what knobs of a motion have been set to; like the first if there is none
static hamel_status prepare(sweep_worker *w, const swept_motion *like, bool tells,
                            swept_motion *out) {
    *out = (swept_motion){0};
    hamel_status status = like ? hamel_motion_copy(like->w, &out->w)
                               : motion_create(w->how->m, &w->how->run, tells, &out->w);
    if (!status) {
        budget *b = &out->w->ctx->budget;
        b->seconds = 0, b->interrupted = w->how->run.interrupted; // the sweep looks at the clock
        b->memory = b->memory < w->how->memory ? b->memory : w->how->memory;
        status = enter_and_make_ready(out, w->how);
    }
    if (status && tells && out->w) motion_hand_over(out->w, w->how->m);
    if (status) drop(out);
    return status;
}

hamel_status sweep_worker_create(const sweep_setting_up *how, bool tells, sweep_worker **out) {
    sweep_worker *w = memory_try(sizeof *w);
    *out = NULL;
    if (!w) return HAMEL_LIMIT;
    w->how = how;
    const hamel_status status = prepare(w, NULL, tells, &w->list[0]);
    if (status) {
        memory_free(w);
        return status;
    }
    w->count = 1;
    w->end = w->list[0].w->j->r.asked.end;
    *out = w;
    return HAMEL_OK;
}

void sweep_worker_free(sweep_worker *w) {
    if (!w) return;
    for (uint32_t i = 0; i < w->count; i++) drop(&w->list[i]);
    memory_free(w);
}

const hamel_motion *sweep_worker_motion(const sweep_worker *w) { return w->list[0].w; }

double sweep_worker_end(const sweep_worker *w) { return w->end; }

uint32_t sweep_worker_collected(const sweep_worker *w) { return w->list[0].numbers; }

static hamel_status make_tapes(swept_motion *s) {
    const simulation *sim = s->w->j->sim;
    expr *open = memory_array(expr, s->numbers + 1);
    for (uint32_t i = 0; i < s->numbers; i++)
        open[i] = s->what[i].value == EXPR_NONE ? EXPR_ZERO : s->what[i].value;
    ode_open_expressions(sim->o, s->numbers, open, open);
    s->value = simulation_tape(sim, s->numbers, open);
    s->slope = simulation_slopes_along(sim, s->numbers, open);
    memory_free(open);
    return HAMEL_OK;
}

static hamel_status enter_and_make_tapes(swept_motion *s) {
    API_CALL(s->w->ctx, NULL, make_tapes(s), "preparing a sweep");
}

hamel_status sweep_worker_system(sweep_worker *w, sweep_system *out) {
    swept_motion *s = &w->list[0];
    const run_job *j = s->w->j;
    const hamel_status status = s->value ? HAMEL_OK : enter_and_make_tapes(s);
    *out = (sweep_system){.sim = j->sim,
                          .method = j->method,
                          .tolerance = j->r.asked.tolerance,
                          .step = j->r.asked.step,
                          .end = w->end,
                          .collected_count = s->numbers,
                          .collected = s->what,
                          .value = s->value,
                          .slope = s->slope};
    return status;
}

// --- runs ----------------------------------------------------------------------------------------

static sweep_outcome outcome_of(run_status status) {
    switch (status) {
    case RUN_DONE: return SWEEP_REACHED;
    case RUN_EVENT: return SWEEP_STOPPED;
    case RUN_NOT_FINITE: return SWEEP_NOT_FINITE;
    case RUN_RANK: return SWEEP_SINGULAR;
    case RUN_UNDERFLOW:
    case RUN_TOO_MANY: return SWEEP_STUCK;
    case RUN_INTERRUPTED:
    case RUN_LIMIT: return SWEEP_LIMIT;
    case RUN_CHART:
    case RUN_METHOD:
    case RUN_FAILED: break;
    }
    return SWEEP_OTHER;
}

// From the start that the motion has, without rows
static run_status go(swept_motion *s, double end) {
    run *r = &s->w->j->r;
    motion_stand(s->w);
    r->asked.end = end, r->asked.interval = end - r->state.t;
    r->asked.times = NULL, r->asked.most_rows = 0;
    r->record.out = NULL;
    r->follower = collector_follower(s->c);
    run_status status = run_begin(r);
    if (status) return status;
    run_leave_poor_chart(r);
    collector_begin(s->c, r);
    return run_integrate(r);
}

static void no_numbers(size_t count, double *out) {
    for (size_t i = 0; i < count; i++) out[i] = NAN;
}

static start_result run_one(swept_motion *s, double until, const double *values, double *collected,
                            sweep_end *end) {
    const uint32_t count = s->numbers;
    const run *r = &s->w->j->r;
    const start_result start = sweep_start_find(s->start, values);
    if (start == START_OF_ANOTHER) return start;
    *end = (sweep_end){.t = NAN, .outcome = SWEEP_NO_START, .event = -1};
    no_numbers(count, collected);
    if (start == START_NONE) return start;
    const run_status status = go(s, until);
    *end = (sweep_end){.t = r->state.t, .outcome = outcome_of(status), .event = -1};
    if (status == RUN_EVENT) end->event = collector_stopped_by(s->c);
    collector_finish(s->c, r, status && status != RUN_EVENT, collected);
    return start;
}

// As many as this motion can; the first is values[0].
static hamel_status run_some(swept_motion *s, const sweep_worker *w, uint64_t count,
                             const double *values, double *collected, sweep_end *end,
                             uint64_t *done) {
    const uint32_t each = sweep_plan_values(w->how->plan), numbers = s->numbers;
    const volatile int *stop = w->how->run.interrupted;
    hamel_status status = HAMEL_OK;
    budget_hold();
    while (*done < count && !status) {
        const uint64_t i = *done;
        if (budget_flag_is_set(stop)) status = HAMEL_LIMIT;
        else if (run_one(s, w->end, values + i * each, collected + i * numbers, end + i) ==
                 START_OF_ANOTHER)
            break;
        else ++*done;
    }
    if (budget_flag_is_set(stop)) status = HAMEL_LIMIT;
    budget_release();
    return status;
}

static hamel_status enter_and_run(swept_motion *s, const sweep_worker *w, uint64_t count,
                                  const double *values, double *collected, sweep_end *end,
                                  uint64_t *done) {
    API_CALL(s->w->ctx, NULL, run_some(s, w, count, values, collected, end, done),
             "running a sweep");
}

// --- another motion ------------------------------------------------------------------------------

static hamel_status try_start(swept_motion *s, const double *values, start_result *found) {
    *found = sweep_start_find(s->start, values);
    return HAMEL_OK;
}

static hamel_status enter_and_try(swept_motion *s, const double *values, start_result *found) {
    API_CALL(s->w->ctx, NULL, try_start(s, values, found), "starting a motion");
}

// A motion for these values: one that there is, or a new one in the place of the oldest. The first
// stays. HAMEL_MODEL: with these values there is no model.
static hamel_status change_motion(sweep_worker *w, const double *values) {
    for (uint32_t i = 0; i < w->count; i++) {
        start_result found = START_OF_ANOTHER;
        const hamel_status status = enter_and_try(&w->list[i], values, &found);
        if (status) return status;
        w->now = i;
        if (found != START_OF_ANOTHER) return HAMEL_OK;
    }
    sweep_start_set_knobs(w->list[0].start, values);
    swept_motion made;
    const hamel_status status = prepare(w, &w->list[0], false, &made);
    w->now = 0;
    if (status) return status == HAMEL_LIMIT ? status : HAMEL_MODEL;
    if (w->count < MOST_MOTIONS) {
        w->now = w->count++;
    } else {
        w->now = w->oldest = w->oldest % (MOST_MOTIONS - 1) + 1;
        drop(&w->list[w->now]);
    }
    w->list[w->now] = made;
    return HAMEL_OK;
}

hamel_status sweep_worker_run(sweep_worker *w, uint64_t count, const double *values,
                              double *collected, sweep_end *end) {
    const uint32_t each = sweep_plan_values(w->how->plan);
    const uint32_t numbers = w->list[0].numbers;
    uint64_t done = 0, before = UINT64_MAX;
    while (done < count) {
        hamel_status status =
            enter_and_run(&w->list[w->now], w, count, values, collected, end, &done);
        if (status) return status;
        if (done == count) break;
        // the same run by a motion that was made for it: there is no model with these values
        status = done == before ? HAMEL_MODEL : change_motion(w, values + done * each);
        before = done;
        if (status == HAMEL_LIMIT) return status;
        if (!status) continue;
        end[done] = (sweep_end){.t = NAN, .outcome = SWEEP_NO_START, .event = -1};
        no_numbers(numbers, collected + done++ * numbers);
    }
    return HAMEL_OK;
}

// --- trajectories --------------------------------------------------------------------------------

static hamel_status follow_run(swept_motion *s, const double *values, const double *times,
                               size_t count, double *rows, start_result *start) {
    hamel_motion *w = s->w;
    const size_t size = count * w->j->sim->column_count;
    no_numbers(size, rows);
    *start = sweep_start_find(s->start, values);
    if (*start != START_FOUND) return HAMEL_OK;
    motion_stand(w);
    w->j->r.follower = NULL;
    const hamel_status status = motion_go(w, times[count - 1], times, count, rows, NULL);
    context_forget(w->ctx); // where it came to an end before the last time there are no rows
    return status == HAMEL_USAGE || w->j->outcome == RUN_INTERRUPTED ? status : HAMEL_OK;
}

static hamel_status enter_and_follow(swept_motion *s, const double *values, const double *times,
                                     size_t count, double *rows, start_result *start) {
    API_CALL(s->w->ctx, NULL, follow_run(s, values, times, count, rows, start), "running a motion");
}

hamel_status sweep_worker_rows(sweep_worker *w, const double *values, const double *times,
                               size_t count, double *rows) {
    start_result start = START_OF_ANOTHER;
    if (!count) return HAMEL_OK;
    hamel_status status = enter_and_follow(&w->list[w->now], values, times, count, rows, &start);
    if (status || start != START_OF_ANOTHER) return status;
    status = change_motion(w, values);
    if (status) return status == HAMEL_MODEL ? HAMEL_OK : status;
    return enter_and_follow(&w->list[w->now], values, times, count, rows, &start);
}

// --- starts for others ---------------------------------------------------------------------------

bool sweep_worker_find(sweep_worker *w, const double *values, double *t, double *z,
                       double *parameters, sweep_outcome *why) {
    start_result found = START_OF_ANOTHER;
    *why = SWEEP_OTHER;
    swept_motion *s = &w->list[0];
    if (enter_and_try(s, values, &found) || found == START_OF_ANOTHER) return false;
    *why = SWEEP_NO_START;
    if (found == START_NONE) return false;
    const simulation *sim = s->w->j->sim;
    *t = sim->t0;
    memcpy(z, sim->z0, sizeof(double) * sim->o->size);
    memcpy(parameters, sim->parameter_value, sizeof(double) * sim->parameter_count);
    return true;
}
