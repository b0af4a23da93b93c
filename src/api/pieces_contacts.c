// What contacts do where a piece ends: impacts, then one mode for each.
#include "api/pieces_settle.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Speeds below this part of the speed that the kinetic energy would give to the mass at a contact
// count as 0.
static const double NO_SPEED = 1e-10;
// What rounding leaves of speeds where a motion comes to rest, as a part of the largest before
static const double SPEED_ROUNDING = 1e-13;
// A gap that is closed: this part of the largest coordinate, at least of 1
static const double NO_GAP = 1e-9;
// The slip with which sliding in two directions begins, and at which it ends if the tolerance is
// no larger, as a part of the same speed
static const double START_SLIP = 1e-12;

double pieces_no_gap(const pieces *w) {
    double size = 1;
    for (uint32_t i = 0; i < w->n; i++) size = fmax(size, fabs(w->q[i]));
    return NO_GAP * size;
}

// The speed that all of the kinetic energy would be for the mass at contact i: sqrt(2 T/m)
static double speed_scale(const pieces *w, uint32_t i) {
    const double energy = contact_law_kinetic(w->law), mass = contact_law_values(w->law, i)->mass;
    return energy > 0 && isfinite(mass) ? sqrt(2 * energy / mass) : 0;
}

// Speeds that count as 0: so little of that speed now, or what rounding leaves of the largest one
double pieces_no_speed(const pieces *w, uint32_t i) {
    const double mass = contact_law_values(w->law, i)->mass,
                 most =
                     w->kinetic_most > 0 && isfinite(mass) ? sqrt(2 * w->kinetic_most / mass) : 0;
    return fmax(NO_SPEED * speed_scale(w, i), SPEED_ROUNDING * most);
}

static double slip_of(const pieces *w, uint32_t i) {
    const contact_values *v = contact_law_values(w->law, i);
    return hypot(v->slip[0], v->slip[1]);
}

bool pieces_look(pieces *w) {
    if (!contact_law_at(w->law, w->t, w->q, w->qd, w->parameter))
        return pieces_fail(w, NULL, "the laws of contact have no finite value at this state");
    w->kinetic_most = fmax(w->kinetic_most, contact_law_kinetic(w->law));
    return true;
}

static bool has_fired(const pieces *w, uint32_t event) {
    return event != UINT32_MAX && w->fired[event];
}

// --- modes ---------------------------------------------------------------------------------------

void pieces_allow_all(const pieces *w, uint32_t i, contact_state *x) {
    const uint32_t tangents = w->free->model->contacts[i].tangents;
    x->allowed[MODE_FREE] = x->allowed[MODE_SLIDING] = true;
    x->allowed[MODE_SLIDING_BACK] = tangents == 1;
    x->allowed[MODE_STICKING] = tangents > 0;
}

// Has the slip of contact i, in a plane, come to its end with that of another one? Feet of one body
// stop together, and rounding says which of them is seen first.
static bool stops_with_others(const pieces *w, const piece *ended, uint32_t i) {
    const model *m = w->free->model;
    bool stops = false;
    if (!ended) return false;
    for (uint32_t k = 0; k < w->contacts; k++)
        stops = stops || has_fired(w, ended->m->contacts[k].sticks);
    if (!stops || m->contacts[i].tangents != 2) return false;
    for (uint32_t k = 0; k < w->parameters; k++)
        if (m->parameters[k].symbol == m->contacts[i].still)
            return slip_of(w, i) <= 2 * sqrt(w->parameter[k]);
    return false;
}

// With which modes contact i may go on: friction of one that slides opposes its slip.
static void allow(pieces *w, const piece *ended, uint32_t i, contact_state *x) {
    const contact *c = ended ? &ended->m->contacts[i] : NULL;
    const contact_values *v = contact_law_values(w->law, i);
    const double slip = slip_of(w, i);
    pieces_allow_all(w, i, x);
    x->slides = x->allowed[MODE_STICKING] && !(ended && has_fired(w, c->sticks)) &&
                !stops_with_others(w, ended, i) && slip > pieces_no_speed(w, i);
    if (x->slides) {
        x->allowed[MODE_STICKING] = false;
        x->allowed[MODE_SLIDING] = w->free->model->contacts[i].tangents == 2 || v->slip[0] > 0;
        x->allowed[MODE_SLIDING_BACK] = !x->allowed[MODE_SLIDING];
        for (int k = 0; k < 2; k++) x->along[k] = v->slip[k] / slip;
    }
    if (!ended) return;
    if (has_fired(w, c->lifts)) // it has just reached 0: only the sign it will have tells
        x->allowed[MODE_SLIDING] = x->allowed[MODE_SLIDING_BACK] = x->allowed[MODE_STICKING] =
            false;
    if (has_fired(w, c->slips) || // or with the other one, that slips now
        (c->mode == MODE_RESTING && has_fired(w, ended->m->contacts[w->rests_with[i]].slips)))
        w->slipped_at[i] = w->t;
    // not for the time that is left to those that hold instead
    if (pieces_is_now(w, w->slipped_at[i])) x->allowed[MODE_STICKING] = false;
}

