// A row of a run, and the drift of what should stay.
#include "simulate/run_rows.h"

#include "integrate/extended.h"
#include "integrate/shifts.h"
#include "integrate/sight.h"

#include <math.h>
#include <string.h>

// --- drift ---------------------------------------------------------------------------------------

// What should stay, at the start: the same code as later, so that what does not move drifts by 0.
void run_begin_watch(run *r) {
    field *f = r->state.f;
    const size_t count = f->sim->watched_count;
    if (count) f->watch(f, r->state.t, r->state.z, r->watched_first);
}

// |c(t, z) - c(t0, z0)| for each column c that should stay, at the end of a step. Where one has no
// value a row will say so.
void run_watch_drift(run *r, double t, const double *z) {
    const simulation *sim = r->state.f->sim;
    extended *w = r->state.extended;
    if (!sim->watched_count) return;
    const double *now = w ? NULL : sight_watched(&r->state, t);
    if (w) w->watch(w, t, r->watched_now);
    else if (!now) r->state.f->watch(r->state.f, t, z, r->watched_now);
    if (!now) now = r->watched_now;
    for (uint32_t k = 0; k < sim->watched_count; k++) {
        const uint32_t i = sim->watched[k];
        const double size = w ? now[k] : fabs(now[k] - r->watched_first[k]);
        if (size > r->record.deviation[i])
            r->record.deviation[i] = size, r->record.deviation_t[i] = t;
    }
}

// --- rows ----------------------------------------------------------------------------------------

// Which column has no value? The motion itself, or something that is computed from it and may
// have none where the motion goes on.
static run_status name_missing(run *r) {
    const simulation *sim = r->state.f->sim;
    uint32_t i = 0;
    while (i < sim->column_count && isfinite(r->record.row[i])) i++;
    if (i == sim->column_count || sim->column[i].kind <= COLUMN_VELOCITY) return RUN_NOT_FINITE;
    r->state.failure = arena_format(&sim->m->ctx->arena, "%s has no finite value from here on",
                                    sim->column[i].name);
    return RUN_FAILED;
}

// The row at (t, z), in record.row. In extended precision the state is kept there, not in z. False
// where a value is not a finite number.
bool run_make_row(run *r, int64_t number, double t, const double *z) {
    const simulation *sim = r->state.f->sim;
    r->record.number = number;
    if (r->state.extended)
        return r->state.extended->row(r->state.extended, &r->state, number, t, r->record.row);
    if (!r->state.f->columns(r->state.f, t, z, r->record.row)) return false;
    for (uint32_t i = 0; r->state.shifts && i < sim->eq->system->n; i++)
        r->record.row[1 + i] =
            shifts_put_on(r->state.shifts, i, r->record.row[1 + i], r->state.turns);
    return true;
}

run_status run_hand_over_row(run *r) {
    run_record *w = &r->record;
    const size_t size = sizeof(double) * r->state.f->sim->column_count;
    memcpy(w->last_row, w->row, size);
    if (!w->rows++) memcpy(w->first_row, w->row, size);
    if (!w->out || w->out->row(w->out, w->last_row)) return RUN_DONE;
    w->refused = true;
    r->state.failure = "the results could not be written";
    return RUN_FAILED;
}

// A value that is not a number is not written as if it were one: the run stops.
run_status run_write_row(run *r, int64_t number, double t, const double *z) {
    if (r->record.rows >= r->state.f->sim->m->ctx->limits.rows) return RUN_LIMIT;
    return run_make_row(r, number, t, z) ? run_hand_over_row(r) : name_missing(r);
}

// The time of row number n: a multiple of the interval, not a sum of them; with an interval
// of 1/20 it is n/20, rounded once.
double run_row_time(const run *r, uint64_t n) {
    if (r->asked.times) return n < r->asked.time_count ? r->asked.times[n] : INFINITY;
    const double each = rows_in_a_unit(r->asked.interval);
    return r->state.f->sim->t0 + (each > 0 ? (double)n / each : (double)n * r->asked.interval);
}
