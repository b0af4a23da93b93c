// What a run holds: taken when it first begins, used again by the next one, given back at the end.
#include "simulate/run_memory.h"

#include "execute/data_pieces.h"
#include "integrate/event_search.h"
#include "integrate/extended.h"
#include "integrate/rank_watch.h"
#include "integrate/sight.h"
#include "simulate/charts.h"
#include "simulate/projection.h"
#include "simulate/run_method.h"
#include "simulate/run_rows.h"

#include <math.h>
#include <string.h>

uint32_t run_event_count(const run *r) {
    return r->state.f->events && !r->asked.ignores_events ? r->state.f->sim->m->events_count : 0;
}

static void allocate(run *r) {
    const simulation *sim = r->state.f->sim;
    const size_t columns = sim->column_count, size = sim->o->size;
    r->work = memory_array(double, 3 * (size + 1));
    r->state.rest = memory_zeros(double, 2 * size + 2), r->state.turns = r->state.rest + size + 1;
    run_record *w = &r->record;
    w->first_row = memory_zeros(double, 5 * columns);
    w->last_row = w->first_row + columns, w->row = w->last_row + columns;
    w->deviation = w->row + columns, w->deviation_t = w->deviation + columns;
    r->event_value = memory_zeros(double, run_event_count(r) + 1);
    r->watched_first = memory_zeros(double, 2 * sim->watched_count + 1);
    r->watched_now = r->watched_first + sim->watched_count;
}

static void forget_events(run_record *w) {
    for (uint32_t i = 0; i < w->events_count; i++) memory_free(w->events[i].state);
    w->events_count = 0, w->events_confused = false;
}

// Nothing is counted yet. What steps are searched with stays, as it was for a system that was not
// seen yet.
void run_reset(run *r) {
    run_record *w = &r->record;
    if (!r->work) allocate(r);
    forget_events(w);
    memset(w->deviation, 0, 2 * sizeof(double) * r->state.f->sim->column_count);
    w->rows = w->steps = 0, w->refused = false;
    w->changes_count = 0, w->looks = w->stiff_looks = 0;
    w->smallest_step = INFINITY, w->largest_step = 0;
    r->state.rejected = 0, r->state.failure = NULL;
    r->charts_exhausted = false;
    sight_restart(&r->state);
    if (r->rank) rank_watch_restart(r->rank, r->state.t, r->state.z);
    run_begin_watch(r);
}

// The constraints as functions of the state of the chart that the run has come to
void run_follow_chart(run *r) {
    if (!r->holonomic) return;
    holonomic *there = holonomic_in(r->state.f->sim, r->holonomic);
    holonomic_free(r->holonomic);
    r->holonomic = there;
}

void run_rewind(run *r) {
    integration *in = &r->state;
    const simulation *sim = in->f->sim;
    const bool moved = in->chart != 0;
    if (r->charts) in->f = charts_begin(r->charts), sim = in->f->sim;
    in->f->repeats |= r->record.steps > 0;
    in->chart = 0, in->t = sim->t0;
    run_method_rewind(r);
    memset(in->pace, 0, sizeof in->pace);
    in->f->rate_calls = in->f->jet_calls = in->f->jacobian_calls = 0;
    if (r->work) memset(in->rest, 0, sizeof(double) * (2 * sim->o->size + 2));
    if (moved) run_follow_chart(r);
    holonomic_restart(r->holonomic);
}

// What holds numbers that come from parameters is made anew where it is needed.
static void forget_parameters(run *r) {
    sight_take_parameters(&r->state);
    event_search_free(r->search), rank_watch_free(r->rank);
    r->search = NULL, r->rank = NULL, r->watched = NULL;
}

void run_set_parameters(run *r, const double *value) {
    integration *in = &r->state;
    if (r->charts) {
        charts_set_parameters(r->charts, value);
    } else {
        simulation_set_parameters((simulation *)in->f->sim, value);
        in->f->take_parameters(in->f);
    }
    forget_parameters(r);
}

void run_enter_piece(run *r) {
    integration *in = &r->state;
    if (!in->f->sim->data) return;
    in->pauses = true, in->pause = data_pieces_next(in->f->sim, in->t);
    pace_pause(&r->pace);
    run_look_at(r, in->t);
}

void run_look_at(run *r, double t) {
    integration *in = &r->state;
    if (r->charts) {
        if (!charts_enter_piece(r->charts, t)) return;
    } else {
        if (!data_pieces_enter((simulation *)in->f->sim, t)) return;
        in->f->take_parameters(in->f);
    }
    if (in->extended) in->extended->renew(in->extended, in);
    forget_parameters(r);
}

void run_free(run *r) {
    sight_free(r->state.sight);
    memory_free(r->work);
    memory_free(r->state.rest);
    memory_free(r->record.first_row);
    memory_free(r->event_value);
    memory_free(r->watched_first);
    event_search_free(r->search);
    rank_watch_free(r->rank);
    forget_events(&r->record);
    memory_free(r->record.events), memory_free(r->record.changes);
}
