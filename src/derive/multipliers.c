// Lagrange-d'Alembert with multipliers (first kind): N_i = sum_nu lambda_nu dPhi_nu/dq'_i together with d/dt Phi_nu = 0 (RS 1.2).
#include "derive/defect.h"
#include "derive/formalism.h"
#include "derive/refusals.h"

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t total = s->n + s->k;
    expr *defect = arena_array(a, expr, s->n), *unknown = arena_array(a, expr, total);
    residual *r = arena_array(a, residual, total);
    lagrange_defect(s, defect);
    for (uint32_t i = 0; i < s->n; i++) {
        expr reaction = EXPR_ZERO; // sum_nu lambda_nu dPhi_nu/dq'_i
        for (uint32_t nu = 0; nu < s->k; nu++)
            reaction = expr_add(p, reaction, expr_mul(p, s->multiplier[nu], s->phi_velocity[nu * s->n + i]));
        r[i] = (residual){expr_sub(p, defect[i], reaction), RESIDUAL_MOTION, i};
        unknown[i] = s->qdd[i];
    }
    for (uint32_t nu = 0; nu < s->k; nu++) {
        // -dPhi/dt, so that the matrix of (q'', lambda) is the symmetric [M, -A^T; -A, 0]
        r[s->n + nu] = (residual){expr_neg(p, expr_ddt(p, s->phi[nu])), RESIDUAL_CONSTRAINT, nu};
        unknown[s->n + nu] = s->multiplier[nu];
    }
    eq->unknown_count = total;
    eq->unknown = unknown;
    eq->residual = r;
    eq->symmetric = true;
}

const formalism formalism_multipliers = {
    .id = "multipliers",
    .name = "Lagrange-d'Alembert with multipliers, first kind",
    .paper = "Lagrange 1788; RS 1.2",
    .formula = "N_i = sum_nu lambda_nu dPhi_nu/dq'_i, Phi_nu = 0",
    .applies = "always",
    .refusal = applies_always,
    .derive = derive,
};
