// Runs of a sweep, one behind the other, by motions of one thread.
#include "api/sweep_worker.h"

#include "api/sweep_motions.h"
#include "api/sweep_pieces.h"

#include <math.h>
#include <string.h>

struct sweep_worker {
    sweep_motions motions;
    double end; // of each run, where it does not follow from its values
};

hamel_status sweep_worker_create(const sweep_setting_up *how, bool tells, sweep_worker **out) {
    sweep_worker *w = memory_try(sizeof *w);
    *out = NULL;
    if (!w) return HAMEL_LIMIT;
    const hamel_status status = sweep_motions_create(&w->motions, how, tells);
    if (status) {
        memory_free(w);
        return status;
    }
    w->end = w->motions.list[0].w->j->r.asked.end;
    *out = w;
    return HAMEL_OK;
}

void sweep_worker_free(sweep_worker *w) {
    if (!w) return;
    sweep_motions_free(&w->motions);
    memory_free(w);
}

const hamel_motion *sweep_worker_motion(const sweep_worker *w) { return w->motions.list[0].w; }

double sweep_worker_end(const sweep_worker *w) { return w->end; }

bool sweep_worker_end_varies(const sweep_worker *w) { return w->motions.list[0].end; }

uint32_t sweep_worker_collected(const sweep_worker *w) { return w->motions.list[0].numbers; }

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
    swept_motion *s = &w->motions.list[0];
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

sweep_outcome sweep_worker_outcome(run_status status) {
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
    r->begins_at = sweep_start_columns(s->start);
    run_status status = run_begin(r);
    r->begins_at = NULL;
    if (status) return status;
    run_leave_poor_chart(r);
    collector_begin(s->c, r);
    return run_integrate(r);
}

static void no_numbers(size_t count, double *out) {
    for (size_t i = 0; i < count; i++) out[i] = NAN;
}

static start_result run_one(swept_motion *s, double usual_end, const double *values,
                            double *collected, sweep_end *end) {
    const uint32_t count = s->numbers;
    const run *r = &s->w->j->r;
    const start_result start = sweep_start_find(s->start, values);
    if (start == START_OF_ANOTHER) return start;
    *end = (sweep_end){.t = NAN, .outcome = SWEEP_NO_START, .event = -1};
    no_numbers(count, collected);
    if (start == START_NONE) return start;
    const double until = s->end ? motion_value(s->w, s->end) : usual_end;
    if (s->end && !(until > s->w->j->sim->t0 && isfinite(until))) return START_NONE;
    const run_status status = go(s, until);
    *end = (sweep_end){.t = r->state.t, .outcome = sweep_worker_outcome(status), .event = -1};
    if (status == RUN_EVENT) end->event = collector_stopped_by(s->c);
    collector_finish(s->c, r, status && status != RUN_EVENT, collected);
    return start;
}

// As many as this motion takes, from *done on. `chosen`: it was found to take the first.
static hamel_status run_some(swept_motion *s, sweep_worker *w, bool chosen, uint64_t count,
                             const double *values, double *collected, sweep_end *end,
                             uint64_t *done) {
    const uint32_t each = w->motions.values, numbers = s->numbers;
    const volatile int *stop = w->motions.how->run.interrupted;
    hamel_status status = HAMEL_OK;
    budget_hold();
    for (bool takes = true; takes && *done < count && !status; chosen = false) {
        const uint64_t i = *done;
        const double *own = values + i * each;
        if (budget_flag_is_set(stop)) status = HAMEL_LIMIT;
        takes = !status && (chosen || sweep_motions_suit(&w->motions, s, own)) &&
                run_one(s, w->end, own, collected + i * numbers, end + i) != START_OF_ANOTHER;
        if (takes) ++*done;
    }
    if (budget_flag_is_set(stop)) status = HAMEL_LIMIT;
    budget_release();
    return status;
}

static hamel_status enter_and_run(swept_motion *s, sweep_worker *w, bool chosen, uint64_t count,
                                  const double *values, double *collected, sweep_end *end,
                                  uint64_t *done) {
    API_CALL(s->w->ctx, NULL, run_some(s, w, chosen, count, values, collected, end, done),
             "running a sweep");
}

static sweep_pieces all_in_pieces(const sweep_worker *w) {
    return (sweep_pieces){.how = w->motions.how,
                          .first = sweep_worker_motion(w),
                          .end = w->motions.list[0].end ? 0 : w->end,
                          .numbers = sweep_worker_collected(w)};
}

