// Running motions: a start, a run, a look at where it is.
#include "api/motion.h"

#include "execute/data_pieces.h"
#include "simulate/run_memory.h"
#include "simulate/run_rows.h"

#include <math.h>
#include <string.h>

// --- the start -----------------------------------------------------------------------------------

// What that takes of the arena is given back, unless it made expressions, whose symbols lie there.
hamel_status motion_complete(hamel_motion *w, const completion_request *given) {
    simulation *sim = w->j->sim;
    completion_request where = *given;
    simulation_tell_model(sim);
    const arena_mark before = arena_here(&w->ctx->arena);
    const uint32_t nodes = pool_size(w->m->pool);
    hamel_status status = HAMEL_OK;
    start_projection unused;
    if (w->asked->project) status = project_start(w->m, &where, &unused);
    if (!status) status = simulation_restart(sim, &where);
    if (!status && pool_size(w->m->pool) == nodes && !w->ctx->diagnostic_count)
        arena_back_to(&w->ctx->arena, before);
    return status;
}

void motion_take_values(hamel_motion *w) {
    if (!w->is_changed) return;
    for (uint32_t i = 0; i < w->knob_count; i++) w->value[i] = w->knobs[i].value;
    run_set_parameters(&w->j->r, w->value);
    w->is_changed = false, w->is_unusual = w->usual_depends;
}

void motion_stand(hamel_motion *w) {
    const simulation *sim = w->j->sim;
    memcpy(w->z, sim->z0, sizeof(double) * sim->o->size);
    run_rewind(&w->j->r);
    w->has_no_start = false;
}

static hamel_status start(hamel_motion *w, double t, const double *z, const char *at) {
    simulation *sim = w->j->sim;
    const size_t size = sizeof(double) * sim->o->size;
    hamel_status status = HAMEL_OK;
    w->has_no_start = true;
    motion_take_values(w);
    if (at) {
        completion_request where = {.mode = COMPLETE_STRICT, .zero_defaults = true};
        status = api_read_state(w->m, at, &where);
        if (!status) status = motion_complete(w, &where);
    } else if (z) {
        if (!isfinite(t)) return motion_refuse(w, "t is no finite number at the start");
        for (uint32_t i = 0; i < sim->o->size; i++)
            if (!isfinite(z[i]))
                return motion_refuse(w, "`%s` is no finite number at the start", w->state_name[i]);
        sim->t0 = t, memcpy(sim->z0, z, size);
    } else if (w->is_unusual) {
        status = motion_complete(w, &w->where);
        if (!status) motion_take_usual(w), w->is_unusual = false;
    } else {
        sim->t0 = w->usual_t, memcpy(sim->z0, w->usual, size);
    }
    w->j->r.begins_at = at && !status ? sim->columns0 : NULL;
    if (!status) motion_stand(w);
    return status;
}

// A callback may look at other motions, not at the one that it was called by.
static hamel_status refuse_running(const hamel_motion *w) {
    if (!w->is_running) return HAMEL_OK;
    return motion_refuse(w, "the motion is running: it can be looked at when the run has ended");
}

static hamel_status refuse_to_start(hamel_motion *w) {
    if (!w->is_running) context_forget(w->ctx);
    return refuse_running(w);
}

static hamel_status enter_and_refuse(hamel_motion *w) {
    API_CALL(w->ctx, NULL, refuse_to_start(w), "starting a motion");
}

static hamel_status enter_and_start(hamel_motion *w, double t, const double *z, const char *at) {
    API_CALL(w->ctx, NULL, start(w, t, z, at), "starting a motion");
}

static hamel_status start_anyhow(hamel_motion *w, double t, const double *z, const char *at) {
    hamel_status status = enter_and_refuse(w);
    if (!status) status = motion_settle_parameters(w);
    return status ? status : enter_and_start(w, t, z, at);
}

hamel_status hamel_motion_start(hamel_motion *w, double t, const double *z) {
    API_NEEDS(NULL, w);
    return start_anyhow(w, t, z, NULL);
}

hamel_status hamel_motion_start_at(hamel_motion *w, const char *at) {
    API_NEEDS(NULL, w);
    API_NEEDS(w->ctx, at);
    return start_anyhow(w, 0, NULL, at);
}

// --- the run -------------------------------------------------------------------------------------

static bool put_row(sink *s, const double *values) {
    row_writer *w = (row_writer *)s;
    if (w->record->rows == 1 ? w->skips_first : !w->every_step && w->record->number < 0)
        return true;
    if (w->rows) memcpy(w->rows + w->written * w->columns, values, sizeof(double) * w->columns);
    w->written++;
    return true;
}

static bool tell_event(const run *r, uint32_t event, double t, int direction, void *data) {
    hamel_motion *w = data;
    const locale_t inside = uselocale(recovery_now->callers);
    const bool ends = w->happened(w->happened_data, event, t, direction, r->record.row);
    uselocale(inside);
    return ends;
}

