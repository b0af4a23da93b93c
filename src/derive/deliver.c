// The residuals of a formalism, handed over as equations.
#include "derive/deliver.h"

#include "derive/lagrange.h"

static residual *motion_residuals(const mechanics *s, uint32_t count, const expr *value) {
    residual *r = arena_array(&s->model->ctx->arena, residual, count);
    for (uint32_t i = 0; i < count; i++) r[i] = (residual){value[i], RESIDUAL_MOTION, i};
    return r;
}

const expr *deliver_recovery(const equations *eq, const mechanics *s) {
    arena *a = &s->model->ctx->arena;
    const uint32_t count = s->k + s->h, *carrier = s->h ? s->carrier : s->dependent;
    expr *defect = arena_array(a, expr, s->n), *recovery = arena_array(a, expr, count);
    lagrange_defect(s, defect);
    for (uint32_t j = 0; j < count; j++) // N_i - R_i = 0 for the carriers i
        recovery[j] = expr_sub(s->pool, defect[carrier[j]], equations_reaction(eq, carrier[j]));
    return recovery;
}

void deliver_projected(equations *eq, const manifold *m, const expr *value) {
    const mechanics *s = m->system;
    eq->unknown_count = s->m;
    eq->unknown = m->v.eta_rate;
    eq->residual = motion_residuals(s, s->m, value);
    eq->symmetric = true;
    eq->explicit_velocities = m->v.explicit_velocities;
    eq->velocity = m->v.velocity;
    eq->acceleration = m->v.acceleration;
    eq->recovery = deliver_recovery(eq, s);
}

void deliver_accelerations(equations *eq, const expr *value) {
    const mechanics *s = eq->system;
    eq->unknown_count = s->n;
    eq->unknown = s->qdd;
    eq->residual = motion_residuals(s, s->n, value);
}

void deliver_with_multipliers(equations *eq, const expr *value) {
    const mechanics *s = eq->system;
    arena *a = &s->model->ctx->arena;
    const uint32_t total = s->n + s->k;
    expr *unknown = arena_array(a, expr, total);
    residual *r = arena_array(a, residual, total);
    for (uint32_t i = 0; i < s->n; i++) { // value_i - R_i = 0
        r[i] =
            (residual){expr_sub(s->pool, value[i], equations_reaction(eq, i)), RESIDUAL_MOTION, i};
        unknown[i] = s->qdd[i];
    }
    for (uint32_t nu = 0; nu < s->k; nu++) { // d/dt Phi_nu = 0
        r[s->n + nu] =
            (residual){expr_neg(s->pool, expr_ddt(s->pool, s->phi[nu])), RESIDUAL_CONSTRAINT, nu};
        unknown[s->n + nu] = s->multiplier[nu];
    }
    eq->unknown_count = total;
    eq->unknown = unknown;
    eq->residual = r;
}
