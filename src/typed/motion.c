// The motion from the typed statements: residuals of N_i = sum lambda dPhi/dq', and the accelerations that solve them.
#include "typed/motion.h"

#include <arb_mat.h>

static bool system_init(typed_system *sys, const mechanics *system, state *s, bool at_rest) {
    const model *m = system->model;
    *sys = (typed_system){.system = system, .n = system->n, .k = system->k + system->h};
    evaluator_init(&sys->ev, s);
    sys->ev.at_rest = at_rest;
    sys->q = arena_array(&sys->ev.arena, uint32_t, 3 * sys->n);
    sys->qd = sys->q + sys->n;
    sys->qdd = sys->qd + sys->n;
    for (uint32_t i = 0; i < sys->n; i++) {
        sys->q[i] = expr_symbol_index(m->pool, system->q[i]);
        sys->qd[i] = symbol_of_order(m->pool, sys->q[i], 1);
        sys->qdd[i] = symbol_of_order(m->pool, sys->q[i], 2);
        if (sys->qd[i] == EXPR_NONE || sys->qdd[i] == EXPR_NONE)
            return fail(&sys->ev, TYPED_NO_VALUE, (span){0}, "the state knows no accelerations");
    }
    return settle_gravity(sys);
}

// --- derivatives of L -----------------------------------------------------------------------------------------------

// D1 D2 L with the derivations of two levels
static bool second_derivative(typed_system *sys, const level *first, const level *second, jet *out) {
    if (!typed_lagrangian(sys, second, out)) return false;
    *out = jet_coefficient(&sys->ev.jets, out, level_bit(second));
    *out = jet_coefficient(&sys->ev.jets, out, level_bit(first));
    return true;
}

// N_i = d/dt dL/dq'_i - dL/dq_i - Q_i
static bool residual_of(typed_system *sys, uint32_t i, arb_t out) {
    evaluator *ev = &sys->ev;
    const ball_mark mark = ball_stack_mark(&ev->work);
    const level *time = level_in_time(ev, &ev->ground), *along = level_by(ev, &ev->ground, sys->q[i]);
    jet inertial, slope, force;
    if (!second_derivative(sys, time, level_by(ev, time, sys->qd[i]), &inertial)) return false;
    if (!typed_lagrangian(sys, along, &slope) || !typed_force(sys, i, &force)) return false;
    slope = jet_coefficient(&ev->jets, &slope, level_bit(along));
    arb_sub(out, inertial.part, slope.part, ev->jets.precision);
    arb_sub(out, out, force.part, ev->jets.precision);
    ball_settle(&ev->work, mark, 0, NULL);
    return true;
}

// --- constraints ----------------------------------------------------------------------------------------------------

static bool phi_at(typed_system *sys, const constraint *c, const level *l, jet *out) {
    evaluator *ev = &sys->ev;
    if (!c->typed.item || !c->typed.item->right)
        return fail(ev, TYPED_NO_VALUE, c->at, "this constraint is not one that was typed");
    const typed_binding *around = import_bindings(&ev->arena, ev->model->pool, c->typed.bindings);
    result left, right;
    if (!evaluate(ev, c->typed.item->value, around, l, &left) || !evaluate(ev, c->typed.item->right, around, l, &right))
        return false;
    const uint32_t component = c->typed.component < 0 ? 0 : (uint32_t)c->typed.component;
    *out = jet_sub(&ev->jets, &left.part[component], &right.part[component]);
    return true;
}

// d2/dt2 Phi for order 0, d/dt Phi for order 1, Phi from order 2 on
static bool acceleration_form(typed_system *sys, const constraint *c, arb_t out) {
    evaluator *ev = &sys->ev;
    const ball_mark mark = ball_stack_mark(&ev->work);
    const level *l = &ev->ground;
    for (int order = c->order; order < 2; order++) l = level_in_time(ev, l);
    jet phi;
    if (!phi_at(sys, c, l, &phi)) return false;
    for (; l->depth; l = l->outer) phi = jet_coefficient(&ev->jets, &phi, level_bit(l));
    arb_set(out, phi.part);
    ball_settle(&ev->work, mark, 0, NULL);
    return true;
}

// dPhi/dq^(p)_i for a constraint of order p; dPhi/dq_i = d(dPhi/dt)/dq'_i for order 0
static bool row_entry(typed_system *sys, const constraint *c, uint32_t i, arb_t out) {
    evaluator *ev = &sys->ev;
    const ball_mark mark = ball_stack_mark(&ev->work);
    const uint32_t symbol = symbol_of_order(ev->model->pool, sys->q[i], (uint32_t)c->order);
    arb_zero(out);
    if (symbol == EXPR_NONE) return true; // nothing that was typed holds it
    const level *along = level_by(ev, &ev->ground, symbol);
    jet phi;
    if (!phi_at(sys, c, along, &phi)) return false;
    phi = jet_coefficient(&ev->jets, &phi, level_bit(along));
    arb_set(out, phi.part);
    ball_settle(&ev->work, mark, 0, NULL);
    return true;
}

static const constraint *acting(const typed_system *sys, uint32_t nu) {
    return &sys->system->model->constraints[sys->system->constraint[nu]];
}

// --- residuals ------------------------------------------------------------------------------------------------------

