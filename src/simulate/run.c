// The driver: rows at their times, events at theirs, drift at the end of every step.
#include "simulate/run.h"

#include "simulate/charts.h"
#include "simulate/run_events.h"
#include "simulate/run_memory.h"
#include "simulate/run_method.h"
#include "simulate/run_rows.h"
#include "integrate/event_search.h"
#include "simulate/projection.h"
#include "integrate/rank_watch.h"
#include "integrate/sight.h"
#include "integrate/extended.h"
#include "integrate/shifts.h"

#include <float.h>
#include <math.h>
#include <string.h>

// --- what the call may spend ---------------------------------------------------------------------

static run_status spent(const run *r) {
    if (budget_flag_is_set(r->asked.interrupted)) return RUN_INTERRUPTED;
    switch (budget_spent()) {
    case RECOVERY_INTERRUPTED: return RUN_INTERRUPTED;
    case RECOVERY_TIME: return RUN_LIMIT;
    default: return RUN_DONE;
    }
}

// Among the rows of one step: after every so many of them, and only then a step is not taken to its
// end. A run that goes on from there takes other steps than one that was not disturbed.
static run_status spent_by_rows(const run *r, uint64_t rows) {
    enum { ROWS = 4096 };
    return rows % ROWS ? RUN_DONE : spent(r);
}

// --- rows ----------------------------------------------------------------------------------------

// A row at the very end of a step
static double slack(const run *r, double t) {
    const double scale = fabs(t);
    return 8 * DBL_EPSILON * (scale > r->asked.interval ? scale : r->asked.interval);
}

static run_status write_rows_up_to(run *r, double t, const double *z, const dense *inside) {
    if (r->asked.section) return RUN_DONE; // those are at crossings
    if (r->asked.interval <= 0 && !r->asked.times)
        return run_write_row(r, ROW_WITHOUT_NUMBER, t, z);
    const uint64_t first = r->record.next_row;
    run_status status = RUN_DONE;
    while (!status && run_row_time(r, r->record.next_row) <= t + slack(r, t)) {
        const double at = run_row_time(r, r->record.next_row);
        const int64_t number = !r->asked.times    ? (int64_t)r->record.next_row
                               : r->asked.numbers ? r->asked.numbers[r->record.next_row]
                                                  : ROW_WITHOUT_NUMBER;
        if (fabs(at - t) <= slack(r, t)) {
            status = run_write_row(r, number, t, z);
        } else {
            inside->at(inside, at, r->work);
            status = run_write_row(r, number, at, r->work);
        }
        r->record.next_row++;
        if (!status) status = spent_by_rows(r, r->record.next_row - first);
    }
    return status;
}

// --- charts --------------------------------------------------------------------------------------

static bool watches_chart(const run *r) { return r->charts && !r->charts_exhausted; }

static bool is_poor_at(run *r, double t, const dense *inside) {
    inside->at(inside, t, r->work);
    return charts_is_poor(r->charts, t, r->work);
}

// Where rows will be is not known yet, or all of the step counts: at places spread over it.
static double good_until_for_section(run *r, double t, const dense *inside) {
    enum { PLACES = 8 };
    const double from = r->state.t;
    for (int i = 1; i <= PLACES; i++)
        if (is_poor_at(r, from + (t - from) * i / PLACES, inside))
            return i > 1 ? from + (t - from) * (i - 1) / PLACES : t;
    return t;
}

// The first time of the step at which the chart is poor, if a row is due where it is. A long step
// may pass over such places unharmed: only rows at them would be wrong.
static double good_until(run *r, double t, const dense *inside) {
    enum { HALVINGS = 40 };
    if (r->asked.section || (r->follower && r->follower->looks_inside))
        return good_until_for_section(r, t, inside);
    double good = r->state.t;
    const bool every_step = r->asked.interval <= 0 && !r->asked.times;
    const uint64_t first = r->record.next_row;
    for (uint64_t n = first; good < t && (every_step || run_row_time(r, n) <= t + slack(r, t));
         n++) {
        double poor = every_step ? t : fmin(run_row_time(r, n), t);
        if (!is_poor_at(r, poor, inside)) {
            good = poor;
            if (spent_by_rows(r, n - first + 1)) return t; // the rows are not written either
            continue;
        }
        for (int i = 0; i < HALVINGS; i++) {
            const double middle = good + (poor - good) / 2;
            if (is_poor_at(r, middle, inside)) poor = middle;
            else good = middle;
        }
        return poor;
    }
    return t;
}

// --- what steps are searched for -----------------------------------------------------------------

// For the system of the chart that the run is in
static void watch_system(run *r) {
    const simulation *sim = r->state.f->sim;
    if (r->watched == sim) return;
    event_search_free(r->search), rank_watch_free(r->rank);
    r->search = run_event_count(r) ? event_search_create(sim) : NULL;
    r->rank = rank_watch_create(sim, r->asked.tolerance);
    r->watched = sim;
    if (r->rank) rank_watch_begin(r->rank, r->state.t, r->state.z);
}

// --- saving --------------------------------------------------------------------------------------

