// Forms against the reference: the same accelerations and multipliers at random
// points of the constraint manifold.
#include "prove/court.h"

// The residuals of another form with its own unknowns replaced by what they mean along the
// motion: eta' = d/dt Psi, p = dL/dq'.
static void in_accelerations(const court *c, const equations *eq, expr *out) {
    pool *p = c->system->pool;
    for (uint32_t i = 0; i < eq->unknown_count; i++) {
        out[i] = eq->residual[i].value;
        for (uint32_t j = 0; j < eq->auxiliaries_count; j++) {
            const expr from[2] = {eq->auxiliaries[j].symbol,
                                  expr_symbol_derivative(p, eq->auxiliaries[j].symbol)};
            const expr to[2] = {eq->auxiliaries[j].value, expr_ddt(p, eq->auxiliaries[j].value)};
            out[i] = expr_replace(p, out[i], 2, from, to);
        }
    }
}

static bool differs(court *c, const field_point *p, const field_point *q, uint32_t count,
                    const expr *symbol) {
    for (uint32_t j = 0; j < count; j++) {
        const uint32_t at = expr_symbol_index(c->system->pool, symbol[j]);
        if (p->value[at] != q->value[at]) return true;
    }
    return false;
}

// Both motions from one point; from the velocities of the form itself where it is of first order.
static test_result compare_at_point(court *c, const equations *eq, bool with_multipliers,
                                    uint32_t i) {
    const mechanics *s = c->system;
    const field_point *known = stage_point(&c->classical, i);
    if (!known) return TEST_IMPOSSIBLE;
    field_point p = stage_copy_point(&c->classical.before[i]), here = {0};
    modular_status status = field_solve(&c->classical.field, eq, &p);
    if (!status && equations_fix_velocities(eq)) {
        here = stage_copy_point(&p);
        status = field_solve(&c->classical.field, c->classical.eq, &here);
        known = &here;
    }
    test_result result = TEST_IMPOSSIBLE;
    if (status == MODULAR_OK) {
        const bool other =
            differs(c, &p, known, s->n, s->qdd) ||
            (with_multipliers && differs(c, &p, known, eq->multiplier_count, s->multiplier));
        result = other ? TEST_NONZERO : TEST_ZERO;
    }
    field_point_free(&p);
    field_point_free(&here);
    return result;
}

// At as many points as the statement needs. Sets `enough` if there were that many.
static test_result compare(court *c, const equations *eq, bool with_multipliers, bool *enough) {
    uint32_t done = 0;
    test_result result = TEST_ZERO;
    expr *own = arena_array(&c->m->ctx->arena, expr, eq->unknown_count + c->system->n);
    for (uint32_t i = 0; i < eq->unknown_count; i++) own[i] = eq->residual[i].value;
    for (uint32_t i = 0; i < c->system->n; i++) own[eq->unknown_count + i] = eq->acceleration[i];
    for (uint32_t j = 0; j < eq->auxiliaries_count; j++) // written out: their degrees count
        expr_substitute(c->system->pool, 1, &eq->auxiliaries[j].symbol, &eq->auxiliaries[j].value,
                        eq->unknown_count, own, own);
    stage_prepare(&c->classical, eq->unknown_count + c->system->n, own);
    const uint32_t trials = c->classical.needed;
    for (uint32_t i = 0; done < trials && i < trials * POINTS_PER_TRIAL && result != TEST_NONZERO;
         i++) {
        result = compare_at_point(c, eq, with_multipliers, i);
        done += result != TEST_IMPOSSIBLE;
    }
    *enough = c->classical.usable && trials && done >= trials;
    return result;
}

void judge_form(court *c, const equations *eq) {
    verdict *v = begin_verdict(c, "form", eq->form);
    bool enough;
    const test_result result = compare(c, eq, true, &enough);
    if (result != TEST_NONZERO && enough) set_proved(v, &c->classical);
    if (result != TEST_NONZERO && (c->request->certify || !enough)) {
        bool found = certificate_of_form(closed_motion_of(c), &c->basis, eq) == NORMAL_YES;
        if (!found) {
            expr *residual = arena_array(&c->m->ctx->arena, expr, eq->unknown_count);
            in_accelerations(c, eq, residual);
            found = is_certified(c, eq->unknown_count, residual);
        }
        set_certificate(v, found);
    }
    weigh_motion(c, &c->classical, v);
    if (v->verdict == VERDICT_PROVED || v->remark ||
        witness_between(&c->room, c->classical.eq, eq, true, v))
        return;
    v->remark = enough ? "differs in algebra, yet not at any state tried"
                       : "no random point of the motion could be made";
}

void judge_motion(court *c, const equations *eq, verdict *v) {
    bool enough;
    const test_result result = compare(c, eq, false, &enough);
    if (result != TEST_NONZERO && enough) set_proved(v, &c->classical);
    weigh_motion(c, &c->classical, v);
    if (v->verdict == VERDICT_PROVED || v->remark ||
        witness_between(&c->room, c->classical.eq, eq, false, v))
        return;
    v->remark = enough ? "differs in algebra, yet not at any state tried"
                       : "no random point of the motion could be made";
}