// The times of rows as the driver wants them: the first is now, which need not be one of them.
static hamel_status set_times(hamel_motion *w, const double *times, size_t count) {
    run *r = &w->j->r;
    const double now = r->state.t;
    double before = now;
    for (size_t i = 0; i < count; i++) {
        const bool good = i ? times[i] > before : times[i] >= before;
        if (!good || !isfinite(times[i]))
            return motion_refuse(w, "the times of the rows are to increase%s",
                                 i ? "" : " from now on");
        before = times[i];
    }
    if (count + 1 > w->times_capacity) {
        w->times_capacity = 2 * (count + 1);
        memory_grow(w->times, w->times_capacity), memory_grow(w->numbers, w->times_capacity);
        for (size_t i = 0; i < w->times_capacity; i++) w->numbers[i] = (int64_t)i - 1;
    }
    const size_t skip = count && times[0] == now ? 0 : 1;
    w->times[0] = now;
    if (count) memcpy(w->times + skip, times, sizeof(double) * count);
    w->out.skips_first = skip;
    r->asked.times = w->times, r->asked.time_count = (uint32_t)(count + skip);
    r->asked.numbers = w->numbers + (1 - skip);
    return HAMEL_OK;
}

static hamel_status plan_rows(hamel_motion *w, const double *times, size_t count, double *rows) {
    run *r = &w->j->r;
    if (count >= UINT32_MAX) return motion_refuse(w, "there can be at most 2^32 - 2 rows");
    w->out = (row_writer){.base.row = put_row,
                          .record = &r->record,
                          .every_step = !times && count,
                          .columns = w->j->sim->column_count,
                          .rows = rows};
    r->record.out = &w->out.base;
    r->asked.interval = 0;
    r->asked.times = NULL, r->asked.most_rows = 0;
    if (!w->out.every_step) return set_times(w, times, times ? count : 0);
    r->asked.most_rows = count + 1, w->out.skips_first = true;
    return HAMEL_OK;
}

static void tell(const hamel_motion *w, hamel_outcome *out) {
    const run *r = &w->j->r;
    const simulation *sim = r->state.f->sim;
    *out = (hamel_outcome){.t = r->state.t,
                           .rows = w->out.written,
                           .steps = r->record.steps,
                           .rejected = r->state.rejected,
                           .evaluations = r->state.f->rate_calls,
                           .events = r->record.events_count,
                           .words = run_job_outcome(w->j)};
    for (uint32_t k = 0; k < sim->watched_count; k++)
        out->drift = fmax(out->drift, r->record.deviation[sim->watched[k]]);
    if (w->j->outcome == RUN_LIMIT && w->out.every_step)
        out->words = "the number of steps was reached";
}

// Functions from data have values from their first point to the last.
static hamel_status refuse_beyond_data(hamel_motion *w, double from, double to) {
    const simulation *sim = w->j->sim;
    spline *f = data_pieces_short(sim, from, to);
    if (!f) return HAMEL_OK;
    return motion_refuse(w, "the data of `%s` reach from t = %.10g to t = %.10g", f->name,
                         spline_knots(f)[0], spline_knots(f)[f->count - 1]);
}

hamel_status motion_go(hamel_motion *w, double until, const double *times, size_t count,
                       double *rows, hamel_outcome *out) {
    run *r = &w->j->r;
    const hamel_status free = refuse_running(w);
    if (free) return free;
    context_forget(w->ctx);
    if (w->has_no_start) return motion_refuse(w, "the motion has no start: the last was refused");
    if (!(until >= r->state.t) || !isfinite(until))
        return motion_refuse(w, "the motion is beyond the time at which the run is to end");
    hamel_status planned = refuse_beyond_data(w, r->state.t, until);
    if (!planned) planned = plan_rows(w, times, count, rows);
    if (planned) return planned;
    r->asked.end = until;
    r->told = w->happened ? tell_event : NULL, r->told_data = w;
    w->is_running = true;
    budget_hold();
    run_status done = run_begin(r);
    r->begins_at = NULL;
    if (!done) run_leave_poor_chart(r), done = run_integrate(r);
    budget_release();
    w->is_running = false;
    w->j->outcome = done;
    if (out) tell(w, out);
    return done == RUN_LIMIT && w->out.every_step ? HAMEL_OK : run_job_status(w->j);
}

hamel_status hamel_motion_run(hamel_motion *w, double until, const double *times, size_t count,
                              double *rows, hamel_outcome *outcome) {
    API_NEEDS(NULL, w);
    if (outcome) *outcome = (hamel_outcome){0};
    API_CALL(w->ctx, NULL, motion_go(w, until, times, count, rows, outcome), "running a motion");
}

// --- what there is -------------------------------------------------------------------------------

hamel_context *hamel_motion_context(hamel_motion *w) { return w ? w->ctx : NULL; }

