// What has happened where a piece begins: events whose function an impact, a reset or a tick has
// carried across 0, and limits of a mode that is entered at its edge.
#include "api/pieces.h"

#include "simulate/run_memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The functions of the events of a piece where it stands
static void evaluate(const piece *p, double *value) {
    const run *r = &p->job.r;
    r->state.f->events(r->state.f, r->state.t, r->state.z, value);
}

// Event k of the model that was asked for, among those of the piece
static uint32_t place_of(const pieces *w, const piece *p, uint32_t k) {
    const char *name = w->outer->m->events[k].name;
    uint32_t i = 0;
    while (i < p->m->events_count && strcmp(p->m->events[i].name, name) != 0) i++;
    return i < p->m->events_count ? i : UINT32_MAX;
}

static bool is_asked_for(const pieces *w, uint32_t k) {
    const model *m = w->outer->m;
    for (uint32_t i = 0; i < m->contacts_count; i++)
        if (m->contacts[i].lands == k) return false;
    return true;
}

// How fast the function of an event changes from here on, by a step along the motion that is short
// beside all times of the run, and long beside rounding
static double slope_of(piece *p, uint32_t event) {
    run *r = &p->job.r;
    const uint32_t size = r->state.f->size;
    double *value = memory_zeros(double, p->m->events_count + 2 * size + 1),
           *ahead = value + p->m->events_count, *rate = ahead + size, *z = r->state.z;
    const double t = r->state.t, step = 0x1p-30 * (1 + fabs(t));
    const uint64_t calls = r->state.f->rate_calls; // those of the method are counted
    evaluate(p, value);
    const double here = value[event];
    double slope = 0;
    if (r->state.f->rate(r->state.f, t, z, rate)) {
        for (uint32_t i = 0; i < size; i++) ahead[i] = z[i] + step * rate[i];
        r->state.t = t + step, r->state.z = ahead;
        evaluate(p, value);
        slope = (value[event] - here) / step;
        r->state.t = t, r->state.z = z;
    }
    r->state.f->rate_calls = calls;
    memory_free(value);
    return slope;
}

int pieces_trend(piece *p, uint32_t event) {
    const double slope = slope_of(p, event);
    return (slope > 0) - (slope < 0);
}

// A change of the function of event i that may be rounding: time, and each number of the state, is
// moved by some last digits of the largest of its kind, now or before.
static double rounding_of(const pieces *w, piece *p, uint32_t i, double *value) {
    enum { LAST = 64 };
    const run *r = &p->job.r;
    evaluate(p, value);
    const double here = value[i];
    double sum = LAST * DBL_EPSILON * fabs(r->state.t * slope_of(p, i));
    for (uint32_t k = 0; k < r->state.f->size; k++) {
        const double z = r->state.z[k];
        r->state.z[k] += LAST * DBL_EPSILON * fmax(fabs(z), w->largest[k >= w->n]);
        evaluate(p, value);
        r->state.z[k] = z;
        sum += fabs(value[i] - here);
    }
    return sum;
}

// Which way was an event crossed where the piece ends? 0: it was not
static int crossed(const pieces *w, const piece *ended, const char *name) {
    const run_record *record = &ended->job.r.record;
    for (uint32_t i = record->events_count; i-- > 0;)
        if (pieces_is_now(w, record->events[i].t) && strcmp(record->events[i].name, name) == 0)
            return record->events[i].direction;
    return 0;
}

void pieces_keep_levels(pieces *w, const piece *ended) {
    const model *m = w->outer->m;
    if (!m->events_count) return;
    double *value = memory_zeros(double, (ended ? ended->m : m)->events_count + 1);
    const simulation *sim = w->outer->sim;
    field *f = w->outer->r.state.f;
    if (ended) evaluate(ended, value);
    else f->events(f, sim->t0, sim->z0, value);
    for (uint32_t k = 0; k < m->events_count; k++) {
        const uint32_t i = ended ? place_of(w, ended, k) : k;
        w->level[k] = i == UINT32_MAX || (ended && w->fired[i]) ? NAN : value[i];
        w->crossed[k] = ended ? crossed(w, ended, m->events[k].name) : 0;
    }
    for (uint32_t i = 0; i < 2 * w->n; i++)
        w->largest[i >= w->n] = fmax(w->largest[i >= w->n], fabs(w->q[i])); // q', behind q
    memory_free(value);
}

