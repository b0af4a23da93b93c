// One step of the classical Runge-Kutta method for (q, q') in numbers of a state's precision.
#include "prove/travel.h"

#include <math.h>

// One step and two halves, against the velocities (for positions: the way made in the time). Across
// a kink of a force they differ by h, where the motion is singular by far more than that.
static const double SAME = 1e-2;

void travel_copy(const state *from, slong precision, state *to) {
    state_init(to, from->model, precision);
    to->generic = from->generic;
    for (uint32_t i = 0; i < from->capacity; i++) {
        if (!from->known[i]) continue;
        state_set(to, pool_symbol(from->model->pool, i)->node, from->value + i);
        mag_zero(arb_radref(to->value + i));
    }
}

// Midpoints only: a travelling state is a number, not a set
static void drop_radius(const expr *symbol, uint32_t count, state *s) {
    for (uint32_t i = 0; i < count; i++) mag_zero(arb_radref(state_get(s, symbol[i])));
}

void travel_set_quasi(const equations *eq, state *s) {
    const mechanics *w = eq->system;
    if (!w->has_quasi) return;
    arb_ptr eta = _arb_vec_init(w->m);
    equations_values(eq, s, w->m, w->psi, eta);
    for (uint32_t i = 0; i < w->m; i++) state_set(s, w->eta[i], eta + i);
    _arb_vec_clear(eta, w->m);
    drop_radius(w->eta, w->m, s);
}

bool travel_solve(const equations *eq, state *s) {
    const mechanics *w = eq->system;
    evaluation e = {0};
    expr missing;
    travel_set_quasi(eq, s);
    const bool ok = equations_evaluate(eq, s, &e, &missing) == EVALUATE_OK;
    evaluation_clear(&e);
    if (ok) drop_radius(w->qdd, w->n, s);
    for (uint32_t i = 0; i < w->n; i++)
        if (ok && !arb_is_finite(state_get(s, w->qdd[i]))) return false;
    return ok;
}

// to = from + h*slope, where slope = (q', q'') of another state
static void advance(const equations *eq, state *from, state *slope, double h, state *to) {
    const mechanics *w = eq->system;
    arb_t step;
    arb_init(step);
    arb_set_d(step, h);
    for (uint32_t i = 0; i < w->n; i++) {
        arb_set(state_get(to, w->q[i]), state_get(from, w->q[i]));
        arb_set(state_get(to, w->qd[i]), state_get(from, w->qd[i]));
        arb_addmul(state_get(to, w->q[i]), step, state_get(slope, w->qd[i]), to->precision);
        arb_addmul(state_get(to, w->qd[i]), step, state_get(slope, w->qdd[i]), to->precision);
    }
    arb_add(state_get(to, w->model->time), state_get(from, w->model->time), step, to->precision);
    drop_radius(w->q, w->n, to), drop_radius(w->qd, w->n, to);
    arb_clear(step);
}

bool travel(const equations *eq, state *from, double h, state *to) {
    const mechanics *w = eq->system;
    static const double part[3] = {0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    state stage[3];
    travel_copy(from, from->precision, to);
    bool ok = true;
    for (int i = 0; i < 3; i++) {
        travel_copy(from, from->precision, &stage[i]);
        if (!ok) continue;
        advance(eq, from, i ? &stage[i - 1] : from, part[i] * h, &stage[i]);
        ok = travel_solve(eq, &stage[i]);
    }
    arb_t step;
    arb_init(step);
    for (int i = 0; i < 4 && ok; i++) {
        state *slope = i ? &stage[i - 1] : from;
        arb_set_d(step, weight[i] * h);
        for (uint32_t j = 0; j < w->n; j++) {
            arb_addmul(state_get(to, w->q[j]), step, state_get(slope, w->qd[j]), to->precision);
            arb_addmul(state_get(to, w->qd[j]), step, state_get(slope, w->qdd[j]), to->precision);
        }
    }
    arb_set_d(step, h);
    arb_add(state_get(to, w->model->time), state_get(from, w->model->time), step, to->precision);
    drop_radius(w->q, w->n, to), drop_radius(w->qd, w->n, to);
    arb_clear(step);
    ok = ok && travel_solve(eq, to);
    for (int i = 0; i < 3; i++) state_clear(&stage[i]);
    return ok;
}

static bool are_same(const expr *symbol, uint32_t count, double tolerance, state *one,
                     state *other) {
    for (uint32_t i = 0; i < count; i++) {
        const double x = arf_get_d(arb_midref(state_get(one, symbol[i])), ARF_RND_NEAR),
                     y = arf_get_d(arb_midref(state_get(other, symbol[i])), ARF_RND_NEAR);
        if (!(fabs(x - y) <= tolerance)) return false;
    }
    return true;
}

bool travel_safely(const equations *eq, state *from, double h, state *to) {
    const mechanics *w = eq->system;
    state whole = {0}, half = {0};
    double speed = 0;
    for (uint32_t i = 0; i < w->n; i++)
        speed = fmax(speed, fabs(arf_get_d(arb_midref(state_get(from, w->qd[i])), ARF_RND_NEAR)));
    bool ok = travel(eq, from, h, &whole) && travel(eq, from, h / 2, &half);
    if (ok) ok = travel(eq, &half, h / 2, to);
    else *to = (state){0};
    ok = ok && are_same(w->q, w->n, SAME * fabs(h) * speed, &whole, to) &&
         are_same(w->qd, w->n, SAME * speed, &whole, to);
    if (whole.model) state_clear(&whole);
    if (half.model) state_clear(&half);
    return ok;
}