static bool residuals(typed_system *sys, arb_ptr out) {
    const slong precision = sys->ev.jets.precision;
    for (uint32_t i = 0; i < sys->n; i++)
        if (!residual_of(sys, i, out + i)) return false;
    arb_t slope;
    arb_init(slope);
    bool good = true;
    for (uint32_t nu = 0; nu < sys->k && good; nu++) {
        const ball_mark mark = ball_stack_mark(&sys->ev.work);
        const expr multiplier = sys->system->multiplier[nu];
        jet lambda;
        good = symbol_jet(&sys->ev, expr_symbol_index(sys->system->pool, multiplier), 0, &sys->ev.ground,
                          acting(sys, nu)->at, &lambda);
        for (uint32_t i = 0; i < sys->n && good; i++) {
            good = row_entry(sys, acting(sys, nu), i, slope);
            if (good) arb_submul(out + i, lambda.part, slope, precision);
        }
        if (good) good = acceleration_form(sys, acting(sys, nu), out + sys->n + nu);
        ball_settle(&sys->ev.work, mark, 0, NULL);
    }
    arb_clear(slope);
    return good;
}

typed_finding typed_motion(const mechanics *system, state *s, arb_ptr residual) {
    typed_system sys;
    if (system_init(&sys, system, s, false)) residuals(&sys, residual);
    evaluator_free(&sys.ev);
    return sys.ev.finding;
}

// --- accelerations --------------------------------------------------------------------------------------------------

// [M -A^T; A 0] (q'', lambda) = -(N, Phi..) with N and Phi.. at q'' = 0: both are affine in q''.
static bool fill(typed_system *sys, arb_mat_t matrix, arb_mat_t right) {
    evaluator *ev = &sys->ev;
    for (uint32_t i = 0; i < sys->n; i++) {
        if (!residual_of(sys, i, arb_mat_entry(right, i, 0))) return false;
        for (uint32_t j = 0; j <= i; j++) {
            const ball_mark mark = ball_stack_mark(&ev->work);
            const level *outer = level_by(ev, &ev->ground, sys->qd[j]);
            jet mass;
            if (!second_derivative(sys, outer, level_by(ev, outer, sys->qd[i]), &mass)) return false;
            arb_set(arb_mat_entry(matrix, i, j), mass.part);
            arb_set(arb_mat_entry(matrix, j, i), mass.part);
            ball_settle(&ev->work, mark, 0, NULL);
        }
    }
    for (uint32_t nu = 0; nu < sys->k; nu++) {
        const constraint *c = acting(sys, nu);
        if (c->order > 2) return fail(ev, TYPED_NO_VALUE, c->at, "constraints of order 3 leave q'' to the state");
        if (!acceleration_form(sys, c, arb_mat_entry(right, sys->n + nu, 0))) return false;
        for (uint32_t i = 0; i < sys->n; i++) {
            arb_ptr entry = arb_mat_entry(matrix, sys->n + nu, i);
            if (!row_entry(sys, c, i, entry)) return false;
            arb_neg(arb_mat_entry(matrix, i, sys->n + nu), entry);
        }
    }
    arb_mat_neg(right, right);
    return true;
}

// A constraint of order 2 need not be affine in q'': then the solution is none.
static bool solves(const mechanics *system, state *s, arb_srcptr qdd, arb_srcptr lambda, typed_finding *finding) {
    const uint32_t n = system->n, k = system->k + system->h;
    state there;
    state_init(&there, system->model, s->precision);
    for (uint32_t i = 0; i < s->capacity; i++) {
        if (!s->known[i]) continue;
        arb_set(there.value + i, s->value + i);
        there.known[i] = true;
    }
    for (uint32_t i = 0; i < n; i++) state_set(&there, system->qdd[i], qdd + i);
    for (uint32_t nu = 0; nu < k; nu++) state_set(&there, system->multiplier[nu], lambda + nu);
    arb_ptr residual = _arb_vec_init(n + k);
    *finding = typed_motion(system, &there, residual);
    bool zero = finding->status == TYPED_OK;
    for (uint32_t i = 0; i < n + k; i++) zero = zero && arb_contains_zero(residual + i);
    _arb_vec_clear(residual, n + k);
    state_clear(&there);
    return zero;
}

typed_finding typed_accelerations(const mechanics *system, state *s, arb_ptr qdd, arb_ptr lambda) {
    typed_system sys;
    const bool ready = system_init(&sys, system, s, true);
    const slong size = (slong)(sys.n + sys.k);
    arb_mat_t matrix, right;
    arb_mat_init(matrix, size, size);
    arb_mat_init(right, size, 1);
    if (ready && fill(&sys, matrix, right)) {
        if (!arb_mat_solve(right, matrix, right, s->precision))
            fail(&sys.ev, TYPED_TOO_WIDE, (span){0}, "the equations of motion are singular here, or nearly so");
        else {
            for (uint32_t i = 0; i < sys.n; i++) arb_set(qdd + i, arb_mat_entry(right, i, 0));
            for (uint32_t nu = 0; nu < sys.k; nu++) arb_set(lambda + nu, arb_mat_entry(right, sys.n + nu, 0));
        }
    }
    typed_finding finding = sys.ev.finding;
    evaluator_free(&sys.ev);
    if (finding.status == TYPED_OK && system->h && !solves(system, s, qdd, lambda, &finding) &&
        finding.status == TYPED_OK)
        finding = (typed_finding){TYPED_NO_VALUE, {0}, "a constraint of order 2 is not affine in the accelerations"};
    arb_mat_clear(matrix);
    arb_mat_clear(right);
    return finding;
}
