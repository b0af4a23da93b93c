// One step of the classical Runge-Kutta method for (q, q') in numbers of a state's precision.
#include "prove/flow.h"

#include <math.h>

// One step and two halves, against the velocities (for positions: the way made in the time). Across
// a kink of a force they differ by h, where the motion is singular by far more than that.
static const double SAME = 1e-2;

// Midpoints only: a travelling state is a number, not a set
static void drop_radius(const expr *symbol, uint32_t count, state *x) {
    for (uint32_t i = 0; i < count; i++) mag_zero(arb_radref(state_get(x, symbol[i])));
}

void flow_set_quasi(const equations *eq, state *x) {
    const mechanics *s = eq->system;
    if (!s->has_quasi) return;
    arb_ptr eta = _arb_vec_init(s->m);
    equations_values(eq, x, s->m, s->psi, eta);
    for (uint32_t i = 0; i < s->m; i++) state_set(x, s->eta[i], eta + i);
    _arb_vec_clear(eta, s->m);
    drop_radius(s->eta, s->m, x);
}

bool flow_solve(const equations *eq, state *x) {
    const mechanics *s = eq->system;
    evaluation e = {0};
    expr missing;
    flow_set_quasi(eq, x);
    const bool ok = equations_evaluate(eq, x, &e, &missing) == EVALUATE_OK;
    evaluation_clear(&e);
    if (ok) drop_radius(s->qdd, s->n, x);
    for (uint32_t i = 0; i < s->n; i++)
        if (ok && !arb_is_finite(state_get(x, s->qdd[i]))) return false;
    return ok;
}

// to = from + h*slope, where slope = (q', q'') of another state
static void advance(const equations *eq, state *from, state *slope, double h, state *to) {
    const mechanics *s = eq->system;
    arb_t step;
    arb_init(step);
    arb_set_d(step, h);
    for (uint32_t i = 0; i < s->n; i++) {
        arb_set(state_get(to, s->q[i]), state_get(from, s->q[i]));
        arb_set(state_get(to, s->qd[i]), state_get(from, s->qd[i]));
        arb_addmul(state_get(to, s->q[i]), step, state_get(slope, s->qd[i]), to->precision);
        arb_addmul(state_get(to, s->qd[i]), step, state_get(slope, s->qdd[i]), to->precision);
    }
    arb_add(state_get(to, s->model->time), state_get(from, s->model->time), step, to->precision);
    drop_radius(s->q, s->n, to), drop_radius(s->qd, s->n, to);
    arb_clear(step);
}

static bool step_once(const equations *eq, state *from, double h, state *to) {
    const mechanics *s = eq->system;
    static const double part[3] = {0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    state stage[3];
    state_copy_midpoints(from, from->precision, to);
    bool ok = true;
    for (int i = 0; i < 3; i++) {
        state_copy_midpoints(from, from->precision, &stage[i]);
        if (!ok) continue;
        advance(eq, from, i ? &stage[i - 1] : from, part[i] * h, &stage[i]);
        ok = flow_solve(eq, &stage[i]);
    }
    arb_t step;
    arb_init(step);
    for (int i = 0; i < 4 && ok; i++) {
        state *slope = i ? &stage[i - 1] : from;
        arb_set_d(step, weight[i] * h);
        for (uint32_t j = 0; j < s->n; j++) {
            arb_addmul(state_get(to, s->q[j]), step, state_get(slope, s->qd[j]), to->precision);
            arb_addmul(state_get(to, s->qd[j]), step, state_get(slope, s->qdd[j]), to->precision);
        }
    }
    arb_set_d(step, h);
    arb_add(state_get(to, s->model->time), state_get(from, s->model->time), step, to->precision);
    drop_radius(s->q, s->n, to), drop_radius(s->qd, s->n, to);
    arb_clear(step);
    ok = ok && flow_solve(eq, to);
    for (int i = 0; i < 3; i++) state_clear(&stage[i]);
    return ok;
}

static bool are_same(const expr *symbol, uint32_t count, double tolerance, state *one,
                     state *other) {
    for (uint32_t i = 0; i < count; i++) {
        const double x = ball_middle(state_get(one, symbol[i])),
                     y = ball_middle(state_get(other, symbol[i]));
        if (!(fabs(x - y) <= tolerance)) return false;
    }
    return true;
}

bool flow_step_checked(const equations *eq, state *from, double h, state *to) {
    const mechanics *s = eq->system;
    state whole = {0}, half = {0};
    double speed = 0;
    for (uint32_t i = 0; i < s->n; i++)
        speed = fmax(speed, fabs(ball_middle(state_get(from, s->qd[i]))));
    bool ok = step_once(eq, from, h, &whole) && step_once(eq, from, h / 2, &half);
    if (ok) ok = step_once(eq, &half, h / 2, to);
    else *to = (state){0};
    ok = ok && are_same(s->q, s->n, SAME * fabs(h) * speed, &whole, to) &&
         are_same(s->qd, s->n, SAME * speed, &whole, to);
    if (whole.model) state_clear(&whole);
    if (half.model) state_clear(&half);
    return ok;
}