static run_position position_of(run *r) {
    integration *in = &r->state;
    run_position here = {.t = in->t,
                         .z = in->z,
                         .rest = in->rest,
                         .turns = in->turns,
                         .columns = r->record.row,
                         .chart = in->chart,
                         .rejected = in->rejected,
                         .evaluations = in->f->rate_calls};
    _Static_assert(sizeof here.pace == sizeof in->pace, "as many numbers");
    memcpy(here.pace, in->pace, sizeof here.pace);
    return here;
}

// The same with the columns there, for a sink that wants them
static const run_position *find_position(run *r, run_position *here) {
    // before the first row there is nothing that a run could go on from
    if (!r->record.out->wants_position || r->record.refused || !r->record.rows) return NULL;
    *here = position_of(r);
    r->state.f->columns(r->state.f, here->t, here->z, here->columns);
    return here;
}

static run_status save_here(run *r) {
    sink *out = r->record.out;
    run_position here;
    if (!out || !out->save || out->save(out, find_position(r, &here))) return RUN_DONE;
    r->state.failure = "the results could not be written";
    return RUN_FAILED;
}

// Now and then, between two steps: progress is told and the sink saves.
static run_status save(run *r) {
    if (!pace_is_due(&r->pace)) return RUN_DONE;
    if (r->progress) r->progress(r, r->progress_data);
    const run_status saved = save_here(r);
    return saved ? saved : spent(r);
}

// A row where the run ended, if the last one is before it. What the sink has saved until then is
// without it: a run that goes on from there has rows at its own times only.
static bool write_last_row(run *r) {
    enum { ROUNDINGS = 8 };
    if (!r->record.rows || r->record.refused || r->asked.section) return false;
    const double t = r->state.t, behind = t - r->record.last_row[0],
                 scale = fmax(fabs(t), fmin(r->asked.interval, behind));
    if (!(behind > ROUNDINGS * DBL_EPSILON * scale)) return false;
    return !save_here(r) && run_make_row(r, ROW_WITHOUT_NUMBER, t, r->state.z) &&
           !run_hand_over_row(r);
}

bool run_finish(run *r, const char *outcome, text *why) {
    sink *out = r->record.out;
    run_position here;
    const bool saved = write_last_row(r);
    return !out || out->finish(out, saved ? NULL : find_position(r, &here), outcome, why);
}

// --- a step --------------------------------------------------------------------------------------

static void arrive(run *r, double t, const double *z, const double *rest) {
    const size_t size = sizeof(double) * r->state.f->size;
    r->state.t = t;
    if (z != r->state.z) memcpy(r->state.z, z, size);
    if (rest) memcpy(r->state.rest, rest, size);
    else memset(r->state.rest, 0, size);
}

// Onto the constraints, and whole turns off
static state_change settle(run *r, bool goes_on) {
    integration *in = &r->state;
    const bool moved = r->holonomic && goes_on && holonomic_correct(r->holonomic, in->t, in->z);
    const bool shifted = in->shifts && !r->asked.method->multistep &&
                         shifts_take_off(in->shifts, in->z, in->rest, in->turns);
    return moved ? STATE_MOVED : shifted ? STATE_SHIFTED : STATE_KEPT;
}

static void count_step(run_record *record, double length) {
    record->steps++;
    if (length < record->smallest_step) record->smallest_step = length;
    if (length > record->largest_step) record->largest_step = length;
}

// Is there a reason to stop where the step ended?
static run_status look_around(run *r, const accepted_step *s) {
    if (watches_chart(r) && r->state.t < r->asked.end &&
        charts_is_poor(r->charts, r->state.t, r->state.z))
        return RUN_CHART;
    const run_status status = pace_judge(&r->pace, &r->record, r->state.t, r->asked.end);
    if (status) return status;
    if (r->asked.most_rows && r->record.rows >= r->asked.most_rows) return RUN_LIMIT;
    if (budget_flag_is_set(r->asked.interrupted)) return RUN_INTERRUPTED;
    return run_method_look(r, s->to - s->from, s->inside->order);
}

static outcome take_step(run *r, const accepted_step *s) {
    double stop = INFINITY, *at_stop = r->work + r->state.f->size;
    run_status status = run_find_events(r, s, &stop);
    double reached = stop < s->to ? stop : s->to;
    if (reached < s->to) s->inside->at(s->inside, reached, at_stop);
    const double *end = reached < s->to ? at_stop : s->z;
    count_step(&r->record, s->to - s->from);
    if (!status) status = write_rows_up_to(r, reached, end, s->inside);
    if (status == RUN_INTERRUPTED || status == RUN_LIMIT) { // no row between is left out
        reached = fmax(s->from, r->record.last_row[0]);
        s->inside->at(s->inside, reached, at_stop);
        end = at_stop;
    }
    // The state at the event
    if (!status && stop <= s->to && !r->asked.section && r->record.last_row[0] < reached)
        status = run_write_row(r, ROW_WITHOUT_NUMBER, reached, end);
    run_watch_drift(r, reached, end);
    if (!status && r->follower) r->follower->pass(r->follower, r, reached, end, s->inside);
    arrive(r, reached, end, reached == s->to ? s->rest : NULL);
    const state_change change = settle(r, stop > s->to);
    if ((change != STATE_KEPT || reached < s->to) && r->rank)
        rank_watch_begin(r->rank, r->state.t, r->state.z);
    if (!status) status = save(r);
    if (!status) status = stop <= s->to ? RUN_EVENT : look_around(r, s);
    return (outcome){status, change};
}