size_t hamel_motion_count(const hamel_motion *w, hamel_motion_kind kind) {
    if (!w || w->ctx->dead) return 0;
    switch (kind) {
    case HAMEL_STATE: return w->j->sim->o->size;
    case HAMEL_COLUMN: return w->j->sim->column_count;
    case HAMEL_PARAMETER: return w->knob_count;
    case HAMEL_EVENT: return w->m->events_count;
    }
    return 0;
}

const char *hamel_motion_name(const hamel_motion *w, hamel_motion_kind kind, size_t index) {
    if (index >= hamel_motion_count(w, kind)) return NULL;
    switch (kind) {
    case HAMEL_STATE: return w->state_name[index];
    case HAMEL_COLUMN: return w->j->sim->column[index].name;
    case HAMEL_PARAMETER: return w->knobs[index].name;
    case HAMEL_EVENT: return w->m->events[index].name;
    }
    return NULL;
}

int hamel_motion_event(const hamel_motion *w, size_t index, size_t *which, double *t,
                       int *direction) {
    if (!w || w->ctx->dead || index >= w->j->r.record.events_count) return 0;
    const event_record *e = &w->j->r.record.events[index];
    for (uint32_t i = 0; which && i < w->m->events_count; i++)
        if (w->m->events[i].name == e->name) *which = i;
    if (t) *t = e->t;
    if (direction) *direction = e->direction;
    return 1;
}

// z as the motion began with it, where other independent velocities were chosen on the way: both
// are (q, velocities), and a row has all of these
static void first_state(const hamel_motion *w, const double *row, double *z) {
    const mechanics *s = w->j->sim->eq->system;
    for (uint32_t i = 0; i < s->n; i++) z[i] = row[1 + i];
    for (uint32_t i = 0; i < s->m; i++) z[s->n + i] = row[1 + s->n + s->independent[i]];
}

// Coordinates with the turns that the run has taken off them
static void whole_state(const hamel_motion *w, double *z) {
    const run *r = &w->j->r;
    memcpy(z, r->state.z, sizeof(double) * w->j->sim->o->size);
    for (uint32_t i = 0; i < w->j->sim->eq->system->n; i++) z[i] = run_coordinate(r, i);
}

static hamel_status now(hamel_motion *w, double *t, double *z, double *row) {
    run *r = &w->j->r;
    const hamel_status free = refuse_running(w);
    if (free) return free;
    if (!r->work) run_reset(r); // it has not moved yet
    run_enter_piece(r);
    const bool made = run_make_row(r, ROW_WITHOUT_NUMBER, r->state.t, r->state.z);
    if (t) *t = r->state.t;
    if (z && !r->state.chart) whole_state(w, z);
    else if (z) first_state(w, r->record.row, z);
    if (row) memcpy(row, r->record.row, sizeof(double) * w->j->sim->column_count);
    return made || !row ? HAMEL_OK : HAMEL_NUMERICS;
}

hamel_status hamel_motion_now(hamel_motion *w, double *t, double *z, double *row) {
    API_NEEDS(NULL, w);
    API_CALL(w->ctx, NULL, now(w, t, z, row), "looking at a motion");
}

static hamel_status rate(hamel_motion *w, double t, const double *z, double *out) {
    hamel_status status = refuse_running(w);
    if (!status) status = refuse_beyond_data(w, t, t);
    if (status) return status;
    run_look_at(&w->j->r, t);
    return w->j->field->rate(w->j->field, t, z, out) ? HAMEL_OK : HAMEL_NUMERICS;
}

hamel_status hamel_motion_rate(hamel_motion *w, double t, const double *z, double *out) {
    API_NEEDS(NULL, w);
    API_NEEDS(w->ctx, z);
    API_NEEDS(w->ctx, out);
    API_CALL(w->ctx, NULL, rate(w, t, z, out), "evaluating the equations of motion");
}

static hamel_status rates(hamel_motion *w, size_t count, const double *t, const double *z,
                          double *out) {
    const size_t size = w->j->sim->o->size;
    hamel_status all = HAMEL_OK;
    for (size_t i = 0; i < count; i++) {
        const hamel_status status = rate(w, t[i], z + i * size, out + i * size);
        if (status && status != HAMEL_NUMERICS) return status;
        if (status) all = status;
        for (size_t k = 0; k < size && status; k++) out[i * size + k] = NAN;
        budget_check();
    }
    return all;
}

hamel_status hamel_motion_rates(hamel_motion *w, size_t count, const double *t, const double *z,
                                double *out) {
    API_NEEDS(NULL, w);
    if (count) API_NEEDS(w->ctx, t);
    if (count) API_NEEDS(w->ctx, z);
    if (count) API_NEEDS(w->ctx, out);
    API_CALL(w->ctx, NULL, rates(w, count, t, z, out), "evaluating the equations of motion");
}

hamel_status hamel_motion_on_event(hamel_motion *w,
                                   int (*happened)(void *data, size_t which, double t,
                                                   int direction, const double *row),
                                   void *data) {
    API_NEEDS(NULL, w);
    w->happened = happened, w->happened_data = data;
    return w->ctx->dead ? HAMEL_LIMIT : HAMEL_OK;
}
