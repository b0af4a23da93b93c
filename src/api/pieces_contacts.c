// What contacts do where a piece ends: impacts, then one mode for each.
#include "api/pieces.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Speeds below this part of the speed that the kinetic energy would give to the mass at a contact
// count as 0; bounces below that part of the fastest one are followed no longer.
static const double NO_SPEED = 1e-10, LAST_BOUNCE = 1e-9;
// A gap that is closed: this part of the largest coordinate, at least of 1
static const double NO_GAP = 1e-9;
// Bounces this high, as a part of the largest coordinate, or this short, as a part of the time, are
// not told from rounding.
static const double NO_BOUNCE = 16 * DBL_EPSILON;
// The slip with which sliding in two directions begins and ends, as a part of the same speed
static const double START_SLIP = 1e-12;

static double length_of(const pieces *w) {
    double size = 1;
    for (uint32_t i = 0; i < w->n; i++) size = fmax(size, fabs(w->q[i]));
    return size;
}

// The speed that all of the kinetic energy would be for the mass at contact i: sqrt(2 T/m), where
// that was largest. At rest what is left of speeds is rounding, and their energy says nothing.
static double speed_scale(const pieces *w, uint32_t i) { return w->scale[i]; }

static void measure_speeds(pieces *w) {
    const double energy = contact_law_kinetic(w->law);
    for (uint32_t i = 0; i < w->contacts; i++) {
        const contact_values *v = contact_law_values(w->law, i);
        if (energy > 0 && isfinite(v->mass))
            w->scale[i] = fmax(w->scale[i], sqrt(2 * energy / v->mass));
    }
}

static double slip_of(const pieces *w, uint32_t i) {
    const contact_values *v = contact_law_values(w->law, i);
    return hypot(v->slip[0], v->slip[1]);
}

static bool look(pieces *w) {
    if (!contact_law_at(w->law, w->t, w->q, w->qd, w->parameter))
        return pieces_fail(w, NULL, "the laws of contact have no finite value at this state");
    measure_speeds(w);
    return true;
}

static bool has_fired(const pieces *w, uint32_t event) {
    return event != UINT32_MAX && w->fired[event];
}

// --- impacts -------------------------------------------------------------------------------------

static void note_impact(pieces *w, uint32_t i, double speed, double lost) {
    list_push(w, changes,
              ((piece_change){.t = w->t,
                              .kind = CHANGE_IMPACT,
                              .name = w->free->model->contacts[i].name,
                              .from = w->mode[i],
                              .speed = speed,
                              .lost = lost}));
    w->fastest[i] = fmax(w->fastest[i], fabs(speed));
    w->impacts++;
}

static void allow_all(const pieces *w, uint32_t i, contact_state *x) {
    const uint32_t tangents = w->free->model->contacts[i].tangents;
    x->allowed[MODE_FREE] = x->allowed[MODE_SLIDING] = true;
    x->allowed[MODE_SLIDING_BACK] = tangents == 1;
    x->allowed[MODE_STICKING] = tangents > 0;
}

// v_n+ = -e v_n- for those that approach; again where that lets others approach
static bool take_impacts(pieces *w) {
    enum { ROUNDS = 32 };
    contact_state *state = w->state;
    double *speed = w->speed;
    for (int round = 0; round < ROUNDS; round++) {
        bool approaches = false;
        const double before = contact_law_energy(w->law);
        for (uint32_t i = 0; i < w->contacts; i++) {
            speed[i] = contact_law_values(w->law, i)->speed;
            state[i].slides = false;
            allow_all(w, i, &state[i]);
            approaches =
                approaches || (state[i].is_closed && speed[i] < -NO_SPEED * speed_scale(w, i));
        }
        if (!approaches) return true;
        if (!contact_law_impact(w->law, state, w->qd))
            return pieces_fail(w, "give a smaller coefficient of friction",
                               "no velocities after the impact obey Coulomb's law");
        if (!look(w)) return false;
        const double lost = before - contact_law_energy(w->law);
        w->lost_at_impacts += lost;
        for (uint32_t i = 0, told = 0; i < w->contacts; i++)
            if (state[i].is_closed && speed[i] < -NO_SPEED * speed_scale(w, i))
                note_impact(w, i, speed[i], told++ ? 0 : lost);
    }
    return pieces_fail(w, NULL, "the impacts of several contacts at once do not come to an end");
}

