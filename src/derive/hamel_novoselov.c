// Hamel-Novoselov (M (27)), with T in all n quasi-velocities v = (Psi, Phi) and nothing else:
//   d/dt P_s - dT~/d pi_s + sum_rho P_rho sum_i B_is (d/dt dv_rho/dq'_i - dv_rho/dq_i) = Q*_s,
//   P_rho = dT~/dv_rho.
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/refusal.h"

// C = [dPsi/dq'; dPhi/dq']^-1 = dq'/dv, n x n in (q, q', t); its first m columns are B.
static void invert_frame(const mechanics *s, expr *out) {
    expr *unit = arena_array(&s->model->ctx->arena, expr, s->n * s->n);
    for (uint32_t i = 0; i < s->n; i++) unit[i * s->n + i] = EXPR_ONE;
    basis_solve(s, s->n, unit, out);
}

// P_rho = dT~/dv_rho = sum_i dT/dq'_i dq'_i/dv_rho, on the manifold
static void frame_momenta(const manifold *m, expr *out) {
    const mechanics *s = m->system;
    const uint32_t n = s->n;
    arena *a = &s->model->ctx->arena;
    expr *inverse = arena_array(a, expr, n * n), *momentum = arena_array(a, expr, n);
    invert_frame(s, inverse); // dq'_i/dv_rho
    expr_gradient(s->pool, m->kinetic, n, s->qd, momentum);
    for (uint32_t rho = 0; rho < n; rho++)
        out[rho] = manifold_star(m, expr_dot_column(s->pool, n, momentum, inverse, n, rho));
}

// sum_i B_is (d/dt dv_rho/dq'_i - dv_rho/dq_i), for all s
static void turning_of(const manifold *m, expr form, expr *out) {
    const mechanics *s = m->system;
    arena *a = &s->model->ctx->arena;
    expr *by_velocity = arena_array(a, expr, s->n), *by_position = arena_array(a, expr, s->n),
         *turning = arena_array(a, expr, s->n);
    expr_gradient(s->pool, form, s->n, s->qd, by_velocity);
    expr_gradient(s->pool, form, s->n, s->q, by_position);
    for (uint32_t i = 0; i < s->n; i++)
        turning[i] = expr_sub(s->pool, manifold_rate(m, manifold_star(m, by_velocity[i])),
                              manifold_star(m, by_position[i]));
    manifold_project(m, turning, out);
}

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const manifold m = manifold_create(s);
    const uint32_t n = s->n;
    expr *big_p = arena_array(a, expr, n), *position = arena_array(a, expr, n),
         *along = arena_array(a, expr, s->m);
    expr *force = arena_array(a, expr, s->m), *value = arena_array(a, expr, s->m),
         *projected = arena_array(a, expr, s->m);
    frame_momenta(&m, big_p);                     // P_rho
    manifold_q_gradient(&m, m.kinetic, position); // dT~/dq_j
    manifold_project(&m, position, along);        // dT~/d pi_s = sum_j B_js dT~/dq_j
    manifold_force(&m, force);                    // Q*_s
    for (uint32_t k = 0; k < s->m; k++)           // d/dt P_s - dT~/d pi_s - Q*_s
        value[k] = expr_sub(p, expr_sub(p, manifold_rate(&m, big_p[k]), along[k]), force[k]);
    for (uint32_t rho = 0; rho < n; rho++) { // + sum_rho P_rho (..)
        turning_of(&m, basis_form(s, rho), projected);
        for (uint32_t k = 0; k < s->m; k++)
            value[k] = expr_add_product(p, value[k], big_p[rho], projected[k]);
    }
    deliver_projected(eq, &m, value);
}

const formalism formalism_hamel_novoselov = {
    .id = "hamel-novoselov",
    .name = "Hamel-Novoselov equations",
    .paper = "Hamel 1938, Novoselov 1957; M (27)",
    .formula = "d/dt dT~/d eta_s - dT~/d pi_s + sum_rho dT~/d eta_rho sum_i dq'_i/d eta_s (d/dt d "
               "eta_rho/dq'_i - d eta_rho/dq_i) = Q*_s",
    .latex =
        "\\tfrac{d}{dt} \\frac{\\partial \\tilde{T}}{\\partial \\eta_{s}} - \\frac{\\partial "
        "\\tilde{T}}{\\partial \\pi_{s}} + \\sum_{\\rho} \\frac{\\partial \\tilde{T}}{\\partial "
        "\\eta_{\\rho}} \\sum_{i} \\frac{\\partial \\dot{q}_{i}}{\\partial \\eta_{s}} "
        "\\left(\\tfrac{d}{dt} \\frac{\\partial \\eta_{\\rho}}{\\partial \\dot{q}_{i}} - "
        "\\frac{\\partial \\eta_{\\rho}}{\\partial q_{i}}\\right) = Q^{*}_{s}",
    .history = "Hamel (1938) and Novoselov (1957) extended the equations in quasi-velocities to "
               "those that are nonlinear in the velocities.",
    .use = "For nonlinear quasi-velocities when the kinetic energy is known as a function of them.",
    .applies = "always; quasi-velocities may be nonlinear",
    .refusal = refusal_never,
    .derive = derive,
};
