// The driver: rows at their times, events at theirs, drift of what should not change.
#include "integrate/run.h"

#include "simulate/charts.h"
#include "integrate/event_search.h"
#include "simulate/projection.h"
#include "integrate/regular.h"
#include "integrate/sight.h"
#include "integrate/extended.h"
#include "integrate/angle_unwrapping.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint32_t event_count(const run *r) {
    return r->f->events && !r->ignores_events ? r->f->system->m->events_count : 0;
}

// --- rows ----------------------------------------------------------------------------------------

// Which column has no value? The motion itself, or something that is computed from it and may
// have none where the motion goes on.
static run_status name_missing(run *r) {
    const simulation *s = r->f->system;
    uint32_t i = 0;
    while (i < s->column_count && isfinite(r->row[i])) i++;
    if (i == s->column_count || s->column[i].kind <= COLUMN_VELOCITY) return RUN_NOT_FINITE;
    r->failure =
        arena_format(&s->m->ctx->arena, "%s has no finite value from here on", s->column[i].name);
    return RUN_FAILED;
}

// A value that is not a number is not written as if it were one: the run stops. Wide
// numbers know their state themselves.
static run_status write_row(run *r, int64_t number, double t, const double *z) {
    const simulation *s = r->f->system;
    r->number = number;
    if (!(r->extended ? r->extended->row(r->extended, r, number, t, r->row)
                      : r->f->columns(r->f, t, z, r->row)))
        return name_missing(r);
    if (r->unwrapping && !r->extended)
        for (uint32_t i = 0; i < s->eq->system->n; i++)
            r->row[1 + i] = angle_unwrapping_coordinate(r->unwrapping, i, r->row[1 + i], r->turns);
    memcpy(r->last_row, r->row, sizeof(double) * s->column_count);
    if (!r->rows++) memcpy(r->first_row, r->last_row, sizeof(double) * s->column_count);
    for (uint32_t i = 0; i < s->column_count; i++)
        r->deviation[i] =
            fmax(r->deviation[i],
                 r->extended ? r->extended->change[i] : fabs(r->last_row[i] - r->first_row[i]));
    if (r->out && !r->out->row(r->out, r->last_row)) {
        r->failure = "the results could not be written";
        return RUN_FAILED;
    }
    return RUN_DONE;
}

double rows_in_a_unit(double interval) {
    const double each = nearbyint(1 / interval);
    return each >= 1 && 1 / each == interval ? each : 0;
}

// The time of row number n: a multiple of the interval, not a sum of them; with an interval
// of 1/20 it is n/20, rounded once.
static double row_time(const run *r, uint64_t n) {
    if (r->times) return n < r->time_count ? r->times[n] : INFINITY;
    const double each = rows_in_a_unit(r->interval);
    return r->f->system->t0 + (each > 0 ? (double)n / each : (double)n * r->interval);
}

// A row at the very end of a step
static double slack(const run *r, double t) { return 8 * DBL_EPSILON * fmax(fabs(t), r->interval); }

static run_status write_rows_up_to(run *r, double t, const double *z, const dense *inside) {
    if (r->interval <= 0 && !r->times) return write_row(r, ROW_WITHOUT_NUMBER, t, z);
    run_status status = RUN_DONE;
    while (!status && row_time(r, r->next_row) <= t + slack(r, t)) {
        const double at = row_time(r, r->next_row);
        const int64_t number = !r->times    ? (int64_t)r->next_row
                               : r->numbers ? r->numbers[r->next_row]
                                            : ROW_WITHOUT_NUMBER;
        if (fabs(at - t) <= slack(r, t)) {
            status = write_row(r, number, t, z);
        } else {
            inside->at(inside, at, r->work);
            status = write_row(r, number, at, r->work);
        }
        r->next_row++;
    }
    return status;
}

// --- charts --------------------------------------------------------------------------------------

static bool watches_chart(const run *r) { return r->charts && !r->charts_exhausted; }

static bool is_poor_at(run *r, double t, const dense *inside) {
    inside->at(inside, t, r->work);
    return charts_is_poor(r->charts, t, r->work);
}

