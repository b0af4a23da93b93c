// Maggi's equations: sum_i N_i B_is = 0 with B = dq'/d eta a basis of the virtual displacements (M 16).
#include "derive/basis.h"
#include "derive/defect.h"
#include "derive/formalism.h"

#include <string.h>

static const char *refusal(const mechanics *s) {
    (void)s;
    return NULL;
}

// Multipliers afterwards: N_i = sum_nu lambda_nu dPhi_nu/dq'_i for the dependent i, a regular k x k system.
static const expr *multiplier_recovery(const mechanics *s, const expr *defect) {
    pool *p = s->pool;
    expr *recovery = arena_array(&s->model->ctx->arena, expr, s->k);
    for (uint32_t j = 0; j < s->k; j++) {
        const uint32_t i = s->dependent[j];
        recovery[j] = defect[i];
        for (uint32_t nu = 0; nu < s->k; nu++)
            recovery[j] = expr_sub(p, recovery[j], expr_mul(p, s->multiplier[nu], s->phi_velocity[nu * s->n + i]));
    }
    return recovery;
}

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const velocity_basis v = basis_create(s);
    expr *defect = arena_array(a, expr, s->n), *on_manifold = arena_array(a, expr, s->n);
    lagrange_defect(s, defect);
    expr *from = arena_array(a, expr, 2 * s->n), *to = arena_array(a, expr, 2 * s->n);
    memcpy(from, s->qdd, sizeof(expr) * s->n);
    memcpy(to, v.acceleration, sizeof(expr) * s->n);
    memcpy(from + s->n, s->qd, sizeof(expr) * s->n);
    memcpy(to + s->n, v.velocity, sizeof(expr) * s->n);
    expr_substitute(p, 2 * s->n, from, to, s->n, defect, on_manifold);

    residual *r = arena_array(a, residual, s->m);
    expr *column = arena_array(a, expr, s->n);
    for (uint32_t j = 0; j < s->m; j++) {
        for (uint32_t i = 0; i < s->n; i++) column[i] = v.column[i * s->m + j];
        r[j] = (residual){expr_dot(p, s->n, on_manifold, column), RESIDUAL_MOTION, j};
    }
    eq->unknown_count = s->m;
    eq->unknown = v.eta_rate;
    eq->residual = r;
    eq->explicit_velocities = v.explicit_velocities;
    eq->velocity = v.velocity;
    eq->acceleration = v.acceleration;
    eq->recovery = multiplier_recovery(s, defect);
}

const formalism formalism_maggi = {
    .id = "maggi",
    .name = "Maggi",
    .paper = "Maggi 1896, 1901; M (16)",
    .formula = "sum_i N_i B_is = 0, B = dq'/d eta",
    .applies = "always",
    .refusal = refusal,
    .derive = derive,
};
