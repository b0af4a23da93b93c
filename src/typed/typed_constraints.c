// The constraints that act, as they were typed: their rows dPhi/dq', their accelerations, and along
// what their reactions act.
#include "typed/typed_motion.h"

// --- constraints ---------------------------------------------------------------------------------

static bool phi_at(typed_system *sys, const constraint *c, const level *l, jet *out) {
    evaluator *ev = &sys->ev;
    if (!c->typed.item || !c->typed.item->right)
        return evaluator_fail(ev, TYPED_NO_VALUE, c->at,
                              "this constraint is not one that was typed");
    const typed_binding *around = evaluator_import(ev, c->typed.bindings);
    result left, right;
    if (!evaluator_run(ev, c->typed.item->value, around, l, &left) ||
        !evaluator_run(ev, c->typed.item->right, around, l, &right))
        return false;
    const uint32_t component = c->typed.component < 0 ? 0 : (uint32_t)c->typed.component;
    *out = jet_sub(&ev->jets, &left.part[component], &right.part[component]);
    return true;
}

bool typed_acceleration_form(typed_system *sys, const constraint *c, arb_t out) {
    evaluator *ev = &sys->ev;
    const ball_mark mark = ball_stack_mark(&ev->work);
    const level *l = level_in_time(ev, &ev->ground, c->order < 2 ? (uint32_t)(2 - c->order) : 0);
    jet phi;
    if (!phi_at(sys, c, l, &phi)) return false;
    for (; l->depth; l = l->outer) phi = jet_coefficient(&ev->jets, &phi, level_bit(l));
    arb_set(out, phi.part);
    ball_stack_release(&ev->work, mark, 0, NULL);
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
    ball_stack_release(&ev->work, mark, 0, NULL);
    return true;
}

// --- directions of reactions ---------------------------------------------------------------------

// b_i as it was typed behind `by`, 0 for a coordinate that is not named there
static bool servo_entry(typed_system *sys, const constraint *c, uint32_t i, arb_t out) {
    evaluator *ev = &sys->ev;
    const typed_binding *around = evaluator_import(ev, c->typed.bindings);
    arb_zero(out);
    for (const item *it = c->typed.item->next; it; it = it->next) {
        const ball_mark mark = ball_stack_mark(&ev->work);
        const entry *e = evaluator_find_entry(ev, SPACE_VALUES, it->target, around);
        result r;
        if (!e || expr_symbol_index(ev->model->pool, e->symbol) != sys->q[i]) continue;
        if (!evaluator_run(ev, it->value, around, &ev->ground, &r)) return false;
        arb_set(out, r.part[c->typed.component < 0 ? 0 : c->typed.component].part);
        ball_stack_release(&ev->work, mark, 0, NULL);
    }
    return true;
}

bool typed_fill_directions(typed_system *sys, const arb_mat_t rows, arb_mat_t out) {
    arb_mat_set(out, rows);
    for (uint32_t nu = 0; nu < sys->constraint_count; nu++) {
        const constraint *c = sys->constraint[nu];
        if (c->servo && !sys->as_stated)
            return evaluator_fail(&sys->ev, TYPED_NO_VALUE, c->at,
                                  "constraints beside this servo act in another form than typed");
        for (uint32_t i = 0; i < sys->n && c->servo; i++)
            if (!servo_entry(sys, c, i, arb_mat_entry(out, nu, i))) return false;
    }
    return true;
}

// --- the constraints that act --------------------------------------------------------------------

void typed_gather_constraints(typed_system *sys) {
    const mechanics *s = sys->system;
    const model *m = s->model;
    sys->constraint = arena_array(&sys->ev.arena, const constraint *, m->constraints_count + 1);
    sys->as_stated = true;
    for (uint32_t nu = 0; nu < sys->acting; nu++) {
        const constraint *c = &m->constraints[s->constraint[nu]];
        sys->as_stated = sys->as_stated && c->typed.item && c->stated == EXPR_NONE;
        sys->constraint[sys->constraint_count++] = c;
    }
    if (sys->as_stated) return;
    sys->constraint_count = 0;
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const constraint *c = &m->constraints[i];
        if (c->typed.item && c->status != CONSTRAINT_IDENTITY)
            sys->constraint[sys->constraint_count++] = c;
    }
}

bool typed_fill_rows(typed_system *sys, arb_mat_t rows) {
    for (uint32_t nu = 0; nu < sys->constraint_count; nu++)
        for (uint32_t i = 0; i < sys->n; i++)
            if (!row_entry(sys, sys->constraint[nu], i, arb_mat_entry(rows, nu, i))) return false;
    return true;
}