// Is what is left of a bounce below what is followed, or below rounding? Its height is v^2/(2 a), its
// time 2 v/a.
static bool is_last_bounce(const pieces *w, uint32_t i) {
    const contact_values *v = contact_law_values(w->law, i);
    double size = 0;
    for (uint32_t k = 0; k < w->n; k++) size = fmax(size, fabs(w->q[k]));
    if (!w->state[i].is_closed || v->speed <= NO_SPEED * speed_scale(w, i) || !(v->bounce < 1) ||
        !(v->acceleration < 0) || w->fastest[i] <= 0)
        return false;
    return v->speed <= LAST_BOUNCE * w->fastest[i] ||
           v->speed * v->speed <= -2 * v->acceleration * NO_BOUNCE * size ||
           2 * v->speed <= -v->acceleration * NO_BOUNCE * fabs(w->t);
}

// Bounces that have become too small to follow: those that would come take the times
// 2 v/a (1 + e + e^2 + ..) together. The contacts are closed from here on, without the speeds that
// are left; all at once, since an impulse at one changes the speeds at others.
static bool end_bounces(pieces *w) {
    contact_state *left = memory_array(contact_state, w->contacts + 1);
    bool any = false;
    for (uint32_t i = 0; i < w->contacts; i++) {
        const contact_values *v = contact_law_values(w->law, i);
        const double slip = slip_of(w, i);
        left[i] = (contact_state){.is_closed = is_last_bounce(w, i)};
        if (!left[i].is_closed) continue;
        any = true;
        w->rests_at[i] = w->t - 2 * v->speed / (v->acceleration * (1 - v->bounce));
        allow_all(w, i, &left[i]);
        left[i].slides = slip > NO_SPEED * speed_scale(w, i);
        if (!left[i].slides) continue;
        const bool back = w->free->model->contacts[i].tangents == 1 && v->slip[0] < 0;
        for (int k = 0; k < MODE_COUNT; k++)
            left[i].allowed[k] = k == (back ? MODE_SLIDING_BACK : MODE_SLIDING);
        for (int k = 0; k < 2; k++) left[i].along[k] = v->slip[k] / slip;
    }
    if (any && !contact_law_rest(w->law, left, w->qd))
        for (uint32_t i = 0; i < w->contacts; i++)
            if (left[i].is_closed)
                contact_law_change(w->law, i,
                                   (double[3]){-contact_law_values(w->law, i)->speed, 0, 0}, w->qd);
    memory_free(left);
    return !any || look(w);
}

// --- modes ---------------------------------------------------------------------------------------

// With which modes contact i may go on: friction of one that slides opposes its slip.
static void allow(const pieces *w, const piece *ended, uint32_t i, contact_state *x) {
    const contact *c = ended ? &ended->m->contacts[i] : NULL;
    const contact_values *v = contact_law_values(w->law, i);
    const double slip = slip_of(w, i);
    allow_all(w, i, x);
    x->slides = x->allowed[MODE_STICKING] && slip > NO_SPEED * speed_scale(w, i);
    if (x->slides) {
        x->allowed[MODE_STICKING] = false;
        x->allowed[MODE_SLIDING] = w->free->model->contacts[i].tangents == 2 || v->slip[0] > 0;
        x->allowed[MODE_SLIDING_BACK] = !x->allowed[MODE_SLIDING];
        for (int k = 0; k < 2; k++) x->along[k] = v->slip[k] / slip;
    }
    if (!c) return;
    if (has_fired(w, c->lifts)) // it has just reached 0: only the sign it will have tells
        x->allowed[MODE_SLIDING] = x->allowed[MODE_SLIDING_BACK] = x->allowed[MODE_STICKING] =
            false;
    if (has_fired(w, c->slips)) x->allowed[MODE_STICKING] = false;
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
    if (solutions == 1) return true;
    return pieces_fail(w,
                       "Coulomb's law and rigid bodies contradict each other here: a smaller "
                       "friction, or a compliant contact (a spring), has a motion",
                       solutions ? "Painleve's paradox: several motions obey the laws of contact "
                                   "from this state on"
                                 : "Painleve's paradox: no motion obeys the laws of contact from "
                                   "this state on");
}

