// Chaplygin's equations in quasi-coordinates, in the general form M (21) (for linear
// stationary relations M (25)):
//   d/dt dT*/d eta_s - sum_j B_js dT*/dq_j - sum_i dT/dq'_i (d/dt B_is - sum_j B_js dq'_i/dq_j)
//   = Q*_s.
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/refusal.h"

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const manifold m = manifold_create(s);
    const uint32_t n = s->n;
    expr *star = arena_array(a, expr, s->m), *position = arena_array(a, expr, n),
         *along = arena_array(a, expr, s->m);
    expr *momentum = arena_array(a, expr, n), *force = arena_array(a, expr, s->m),
         *value = arena_array(a, expr, s->m), *velocity_q = arena_array(a, expr, n * n);
    manifold_eta_gradient(&m, m.kinetic, star);      // dT*/d eta_s
    manifold_q_gradient(&m, m.kinetic, position);    // dT*/dq_j
    manifold_project(&m, position, along);           // dT*/d pi_s = sum_j B_js dT*/dq_j
    expr_gradient(p, m.kinetic, n, s->qd, momentum); // dT/dq'_i
    manifold_velocity_jacobian(&m, velocity_q);      // dq'_i/dq_j
    manifold_force(&m, force);                       // Q*_s
    for (uint32_t k = 0; k < s->m; k++) {
        value[k] = expr_sub(p, manifold_rate(&m, star[k]), along[k]);
        for (uint32_t i = 0; i < n; i++) { // d/dt B_is - dq'_i/d pi_s
            const expr turning = expr_sub(p, manifold_rate(&m, manifold_basis(&m, i, k)),
                                          manifold_along(&m, velocity_q + i * n, k));
            value[k] = expr_sub_product(p, value[k], manifold_star(&m, momentum[i]), turning);
        }
        value[k] = expr_sub(p, value[k], force[k]);
    }
    equations_define(eq, "T*", "T^*", manifold_star(&m, m.kinetic));
    deliver_projected(eq, &m, value);
}

const formalism formalism_chaplygin_quasi = {
    .id = "chaplygin-quasi",
    .name = "Chaplygin's equations in quasi-coordinates",
    .paper = "Chaplygin; M (21), (25)",
    .formula =
        "d/dt dT*/d eta_s - dT*/d pi_s - sum_i dT/dq'_i (d/dt dq'_i/d eta_s - dq'_i/d pi_s) = Q*_s",
    .latex = "\\tfrac{d}{dt} \\frac{\\partial T^{*}}{\\partial \\eta_{s}} - \\frac{\\partial "
             "T^{*}}{\\partial \\pi_{s}} - \\sum_{i} \\frac{\\partial T}{\\partial \\dot{q}_{i}} "
             "\\left(\\tfrac{d}{dt} \\frac{\\partial \\dot{q}_{i}}{\\partial \\eta_{s}} - "
             "\\frac{\\partial \\dot{q}_{i}}{\\partial \\pi_{s}}\\right) = Q^{*}_{s}",
    .history = "Chaplygin's equations carried over to quasi-coordinates, in the general form that "
               "Moshkin derives from Maggi's equations.",
    .use = "When quasi-velocities may be nonlinear in the velocities and both the full and the "
           "reduced kinetic energy are at hand.",
    .lists = "T*",
    .applies = "always",
    .refusal = refusal_never,
    .derive = derive,
};