// Four legs of a table: the motion is one, the forces are not.
static void note_share(pieces *w) {
    if (w->has_shared || !contact_law_share_is_open(w->law, w->state, false)) return;
    w->has_shared = true;
    diag_warning(w->outer->m->ctx, (span){0},
                 "the columns have one way of many, and where coefficients of friction differ the "
                 "motion may depend on it; a spring under each contact has an answer",
                 "from t = %.10g on more contacts hold a body than it takes: rigid bodies do not "
                 "say how much each of them carries",
                 w->t);
}

static bool choose_modes(pieces *w, const piece *ended) {
    contact_state *state = w->state;
    for (uint32_t i = 0; i < w->contacts; i++)
        if (state[i].is_closed) allow(w, ended, i, &state[i]);
    uint32_t solutions = contact_law_modes(w->law, state);
    if (!solutions && ended) { // what the event had ruled out may be what follows
        for (uint32_t i = 0; i < w->contacts; i++)
            if (state[i].is_closed) allow(w, NULL, i, &state[i]);
        solutions = contact_law_modes(w->law, state);
    }
    note_share(w);
    if (solutions && contact_law_share_is_open(w->law, state, true))
        return pieces_fail(w,
                           "let the run end here, or give friction to one contact in the middle of "
                           "those that have none",
                           "several contacts stick in a plane, and hold the body by more than it "
                           "takes: how much friction each of them holds, and when one slips, is "
                           "open");
    if (solutions == 1) return true;
    return pieces_fail(w,
                       "Coulomb's law and rigid bodies contradict each other here: a smaller "
                       "friction, or a compliant contact (a spring), has a motion",
                       solutions ? "Painleve's paradox: several motions obey the laws of contact "
                                   "from this state on"
                                 : "Painleve's paradox: no motion obeys the laws of contact from "
                                   "this state on");
}

// The speed of which slips are parts: the one of now, or what comes of it until the next row, or
// until the end of a run that has none on its way
static double slip_scale(const pieces *w, uint32_t i) {
    const contact_values *v = contact_law_values(w->law, i);
    const run_job *run = w->outer;
    const double until = fmin(run->r.asked.interval, run->r.asked.end - run->sim->t0);
    return fmax(speed_scale(w, i), until * fabs(v->acceleration));
}

// The slip at which sliding in two directions is at its end: numbers pass by 0 at a distance of
// some tolerances.
double pieces_still(const pieces *w, uint32_t i) {
    return fmax(START_SLIP, 4 * w->outer->r.asked.tolerance) * slip_scale(w, i);
}

// A contact that begins to slide in some direction of a plane: its slip, too small to matter, says
// which. The impulse along the tangents that makes it, and no speed along the normal.
static void begin_to_slide(pieces *w, uint32_t i, const contact_state *x) {
    const double speed = fmin(4 * START_SLIP * slip_scale(w, i), pieces_still(w, i) / 2);
    const double *slip = contact_law_values(w->law, i)->slip;
    contact_law_change(w->law, i,
                       (double[3]){0, speed * x->along[0] - slip[0], speed * x->along[1] - slip[1]},
                       w->qd);
}

// One that came to rest in a plane of directions: what was left of its slip is taken from it.
static void stop_sliding(pieces *w, uint32_t i) {
    const contact_values *v = contact_law_values(w->law, i);
    contact_law_change(w->law, i, (double[3]){0, -v->slip[0], -v->slip[1]}, w->qd);
}

// --- all of it -----------------------------------------------------------------------------------

// Numbers that a contact may have: friction and restitution that are not negative; what holds a
// contact at rest is no less than what rubs as soon as it slides, else it could do neither
static bool has_a_law(pieces *w, uint32_t i) {
    const contact_values *v = contact_law_values(w->law, i);
    const double number[] = {v->hold, v->rub, v->bounce};
    static const char *const name[] = {"friction", "friction", "restitution"};
    for (int k = 0; k < 3; k++)
        if (number[k] < 0)
            return pieces_fail(w, "it is to be 0 or more",
                               "contact `%s` is closed and its %s is %.6g",
                               w->free->model->contacts[i].name, name[k], number[k]);
    if (v->hold < v->rub && slip_of(w, i) <= pieces_no_speed(w, i))
        return pieces_fail(w, "in `friction E, E` the first is what holds, the second what rubs",
                           "contact `%s` is at rest, and friction that holds it, %.6g, is less "
                           "than friction that rubs, %.6g",
                           w->free->model->contacts[i].name, v->hold, v->rub);
    return true;
}