static hamel_status run_in_pieces(sweep_worker *w, uint64_t count, const double *values,
                                  double *collected, sweep_end *end) {
    const sweep_pieces all = all_in_pieces(w);
    hamel_status status = HAMEL_OK;
    for (uint64_t i = 0; i < count && !status; i++)
        status = sweep_pieces_run(&all, values + i * w->motions.values, collected + i * all.numbers,
                                  end + i);
    return status;
}

hamel_status sweep_worker_run(sweep_worker *w, uint64_t count, const double *values,
                              double *collected, sweep_end *end) {
    if (sweep_worker_motion(w)->of_pieces) return run_in_pieces(w, count, values, collected, end);
    const uint32_t each = w->motions.values, numbers = sweep_worker_collected(w);
    swept_motion *s = &w->motions.list[0];
    uint64_t done = 0;
    hamel_status status = enter_and_run(s, w, false, count, values, collected, end, &done);
    while (done < count && !status) {
        const uint64_t before = done;
        status = sweep_motions_choose(&w->motions, values + done * each, &s);
        if (!status) status = enter_and_run(s, w, true, count, values, collected, end, &done);
        if (status && status != HAMEL_MODEL) return status;
        if (done == before) { // there is no model with these values
            end[done] = (sweep_end){.t = NAN, .outcome = SWEEP_NO_START, .event = -1};
            no_numbers(numbers, collected + done++ * numbers);
        }
        status = HAMEL_OK;
    }
    return status;
}

// --- trajectories --------------------------------------------------------------------------------

static hamel_status follow_run(swept_motion *s, const double *values, const double *times,
                               size_t count, double *rows) {
    hamel_motion *w = s->w;
    if (sweep_start_find(s->start, values) != START_FOUND) return HAMEL_OK;
    motion_stand(w);
    w->j->r.follower = NULL;
    w->j->r.begins_at = sweep_start_columns(s->start);
    const hamel_status status = motion_go(w, times[count - 1], times, count, rows, NULL);
    context_forget(w->ctx); // where it came to an end before the last time there are no rows
    return status == HAMEL_USAGE || w->j->outcome == RUN_INTERRUPTED ? status : HAMEL_OK;
}

static hamel_status enter_and_follow(swept_motion *s, const double *values, const double *times,
                                     size_t count, double *rows) {
    API_CALL(s->w->ctx, NULL, follow_run(s, values, times, count, rows), "running a motion");
}

hamel_status sweep_worker_rows(sweep_worker *w, const double *values, const double *times,
                               size_t count, double *rows) {
    swept_motion *s;
    no_numbers(count * w->motions.list[0].w->j->sim->column_count, rows);
    if (!count) return HAMEL_OK;
    const sweep_pieces all = all_in_pieces(w);
    if (all.first->of_pieces) return sweep_pieces_rows(&all, values, times, count, rows);
    const hamel_status status = sweep_motions_choose(&w->motions, values, &s);
    if (status) return status == HAMEL_MODEL ? HAMEL_OK : status;
    return enter_and_follow(s, values, times, count, rows);
}

// --- starts for others ---------------------------------------------------------------------------

static hamel_status take_start(swept_motion *s, const double *values, start_result *found,
                               double *t, double *z, double *parameters) {
    *found = sweep_start_find(s->start, values);
    if (*found != START_FOUND) return HAMEL_OK;
    const simulation *sim = s->w->j->sim;
    *t = sim->t0;
    memcpy(z, sim->z0, sizeof(double) * sim->o->size);
    memcpy(parameters, sim->parameter_value, sizeof(double) * sim->parameter_count);
    return HAMEL_OK;
}

static hamel_status enter_and_take(swept_motion *s, const double *values, start_result *found,
                                   double *t, double *z, double *parameters) {
    API_CALL(s->w->ctx, NULL, take_start(s, values, found, t, z, parameters), "starting a motion");
}

bool sweep_worker_find(sweep_worker *w, const double *values, double *t, double *z,
                       double *parameters, sweep_outcome *why) {
    start_result found = START_OF_ANOTHER;
    swept_motion *s = sweep_motions_first(&w->motions, values);
    *why = SWEEP_OTHER;
    if (!s || enter_and_take(s, values, &found, t, z, parameters) || found == START_OF_ANOTHER)
        return false;
    *why = SWEEP_NO_START;
    return found == START_FOUND;
}
