// Voronec's equations for nonlinear rheonomic constraints q'_{m+nu} = alpha_nu(q,
// q'_1..q'_m, t) (T18 (20)-(21)):
//   d/dt dT*/dq'_i - dT*/dq_i - sum_nu dT*/dq_{m+nu} dalpha_nu/dq'_i
//   - sum_nu B_i^nu (dT/dq'_{m+nu})* = F*_i,
//   B_i^nu = d/dt(dalpha_nu/dq'_i) - dalpha_nu/dq_i - sum_mu dalpha_mu/dq'_i dalpha_nu/dq_{m+mu}.
#include "derive/formalism.h"
#include "derive/ingredients.h"
#include "derive/voronec.h"
#include "derive/refusals.h"

// The left-hand side without its last sum, less F*: what the linear and the nonlinear form share.
void voronec_common_part(const manifold *m, expr *value) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    expr *momentum = arena_array(a, expr, s->m), *position = arena_array(a, expr, s->n),
         *force = arena_array(a, expr, s->m);
    eta_gradient(m, m->kinetic, momentum);
    q_gradient(m, m->kinetic, position);
    project_force(m, force);
    for (uint32_t i = 0; i < s->m; i++) {
        value[i] = expr_sub(p, rate_on_manifold(m, momentum[i]), position[s->independent[i]]);
        for (uint32_t nu = 0; nu < s->k; nu++) {
            const uint32_t dependent = s->dependent[nu];
            value[i] = expr_sub(p, value[i],
                                expr_mul(p, position[dependent], basis_entry(m, dependent, i)));
        }
        value[i] = expr_sub(p, value[i], force[i]);
    }
}

void voronec_finish(equations *eq, const manifold *m, expr *value, const expr *coefficient) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    expr *momentum = arena_array(&s->model->ctx->arena, expr, s->n);
    expr_gradient(p, m->kinetic, s->n, s->qd, momentum);
    for (uint32_t i = 0; i < s->m; i++)
        for (uint32_t nu = 0; nu < s->k; nu++) {
            const expr p_star = on_manifold(m, momentum[s->dependent[nu]]);
            value[i] = expr_sub(p, value[i], expr_mul(p, coefficient[i * s->k + nu], p_star));
        }
    deliver_projected(eq, m, value);
}

static void derive(const mechanics *given, equations *eq) {
    const mechanics s = mechanics_without_quasi(given);
    pool *p = s.pool;
    arena *a = &s.model->ctx->arena;
    const manifold m = manifold_create(&s);
    expr *value = arena_array(a, expr, s.m), *coefficient = arena_array(a, expr, s.m * s.k);
    // dV_i/dq_j; the rows of the dependent velocities are dalpha/dq
    expr *alpha_q = arena_array(a, expr, s.n * s.n);
    voronec_common_part(&m, value);
    velocity_q_jacobian(&m, alpha_q);
    define_alpha(eq, &m);
    for (uint32_t i = 0; i < s.m; i++)
        for (uint32_t nu = 0; nu < s.k; nu++) {
            const uint32_t row = s.dependent[nu];
            expr b = expr_sub(p, rate_on_manifold(&m, basis_entry(&m, row, i)),
                              alpha_q[row * s.n + s.independent[i]]);
            for (uint32_t mu = 0; mu < s.k; mu++)
                b = expr_sub(p, b,
                             expr_mul(p, basis_entry(&m, s.dependent[mu], i),
                                      alpha_q[row * s.n + s.dependent[mu]]));
            coefficient[i * s.k + nu] = b;
            equations_define(eq, arena_format(a, "B[%u,%u]", i + 1, nu + 1),
                             arena_format(a, "B_{%u}^{%u}", i + 1, nu + 1), b);
        }
    equations_define(eq, "T*", "T^*", on_manifold(&m, m.kinetic));
    voronec_finish(eq, &m, value, coefficient);
}

const formalism formalism_voronec = {
    .id = "voronec",
    .name = "Voronec, nonlinear rheonomic",
    .paper = "Voronec 1901; T18 (20)-(21)",
    .formula = "d/dt dT*/dq'_i - dT*/dq_i - sum_nu dT*/dq_{m+nu} dalpha_nu/dq'_i - sum_nu B_i^nu "
               "(dT/dq'_{m+nu})* = F*_i",
    .latex = "\\tfrac{d}{dt} \\frac{\\partial T^{*}}{\\partial \\dot{q}_{i}} - \\frac{\\partial "
             "T^{*}}{\\partial q_{i}} - \\sum_{\\nu} \\frac{\\partial T^{*}}{\\partial q_{m+\\nu}} "
             "\\frac{\\partial \\alpha_{\\nu}}{\\partial \\dot{q}_{i}} - \\sum_{\\nu} B_{i}^{\\nu} "
             "\\left(\\frac{\\partial T}{\\partial \\dot{q}_{m+\\nu}}\\right)^{*} = F^{*}_{i}",
    .history = "The equations of 1901 for constraints that are nonlinear in the velocities and "
               "move with time, as Talamucci (2018) sets them up.",
    .use = "For nonlinear constraints, Appell's particle among them, without choosing "
           "quasi-velocities. The functions alpha need no closed form.",
    .lists = "alpha[nu], dalpha[nu]/dq'_i, T*, B[i,nu] = d/dt dalpha_nu/dq'_i - dalpha_nu/dq_i - "
             "sum_mu dalpha_mu/dq'_i dalpha_nu/dq_mu",
    .applies = "always",
    .refusal = applies_always,
    .derive = derive,
};
