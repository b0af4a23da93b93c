// The events of a step: noted with the state there, or, for a section, written as rows.
#include "simulate/run_events.h"

#include "integrate/event_search.h"
#include "integrate/shifts.h"
#include "simulate/run_rows.h"

#include <math.h>

// Coordinates, with their turns, and velocities at a time of the step
static double *state_at(run *r, double t, const dense *inside) {
    const simulation *sim = r->state.f->sim;
    const uint32_t n = sim->eq->system->n;
    double *all = memory_array(double, sim->column_count + 1);
    inside->at(inside, t, r->work);
    // What else there is in the columns may have no value
    r->state.f->columns(r->state.f, t, r->work, all);
    bool finite = true;
    for (uint32_t i = 0; i < 2 * n; i++) {
        all[i] = i < n && r->state.shifts
                     ? shifts_put_on(r->state.shifts, i, all[i + 1], r->state.turns)
                     : all[i + 1];
        finite = finite && isfinite(all[i]);
    }
    if (finite) return all;
    memory_free(all);
    return NULL;
}

// A crossing of the event of a section is a row, and the last one that is wanted ends the run.
// Other events are not noted, so that a section of any length takes no memory; where they end the
// motion they end it here too.
static run_status note_for_section(run *r, const crossing *c, const dense *inside, double *stop) {
    const section_request *asked = r->asked.section;
    const event *e = &r->state.f->sim->m->events[c->event];
    if (c->event != asked->event) {
        if (e->stop && (!e->direction || e->direction == c->direction)) *stop = c->t;
        return RUN_DONE;
    }
    if (asked->direction && asked->direction != c->direction) return RUN_DONE;
    inside->at(inside, c->t, r->work);
    const run_status status = run_write_row(r, ROW_WITHOUT_NUMBER, c->t, r->work);
    if (r->record.rows == asked->wanted) *stop = c->t;
    return status;
}

static void note_event(run *r, const crossing *c, const dense *inside, double *stop) {
    const event *e = &r->state.f->sim->m->events[c->event];
    if (e->direction && e->direction != c->direction) return;
    if (r->follower && r->follower->event) r->follower->event(r->follower, c->event, c->t);
    else
        list_push(&r->record, events,
                  (event_record){e->name, c->t, c->direction, state_at(r, c->t, inside)});
    if (e->stop) *stop = c->t;
    if (!r->told) return;
    inside->at(inside, c->t, r->work);
    run_make_row(r, ROW_WITHOUT_NUMBER, c->t, r->work); // what has no value is none
    if (r->told(r, c->event, c->t, c->direction, r->told_data)) *stop = c->t;
}

// The crossings of the step in the directions that the model asks for; `stop` is the earliest that
// ends the run, and none is noted behind it.
run_status run_find_events(run *r, const accepted_step *s, double *stop) {
    if (!r->search) return RUN_DONE;
    run_status status = RUN_DONE;
    curve own = {0};
    crossing_list found = {0};
    if (!s->path)
        curve_of_dense(&own, r->state.f->size, s->inside->order, s->inside, s->from,
                       s->to - s->from);
    if (!event_search_run(r->search, r->state.f, s->path ? s->path : &own, s->inside, s->to,
                          r->event_value, &found))
        r->record.events_confused = true;
    for (uint32_t i = 0; !status && i < found.count && found.list[i].t <= *stop; i++)
        if (r->asked.section) status = note_for_section(r, &found.list[i], s->inside, stop);
        else note_event(r, &found.list[i], s->inside, stop);
    memory_free(found.list);
    curve_free(&own);
    return status;
}