// The first time of the step at which the chart is poor, if a row is due where it is. A long step
// may pass over such places, and only what is told of them suffers.
static double good_until(run *r, double t, const dense *inside) {
    enum { HALVINGS = 40 };
    double good = r->t;
    const bool every_step = r->interval <= 0 && !r->times;
    for (uint64_t n = r->next_row; good < t && (every_step || row_time(r, n) <= t + slack(r, t));
         n++) {
        double poor = every_step ? t : fmin(row_time(r, n), t);
        if (!is_poor_at(r, poor, inside)) {
            good = poor;
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

// --- events --------------------------------------------------------------------------------------

static void search_here(run *r) {
    if (r->search && event_search_system(r->search) == r->f->system) return;
    event_search_free(r->search);
    r->search = event_search_create(r->f->system);
}

// Coordinates, with their turns, and velocities at a time of the step
static double *state_at(run *r, double t, const dense *inside) {
    const simulation *s = r->f->system;
    const uint32_t n = s->eq->system->n;
    double *all = memory_array(double, s->column_count + 1);
    inside->at(inside, t, r->work);
    // What else there is in the columns may have no value
    r->f->columns(r->f, t, r->work, all);
    bool finite = true;
    for (uint32_t i = 0; i < 2 * n; i++) {
        all[i] = i < n && r->unwrapping
                     ? angle_unwrapping_coordinate(r->unwrapping, i, all[i + 1], r->turns)
                     : all[i + 1];
        finite = finite && isfinite(all[i]);
    }
    if (finite) return all;
    memory_free(all);
    return NULL;
}

// The crossings of the step in the directions that the model asks for; `stop` is the earliest that
// ends the run, and none is noted behind it.
static void find_events(run *r, double t, const dense *inside, double *stop) {
    if (!event_count(r)) return;
    const model *m = r->f->system->m;
    curve own = {0};
    crossing_list found = {0};
    search_here(r);
    if (!r->path) curve_of_dense(&own, r->f->size, inside->order, inside, r->t, t - r->t);
    if (!event_search_run(r->search, r->f, r->path ? r->path : &own, inside, t, r->event_value,
                          &found))
        r->events_confused = true;
    for (uint32_t i = 0; i < found.count && found.list[i].t <= *stop; i++) {
        const crossing *c = &found.list[i];
        const event *e = &m->events[c->event];
        if (e->direction && e->direction != c->direction) continue;
        model_push(r, events,
                   (event_record){e->name, c->t, c->direction, state_at(r, c->t, inside)});
        if (e->stop) *stop = c->t;
    }
    memory_free(found.list);
    curve_free(&own);
}

// --- rank ----------------------------------------------------------------------------------------

static bool watches_rank(run *r) {
    if (r->regular_of == r->f->system) return r->regular;
    regular_free(r->regular);
    r->regular = regular_create(r->f->system, r->tolerance), r->regular_of = r->f->system;
    if (r->regular) regular_begin(r->regular, r->t, r->z);
    return r->regular;
}

// --- pace ----------------------------------------------------------------------------------------

// A run that would take 10^11 more steps at its pace, days of them, does not end.
enum { PACE_STEPS = 65536 };
static const double MOST_PACES = 1e11 / PACE_STEPS;

static bool is_slow(run *r) {
    if (r->steps % PACE_STEPS) return false;
    const bool slow = (r->t - r->pace_mark) * MOST_PACES < r->end - r->t;
    r->pace_mark = r->t;
    return slow;
}

// A thousand steps that together are shorter than a hundredth of one earlier step: the solution
// does not go on (it chatters about a state where f jumps, or creeps towards a singularity),
// whatever the machine's smallest step is.
static bool is_stuck(run *r) {
    enum { COUNTED = 1000 };
    if (r->steps % COUNTED) return false;
    const bool stuck = r->steps > COUNTED && r->t - r->mark < 0.01 * r->largest_step;
    r->mark = r->t;
    return stuck;
}

// --- the clock -----------------------------------------------------------------------------------

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Twenty times a second progress is told and the sink can save. With fast steps only some of them
// look at the clock. Numbers never depend on it.
static run_status pulse(run *r) {
    static const double EACH = 0.05, OFTEN = 0.005, SELDOM = 0.02;
    enum { MOST_STEPS = 64 };
    if (++r->unchecked < r->stride) return RUN_DONE;
    const double now = seconds(), gap = now - r->checked;
    r->unchecked = 0, r->checked = now;
    if (gap > SELDOM) r->stride = 1;
    else if (gap < OFTEN && r->stride < MOST_STEPS) r->stride *= 2;
    if (now - r->pulsed < EACH) return RUN_DONE;
    r->pulsed = now;
    if (r->progress) r->progress(r, r->progress_data);
    if (!r->out || !r->out->pulse || r->out->pulse(r->out)) return RUN_DONE;
    r->failure = "the results could not be written";
    return RUN_FAILED;
}

// --- the steps -----------------------------------------------------------------------------------

run_status run_begin(run *r) {
    const simulation *s = r->f->system;
    r->work = memory_array(double, 3 * (s->o->size + 1));
    r->rest = memory_zeros(double, 2 * (size_t)s->o->size + 2), r->turns = r->rest + s->o->size + 1;
    r->first_row = memory_zeros(double, 4 * (size_t)s->column_count);
    r->last_row = r->first_row + s->column_count, r->deviation = r->last_row + s->column_count;
    r->row = r->deviation + s->column_count;
    r->event_value = memory_zeros(double, event_count(r) + 1);
    r->smallest_step = INFINITY;
    r->stride = 1, r->checked = r->pulsed = seconds();
    const bool resumed = r->out && r->out->restore;
    if (resumed && !r->out->restore(r->out, r)) {
        r->failure = "the earlier results could not be read";
        return RUN_FAILED;
    }
    if (resumed && r->carried[RUN_CHART_PLACE] != 0 &&
        !(r->charts && charts_take_up(r->charts, r))) {
        r->failure = "it had gone on with other independent velocities, and none were found to "
                     "take it up again";
        return RUN_FAILED;
    }
    if (event_count(r)) r->f->events(r->f, r->t, r->z, r->event_value);
    r->mark = r->pace_mark = r->t;
    if (resumed) return RUN_DONE;
    r->next_row = 1;
    return write_row(r, 0, r->t, r->z);
}

static void arrive(run *r, const double *z, const double *rest) {
    memcpy(r->z, z, sizeof(double) * r->f->size);
    if (rest) memcpy(r->rest, rest, sizeof(double) * r->f->size);
    else memset(r->rest, 0, sizeof(double) * r->f->size);
}

static run_status take_step(run *r, double t, const double *z, const dense *inside) {
    const uint32_t n = r->f->size;
    double stop = INFINITY, *end = r->work + n;
    find_events(r, t, inside, &stop);
    memcpy(end, z, sizeof(double) * n);
    const double reached = stop < t ? stop : t;
    if (reached < t) inside->at(inside, reached, end);
    r->steps++;
    const double length = t - r->t;
    if (length < r->smallest_step) r->smallest_step = length;
    if (length > r->largest_step) r->largest_step = length;
    run_status status = write_rows_up_to(r, reached, end, inside);
    // The state at the event
    if (!status && stop <= t && r->last_row[0] < reached)
        status = write_row(r, ROW_WITHOUT_NUMBER, reached, end);
    r->t = reached;
    arrive(r, end, reached == t ? r->beyond : NULL);
    r->moved = r->holonomic && stop > t && holonomic_correct(r->holonomic, r->t, r->z);
    r->turned = r->unwrapping && angle_unwrapping_reduce(r->unwrapping, r->z, r->rest, r->turns);
    if ((r->moved || r->turned || reached < t) && r->regular) regular_begin(r->regular, r->t, r->z);
    if (!status) status = pulse(r);
    if (status) return status;
    if (stop <= t) return RUN_EVENT;
    if (watches_chart(r) && r->t < r->end && charts_is_poor(r->charts, r->t, r->z))
        return RUN_CHART;
    if (is_stuck(r)) return RUN_UNDERFLOW;
    if (is_slow(r)) return RUN_TOO_MANY;
    return r->interrupted && *r->interrupted ? RUN_INTERRUPTED : RUN_DONE;
}

// Up to a time inside the step, where it ends with this status unless something else ends it before
static run_status take_part(run *r, double t, const dense *inside, run_status ends) {
    double *there = r->work + 2 * (r->f->size + 1);
    inside->at(inside, t, there);
    r->beyond = NULL;
    const run_status status = take_step(r, t, there, inside);
    return status ? status : ends;
}

run_status run_step(run *r, double t, const double *z, const dense *inside) {
    const double lost =
        watches_rank(r) ? regular_until(r->regular, t, z, inside, r->path, r->t) : INFINITY;
    if (lost <= t) return take_part(r, lost, inside, RUN_RANK);
    const double good = watches_chart(r) ? good_until(r, t, inside) : t;
    if (!(good < t)) return take_step(r, t, z, inside);
    return take_part(r, good, inside, RUN_CHART);
}

double run_coordinate(const run *r, uint32_t i) {
    return r->unwrapping ? angle_unwrapping_coordinate(r->unwrapping, i, r->z[i], r->turns)
                         : r->z[i];
}

void run_free(run *r) {
    sight_free(r->sight);
    memory_free(r->work);
    memory_free(r->rest);
    memory_free(r->first_row);
    memory_free(r->event_value);
    event_search_free(r->search);
    regular_free(r->regular);
    for (uint32_t i = 0; i < r->events_count; i++) memory_free(r->events[i].state);
    memory_free(r->events);
}
