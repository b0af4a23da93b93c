// Forms against the reference: the same accelerations and multipliers at random
// points of the constraint manifold.
#include "prove/proof_session.h"

// The residuals of another form with its own unknowns replaced by what they mean along the
// motion: eta' = d/dt Psi, p = dL/dq'.
static void in_accelerations(const proof_session *ps, const equations *eq, expr *out) {
    pool *p = ps->system->pool;
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

static bool differs(proof_session *ps, const modular_state *x, const modular_state *q,
                    uint32_t count, const expr *symbol) {
    for (uint32_t j = 0; j < count; j++) {
        const uint32_t at = expr_symbol_index(ps->system->pool, symbol[j]);
        if (x->value[at] != q->value[at]) return true;
    }
    return false;
}

// Both motions from one point; from the velocities of the form itself where it is of first order.
static test_result compare_at_point(proof_session *ps, const equations *eq, bool with_multipliers,
                                    uint32_t i) {
    const mechanics *s = ps->system;
    const modular_state *x = modular_test_point(&ps->classical, i);
    if (!x) return TEST_IMPOSSIBLE;
    modular_state p = modular_state_copy(&ps->classical.before[i]), here = {0};
    modular_status status = modular_solve(&ps->classical.motion, eq, &p);
    if (!status && equations_fix_velocities(eq)) {
        here = modular_state_copy(&p);
        status = modular_solve(&ps->classical.motion, ps->classical.eq, &here);
        x = &here;
    }
    test_result result = TEST_IMPOSSIBLE;
    if (status == MODULAR_OK) {
        const bool other =
            differs(ps, &p, x, s->n, s->qdd) ||
            (with_multipliers && differs(ps, &p, x, eq->multiplier_count, s->multiplier));
        result = other ? TEST_NONZERO : TEST_ZERO;
    }
    modular_state_free(&p);
    modular_state_free(&here);
    return result;
}

// At as many points as the statement needs. Sets `enough` if there were that many.
static test_result compare(proof_session *ps, const equations *eq, bool with_multipliers,
                           bool *enough) {
    uint32_t done = 0;
    test_result result = TEST_ZERO;
    expr *own = arena_array(&ps->m->ctx->arena, expr, eq->unknown_count + ps->system->n);
    for (uint32_t i = 0; i < eq->unknown_count; i++) own[i] = eq->residual[i].value;
    for (uint32_t i = 0; i < ps->system->n; i++) own[eq->unknown_count + i] = eq->acceleration[i];
    for (uint32_t j = 0; j < eq->auxiliaries_count; j++) // written out: their degrees count
        expr_substitute(ps->system->pool, 1, &eq->auxiliaries[j].symbol, &eq->auxiliaries[j].value,
                        eq->unknown_count, own, own);
    modular_test_prepare(&ps->classical, eq->unknown_count + ps->system->n, own);
    const uint32_t trials = ps->classical.needed;
    for (uint32_t i = 0; done < trials && i < trials * POINTS_PER_TRIAL && result != TEST_NONZERO;
         i++) {
        result = compare_at_point(ps, eq, with_multipliers, i);
        done += result != TEST_IMPOSSIBLE;
    }
    *enough = ps->classical.usable && trials && done >= trials;
    return result;
}

void forms_judge(proof_session *ps, const equations *eq) {
    verdict *v = verdict_begin(ps, "form", eq->form);
    bool enough;
    const test_result result = compare(ps, eq, true, &enough);
    if (result != TEST_NONZERO && enough) verdict_set_proved(v, &ps->classical);
    if (result != TEST_NONZERO && (ps->request->certify || !enough)) {
        bool found = certificate_of_form(closed_motion_of(ps), &ps->basis, eq) == NORMAL_YES;
        if (!found) {
            expr *residual = arena_array(&ps->m->ctx->arena, expr, eq->unknown_count);
            in_accelerations(ps, eq, residual);
            found = proof_session_certifies(ps, eq->unknown_count, residual);
        }
        verdict_set_certificate(v, found);
    }
    verdict_weigh_motion(ps, &ps->classical, v);
    if (v->verdict == VERDICT_PROVED || v->remark ||
        witness_between(&ps->samples, ps->classical.eq, eq, true, v))
        return;
    v->remark = enough ? "differs in algebra, yet not at any state tried"
                       : "no random point of the motion could be made";
}

void forms_judge_motion(proof_session *ps, const equations *eq, verdict *v) {
    bool enough;
    const test_result result = compare(ps, eq, false, &enough);
    if (result != TEST_NONZERO && enough) verdict_set_proved(v, &ps->classical);
    verdict_weigh_motion(ps, &ps->classical, v);
    if (v->verdict == VERDICT_PROVED || v->remark ||
        witness_between(&ps->samples, ps->classical.eq, eq, false, v))
        return;
    v->remark = enough ? "differs in algebra, yet not at any state tried"
                       : "no random point of the motion could be made";
}