// The slip at which sliding in two directions is at its end
double pieces_still(const pieces *w, uint32_t i) {
    const contact_values *v = contact_law_values(w->law, i);
    return START_SLIP * fmax(speed_scale(w, i), w->outer->r.asked.interval * fabs(v->acceleration));
}

// A contact that begins to slide in some direction of a plane: its slip, too small to matter, says
// which. The impulse along the tangents that makes it, and no speed along the normal.
static void begin_to_slide(pieces *w, uint32_t i, const contact_state *x) {
    const double speed = 4 * pieces_still(w, i);
    contact_law_change(w->law, i, (double[3]){0, speed * x->along[0], speed * x->along[1]}, w->qd);
}

// --- all of it -----------------------------------------------------------------------------------

static bool find_closed(pieces *w, const piece *ended) {
    contact_state *state = w->state;
    uint32_t closed = 0;
    for (uint32_t i = 0; i < w->contacts; i++) {
        const contact_values *v = contact_law_values(w->law, i);
        const double tolerance = NO_GAP * length_of(w);
        const contact *c = &w->free->model->contacts[i];
        if (w->mode[i] == MODE_FREE && !(ended && has_fired(w, ended->m->contacts[i].lands)) &&
            v->gap < -tolerance)
            return pieces_fail(w, ended ? NULL : "let `initial` leave the gap open, or 0",
                               "contact `%s` is closed by more than nothing: its gap is %.6g",
                               c->name, v->gap);
        state[i] = (contact_state){
            .is_closed = w->mode[i] != MODE_FREE ||
                         (ended && has_fired(w, ended->m->contacts[i].lands)) ||
                         (v->gap <= tolerance && v->speed <= NO_SPEED * speed_scale(w, i))};
        closed += state[i].is_closed;
        if (state[i].is_closed && c->has_place &&
            fabs(v->normal_rate - v->speed) > 1e-6 * (fabs(v->speed) + speed_scale(w, i)))
            return pieces_fail(
                w, "the gap is to be the distance along the normal at the place of contact",
                "contact `%s`: its gap changes by %.6g, and the body moves along the normal by "
                "%.6g",
                c->name, v->speed, v->normal_rate);
    }
    if (closed <= MOST_CLOSED) return true;
    return pieces_fail(w, NULL, "%u contacts are closed at once; at most %d can be solved for",
                       closed, MOST_CLOSED);
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
    }
}

bool pieces_settle_contacts(pieces *w, const piece *ended) {
    contact_state *state = w->state;
    if (!w->contacts) return true;
    if (!look(w) || !find_closed(w, ended) || !take_impacts(w) || !end_bounces(w)) return false;
    for (uint32_t i = 0; i < w->contacts; i++) // those that bounce are open
        if (state[i].is_closed &&
            contact_law_values(w->law, i)->speed > NO_SPEED * speed_scale(w, i))
            state[i].is_closed = false;
    if (!choose_modes(w, ended)) return false;
    for (uint32_t i = 0; i < w->contacts; i++)
        if (state[i].is_closed && state[i].mode == MODE_SLIDING && !state[i].slides &&
            w->free->model->contacts[i].tangents == 2)
            begin_to_slide(w, i, &state[i]);
    take_modes(w);
    return true;
}
