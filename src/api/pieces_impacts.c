// Impacts, and bounces that become too small to follow.
#include "api/pieces_settle.h"

#include <float.h>
#include <math.h>

// Bounces below this part of the fastest one are followed no longer.
static const double LAST_BOUNCE = 1e-9;

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

// Newton's restitution with friction may give energy to a body that is hit beside its centre. What
// a surface that moves gives to it is another matter.
static void note_gain(pieces *w, double before) {
    static const double ROUNDING = 1e-9;
    double lost = 0;
    for (uint32_t i = 0; i < w->contacts; i++)
        if (w->state[i].is_closed) lost -= w->state[i].own_work;
    if (w->has_gained || !(lost < -ROUNDING * fabs(before))) return;
    w->has_gained = true;
    diag_warning(w->outer->m->ctx, (span){0},
                 "Newton's coefficient with Coulomb's friction allows that: give a smaller one",
                 "the impact at t = %.10g gains the energy %.6g", w->t, -lost);
}

// Each impact with what it took. The sum is that of the energies, whose rounding, and what moving
// constraints do, is in the first.
static void note_impacts(pieces *w, double lost) {
    static const double ROUNDING = 1e-14;
    const contact_state *state = w->state;
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < w->contacts; i++) {
        if (!state[i].is_closed || !(w->speed[i] < -pieces_no_speed(w, i))) continue;
        if (first == UINT32_MAX) first = i;
        else lost += state[i].work;
    }
    for (uint32_t i = first; i < w->contacts; i++) {
        if (!state[i].is_closed || !(w->speed[i] < -pieces_no_speed(w, i))) continue;
        const double took = i == first ? lost : -state[i].work;
        note_impact(w, i, w->speed[i], fabs(took) > ROUNDING * w->kinetic_most ? took : 0);
    }
}

static bool fail_impact(pieces *w) {
    for (uint32_t i = 0; i < w->contacts; i++)
        if (w->state[i].is_closed && w->speed[i] < 0 && isinf(contact_law_values(w->law, i)->mass))
            return pieces_fail(w, "let the motion that is prescribed stay away from the surface",
                               "constraints drive the motion into contact `%s`, whose force "
                               "cannot turn it",
                               w->free->model->contacts[i].name);
    return pieces_fail(w, "give a smaller coefficient of friction",
                       "no velocities after the impact obey Coulomb's law");
}

// v_n+ = -e v_n- for those that approach; again where that lets others approach
bool pieces_take_impacts(pieces *w) {
    enum { ROUNDS = 32 };
    contact_state *state = w->state;
    double *speed = w->speed;
    for (int round = 0; round < ROUNDS; round++) {
        bool approaches = false;
        const double before = contact_law_energy(w->law);
        for (uint32_t i = 0; i < w->contacts; i++) {
            speed[i] = contact_law_values(w->law, i)->speed;
            state[i].slides = false;
            pieces_allow_all(w, i, &state[i]);
            approaches = approaches || (state[i].is_closed && speed[i] < -pieces_no_speed(w, i));
        }
        if (!approaches) return true;
        if (!contact_law_impact(w->law, state, w->qd)) return fail_impact(w);
        if (!pieces_look(w)) return false;
        const double lost = before - contact_law_energy(w->law);
        w->lost_at_impacts += lost;
        note_gain(w, contact_law_kinetic(w->law));
        note_impacts(w, lost);
    }
    return pieces_fail(w, NULL, "the impacts of several contacts at once do not come to an end");
}

// Is this the last bounce that is followed? It is much smaller than the first, or so low that its
// time is poor: rounding of the gap moves it by eps/v. What closing too early changes is of the
// order v^2/a.
static bool is_small(const pieces *w, uint32_t i, double acceleration) {
    static const double GAP_ROUNDING = 65536 * DBL_EPSILON; // where errors of both kinds meet
    const contact_values *v = contact_law_values(w->law, i);
    const double height = fmax(v->gap, 0) + v->speed * v->speed / (-2 * acceleration),
                 speed = sqrt(-2 * acceleration * height);
    return speed <= LAST_BOUNCE * w->fastest[i] || height <= GAP_ROUNDING * v->size;
}

// Bounces that have become too small to follow: those that would come take the times
// 2 v/a (1 + e + e^2 + ..) together. The contact is closed from the top of this one on.
static void end_bounce(pieces *w, uint32_t i, double acceleration) {
    const contact_values *v = contact_law_values(w->law, i);
    if (v->speed <= pieces_no_speed(w, i) || !(v->bounce < 1) || !(acceleration < 0) ||
        !is_small(w, i, acceleration))
        return;
    w->rests_at[i] = w->t - 2 * v->speed / (acceleration * (1 - v->bounce));
    w->closing[i] = true;
}

// Of those that were just hit, before others are asked what they do
void pieces_end_bounces(pieces *w) {
    for (uint32_t i = 0; i < w->contacts; i++)
        if (w->state[i].is_closed) end_bounce(w, i, contact_law_values(w->law, i)->acceleration);
}

// Of two blocks that fall side by side neither sees the other fall, until the lower one lies: then
// the bounces of the upper one become small.
void pieces_end_bounces_on_others(pieces *w) {
    for (uint32_t i = 0; i < w->contacts; i++) {
        const bool low = contact_law_values(w->law, i)->gap <= pieces_no_gap(w);
        w->falls[i] = contact_law_acceleration(w->law, w->state, i);
        if (low && !w->state[i].is_closed && !w->closing[i] && w->fastest[i] > 0)
            end_bounce(w, i, w->falls[i]);
    }
}

// After its last bounce a contact is closed, without the speed that is left.
bool pieces_close_bounced(pieces *w) {
    bool any = false;
    for (uint32_t i = 0; i < w->contacts; i++) {
        if (!w->closing[i]) continue;
        contact_law_change(w->law, i, (double[3]){-contact_law_values(w->law, i)->speed, 0, 0},
                           w->qd);
        any = true;
    }
    return !any || pieces_look(w);
}
