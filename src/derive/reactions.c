// Equations in all accelerations and the multipliers of the constraints.
#include "derive/reactions.h"

void deliver_with_multipliers(equations *eq, const expr *value) {
    const mechanics *s = eq->system;
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t total = s->n + s->k;
    expr *unknown = arena_array(a, expr, total);
    residual *r = arena_array(a, residual, total);
    for (uint32_t i = 0; i < s->n; i++) {
        expr reaction = EXPR_ZERO; // sum_nu lambda_nu dPhi_nu/dq'_i
        for (uint32_t nu = 0; nu < s->k; nu++)
            reaction = expr_add(p, reaction,
                                expr_mul(p, s->multiplier[nu], s->phi_velocity[nu * s->n + i]));
        r[i] = (residual){expr_sub(p, value[i], reaction), RESIDUAL_MOTION, i};
        unknown[i] = s->qdd[i];
    }
    for (uint32_t nu = 0; nu < s->k; nu++) {
        r[s->n + nu] = (residual){expr_neg(p, expr_ddt(p, s->phi[nu])), RESIDUAL_CONSTRAINT, nu};
        unknown[s->n + nu] = s->multiplier[nu];
    }
    eq->unknown_count = total;
    eq->unknown = unknown;
    eq->residual = r;
}