static bool find_closed(pieces *w, const piece *ended) {
    contact_state *state = w->state;
    for (uint32_t i = 0; i < w->contacts; i++) {
        const contact_values *v = contact_law_values(w->law, i);
        const double tolerance = pieces_no_gap(w);
        const contact *c = &w->free->model->contacts[i];
        if (w->mode[i] == MODE_FREE && !(ended && has_fired(w, ended->m->contacts[i].lands)) &&
            v->gap < -tolerance)
            return pieces_fail(w, ended ? NULL : "let `initial` leave the gap open, or 0",
                               "contact `%s` is closed by more than nothing: its gap is %.6g",
                               c->name, v->gap);
        state[i] = (contact_state){.is_closed =
                                       w->mode[i] != MODE_FREE || w->closing[i] ||
                                       (ended && has_fired(w, ended->m->contacts[i].lands)) ||
                                       (v->gap <= tolerance && v->speed <= pieces_no_speed(w, i))};
        if (state[i].is_closed && !has_a_law(w, i)) return false;
        if (state[i].is_closed && c->has_place &&
            fabs(v->normal_rate - v->speed) > 1e-6 * (fabs(v->speed) + speed_scale(w, i)))
            return pieces_fail(
                w,
                "the gap is to be the distance along the normal at the place of contact; the "
                "velocity of a surface is said by `moving`, or by `against` a body",
                "contact `%s`: its gap changes by %.6g, and the body moves along the normal by "
                "%.6g",
                c->name, v->speed, v->normal_rate);
    }
    const uint32_t together = contact_law_group(w->law, state);
    if (together <= MOST_CLOSED) return true;
    return pieces_fail(w, NULL,
                       "%u contacts that act on one another are closed at once; at most %d can be "
                       "solved for",
                       together, MOST_CLOSED);
}

static void take_modes(pieces *w) {
    const contact_state *state = w->state;
    for (uint32_t i = 0; i < w->contacts; i++) {
        const contact_mode to = state[i].is_closed ? state[i].mode : MODE_FREE;
        if (to != w->mode[i])
            list_push(w, changes,
                      ((piece_change){.t = w->t,
                                      .kind = CHANGE_MODE,
                                      .name = w->free->model->contacts[i].name,
                                      .from = w->mode[i],
                                      .to = to}));
        w->mode[i] = to;
        w->rests_with[i] = to == MODE_RESTING ? state[i].rests_with : i;
    }
}

// Has the motion gone through a surface without an event that would have stopped it?
bool pieces_check_gaps(pieces *w) {
    if (!w->contacts) return true;
    if (!pieces_look(w)) return false;
    for (uint32_t i = 0; i < w->contacts; i++) {
        const double gap = contact_law_values(w->law, i)->gap;
        if (w->mode[i] == MODE_FREE && gap < -pieces_no_gap(w))
            return pieces_fail(w,
                               "a tighter --tol, or a smaller restitution, may find where it lands",
                               "contact `%s` was passed without being seen: its gap is %.6g",
                               w->free->model->contacts[i].name, gap);
    }
    return true;
}

bool pieces_settle_contacts(pieces *w, const piece *ended) {
    contact_state *state = w->state;
    if (!w->contacts) return true;
    if (!pieces_look(w) || !find_closed(w, ended) || !pieces_close_bounced(w) ||
        !pieces_take_impacts(w))
        return false;
    for (uint32_t i = 0; i < w->contacts; i++) w->closing[i] = false;
    pieces_end_bounces(w);
    for (uint32_t i = 0; i < w->contacts; i++) // those that bounce are open
        if (state[i].is_closed && contact_law_values(w->law, i)->speed > pieces_no_speed(w, i))
            state[i].is_closed = false;
    if (!choose_modes(w, ended)) return false;
    pieces_end_bounces_on_others(w);
    for (uint32_t i = 0; i < w->contacts; i++) {
        if (!state[i].is_closed || w->free->model->contacts[i].tangents != 2) continue;
        if (state[i].mode == MODE_SLIDING && !state[i].slides) begin_to_slide(w, i, &state[i]);
        if (state[i].mode == MODE_STICKING && w->mode[i] == MODE_SLIDING) {
            stop_sliding(w, i);
            if (!pieces_look(w)) return false;
        }
    }
    take_modes(w);
    return true;
}