static void note(pieces *w, const event *e, int direction) {
    if (w->outer->r.follower) {
        pieces_tell_event(w, e->name, w->t);
        return;
    }
    double *state = memory_array(double, 2 * w->n + 1);
    memcpy(state, w->q, sizeof(double) * 2 * w->n);
    list_push(&w->outer->r.record, events, ((event_record){e->name, w->t, direction, state}));
}

// Where a mode is entered at the edge of its law, and it is left from there on, no sign changes
// behind the start: a force that is 0 counts as one that was on the side of `inside`, and one that
// is beyond by what the law takes for rounding, and does not come back, has passed it.
static bool is_beyond(pieces *w, piece *p, uint32_t event, int inside, double value, double nothing,
                      double *at) {
    if (value == 0) p->job.r.event_value[event] = inside * DBL_MIN;
    if (!(value * inside < -nothing) || pieces_is_now(w, *at) || pieces_trend(p, event) == inside)
        return false;
    *at = w->t;
    return w->fired[event] = true;
}

static bool find_beyond(pieces *w, piece *p, const double *value) {
    static const double ROUNDING = 1e-14; // of normal forces, beside the others
    const contact *contacts = p->m->contacts;
    double others = 0;
    bool any = false;
    for (uint32_t i = 0; i < w->contacts; i++)
        if (contacts[i].lifts != UINT32_MAX) others = fmax(others, value[contacts[i].lifts]);
    for (uint32_t i = 0; i < w->contacts; i++) {
        const uint32_t lifts = contacts[i].lifts, slips = contacts[i].slips;
        if (lifts != UINT32_MAX)
            any |= is_beyond(w, p, lifts, +1, value[lifts], ROUNDING * others, &w->lifted_at[i]);
        if (slips != UINT32_MAX)
            any |= is_beyond(w, p, slips, -1, value[slips], 0, &w->slipped_at[i]);
    }
    return any;
}

pieces_jump pieces_find_jumps(pieces *w, piece *p) {
    const model *m = w->outer->m;
    pieces_jump found = {0};
    if (!m->events_count) return found;
    double *value = memory_zeros(double, 2 * p->m->events_count + 1),
           *work = value + p->m->events_count;
    evaluate(p, value);
    pieces_forget_fired(w, p->m);
    for (uint32_t k = 0; k < m->events_count; k++) {
        const uint32_t i = is_asked_for(w, k) ? place_of(w, p, k) : UINT32_MAX;
        if (i == UINT32_MAX) continue;
        const double before = w->level[k], now = value[i];
        const event *e = &m->events[k];
        const int direction = before < 0 && now > 0 ? +1 : before > 0 && now < 0 ? -1 : 0;
        w->level[k] = now;
        bool resets = false;
        for (uint32_t j = 0; j < m->resets_count; j++) resets = resets || m->resets[j].event == k;
        // what was crossed, and may be on the other side yet by rounding, is not crossed again
        if (w->crossed[k] && !resets && fabs(now) <= rounding_of(w, p, i, work))
            p->job.r.event_value[i] = w->crossed[k] * DBL_MIN;
        w->crossed[k] = 0;
        if (!direction || (e->direction && e->direction != direction) ||
            !(fmin(fabs(before), fabs(now)) > rounding_of(w, p, i, work)))
            continue;
        w->fired[i] = resets, found.changes |= resets;
        note(w, e, direction);
        found.ends |= e->stop && !resets;
    }
    found.changes |= find_beyond(w, p, value);
    memory_free(value);
    return found;
}