// Up to a time inside the step, where it ends with this status unless something else ends it before
static outcome take_part(run *r, const accepted_step *s, double t, run_status ends) {
    accepted_step part = *s;
    double *there = r->work + 2 * (r->state.f->size + 1);
    s->inside->at(s->inside, t, there);
    part.to = t, part.z = there, part.rest = NULL;
    outcome answer = take_step(r, &part);
    if (!answer.status) answer.status = ends;
    return answer;
}

// What an integrator calls with each step: integration.accept
static outcome accept(integration *in, const accepted_step *s) {
    run *r = (run *)in;
    memcpy(in->pace, s->pace, sizeof in->pace);
    watch_system(r);
    const double lost = r->rank ? rank_watch_until(r->rank, s) : INFINITY;
    if (lost <= s->to) return take_part(r, s, lost, RUN_RANK);
    const double good = watches_chart(r) ? good_until(r, s->to, s->inside) : s->to;
    return good < s->to ? take_part(r, s, good, RUN_CHART) : take_step(r, s);
}

// --- the run -------------------------------------------------------------------------------------

void run_open(run *r, field *f, double t, double *z) {
    r->state.request = &r->asked, r->state.accept = accept;
    r->state.f = f, r->state.t = t, r->state.z = z;
}

// The results of an earlier run, and its state
static run_status take_up(run *r) {
    integration *in = &r->state;
    run_position there = position_of(r);
    if (!r->record.out->restore(r->record.out, &there, &r->record)) {
        in->failure = "the earlier results could not be read";
        return RUN_FAILED;
    }
    in->t = there.t, in->chart = there.chart, in->rejected = there.rejected;
    in->f->rate_calls = there.evaluations;
    memcpy(in->pace, there.pace, sizeof in->pace);
    run_method_take_up(r);
    if (!in->chart) return RUN_DONE;
    if (r->charts && charts_take_up(r->charts, in, there.columns)) {
        run_follow_chart(r);
        return RUN_DONE;
    }
    in->failure = "it had gone on with other independent velocities, and none were found to "
                  "take it up again";
    return RUN_FAILED;
}

// Where the chart is singular, z does not say all of the state.
static void begin_in_good_chart(run *r) {
    integration *in = &r->state;
    if (!watches_chart(r) || !charts_is_poor(r->charts, in->t, in->z) ||
        !charts_take_up(r->charts, in, r->begins_at))
        return;
    run_follow_chart(r);
    run_reset(r); // what is watched begins there
}

run_status run_begin(run *r) {
    integration *in = &r->state;
    run_enter_piece(r);
    run_reset(r);
    const bool resumed = r->record.out && r->record.out->restore;
    const run_status status = resumed ? take_up(r) : RUN_DONE;
    if (status) return status;
    run_enter_piece(r);
    if (r->begins_at && !resumed) begin_in_good_chart(r);
    if (run_event_count(r)) in->f->events(in->f, in->t, in->z, r->event_value);
    pace_begin(&r->pace, in->t);
    if (resumed) return RUN_DONE;
    r->record.next_row = 1;
    if (r->asked.section) return RUN_DONE;
    const run_status written = run_write_row(r, 0, in->t, in->z);
    return written ? written : save_here(r); // from here on there is a state to go on from
}

void run_begin_piece(run *r, uint64_t next_row) {
    integration *in = &r->state;
    run_reset(r);
    if (run_event_count(r)) in->f->events(in->f, in->t, in->z, r->event_value);
    pace_begin(&r->pace, in->t);
    r->record.next_row = next_row;
}

// Other independent velocities, from the same state; where no better ones are found the run goes
// on as long as it lasts.
static void change_chart(run *r) {
    run_method_project(r);
    if (charts_switch(r->charts, &r->state)) run_follow_chart(r);
    else r->charts_exhausted = true;
}

void run_leave_poor_chart(run *r) {
    if (watches_chart(r) && charts_is_poor(r->charts, r->state.t, r->state.z)) change_chart(r);
}

run_status run_integrate(run *r) {
    if (r->state.t >= r->asked.end) return RUN_DONE; // one taken up that had only to be written
    for (;;) {
        run_enter_piece(r);
        const run_status status = r->asked.method->integrate(&r->state);
        if (status == RUN_CHART) change_chart(r);
        else if (status == RUN_METHOD) run_method_change(r);
        else if (status || !r->state.pauses || r->state.t >= r->asked.end) return status;
    }
}

double run_coordinate(const run *r, uint32_t i) {
    const integration *in = &r->state;
    return in->shifts ? shifts_put_on(in->shifts, i, in->z[i], in->turns) : in->z[i];
}
