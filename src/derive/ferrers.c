// Ferrers: d/dt dT*/dq'_r - sum_i dT/dq'_i d/dt(dq'_i/dq'_r) - sum_i dT/dq_i dq'_i/dq'_r = F*_r.
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/refusal.h"

static void derive(const mechanics *given, equations *eq) {
    const mechanics s = mechanics_without_quasi(given);
    pool *p = s.pool;
    arena *a = &s.model->ctx->arena;
    const manifold m = manifold_create(&s);
    expr *star = arena_array(a, expr, s.m), *force = arena_array(a, expr, s.m),
         *position = arena_array(a, expr, s.m);
    expr *momentum = arena_array(a, expr, s.n), *gradient = arena_array(a, expr, s.n),
         *value = arena_array(a, expr, s.m);
    manifold_eta_gradient(&m, m.kinetic, star);       // dT*/dq'_r
    expr_gradient(p, m.kinetic, s.n, s.qd, momentum); // dT/dq'_i
    expr_gradient(p, m.kinetic, s.n, s.q, gradient);  // dT/dq_i
    manifold_project(&m, gradient, position);         // sum_i dT/dq_i dq'_i/dq'_r
    manifold_force(&m, force);                        // F*_r
    for (uint32_t r = 0; r < s.m; r++) {
        value[r] = manifold_rate(&m, star[r]); // d/dt dT*/dq'_r
        for (uint32_t i = 0; i < s.n; i++) {   // - sum_i dT/dq'_i d/dt(dq'_i/dq'_r)
            const expr turning = manifold_rate(&m, manifold_basis(&m, i, r));
            value[r] = expr_sub_product(p, value[r], manifold_star(&m, momentum[i]), turning);
        }
        value[r] = expr_sub(p, expr_sub(p, value[r], position[r]), force[r]);
    }
    ingredient_define_alpha(eq, &m);
    equations_define(eq, "T*", "T^*", manifold_star(&m, m.kinetic));
    deliver_projected(eq, &m, value);
}

const formalism formalism_ferrers = {
    .id = "ferrers",
    .name = "Ferrers' equations",
    .paper = "Ferrers 1872",
    .formula =
        "d/dt dT*/dq'_r - sum_i dT/dq'_i d/dt(dq'_i/dq'_r) - sum_i dT/dq_i dq'_i/dq'_r = F*_r",
    .latex = "\\tfrac{d}{dt} \\frac{\\partial T^{*}}{\\partial \\dot{q}_{r}} - \\sum_{i} "
             "\\frac{\\partial T}{\\partial \\dot{q}_{i}} \\tfrac{d}{dt} \\frac{\\partial "
             "\\dot{q}_{i}}{\\partial \\dot{q}_{r}} - \\sum_{i} \\frac{\\partial T}{\\partial "
             "q_{i}} \\frac{\\partial \\dot{q}_{i}}{\\partial \\dot{q}_{r}} = F^{*}_{r}",
    .history =
        "Ferrers extended Lagrange's equations in 1872, a generation before the word nonholonomic "
        "was coined by Hertz (1894). His are the first correct equations for rolling.",
    .use = "To see how much of the motion the reduced kinetic energy T* tells, and what the "
           "unreduced T must add.",
    .lists = "alpha[nu], the dependent velocities, dalpha[nu]/dq'_i, T*",
    .applies = "always",
    .refusal = refusal_never,
    .derive = derive,
};
