// Gibbs-Appell: dS/d eta'_s = F*_s, S the energy of acceleration of points and bodies; for a
// kinetic energy that was stated, with E_i(T) = sum_j M_ij q''_j + h_i, S = q''.M q''/2 + q''.h,
// which differs from it by terms free of q''. Constraints of order 2 bind some of the eta', and S
// is differentiated by those that stay free.
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/lagrange.h"
#include "derive/particles.h"
#include "derive/rates.h"
#include "derive/refusal.h"

// S = sum m |X''|^2/2 + sum (omega'.I omega'/2 + omega'.(omega x I omega))
static expr acceleration_energy(const mechanics *s) {
    pool *p = s->pool;
    const particles all = particles_of(s);
    expr sum = EXPR_ZERO;
    for (uint32_t i = 0; i < all.mass_count; i++) { // m |X''|^2/2
        const expr square = vec3_dot(p, all.masses[i].acceleration, all.masses[i].acceleration);
        sum = expr_add(p, sum, expr_product(p, 3, (expr[]){EXPR_HALF, all.masses[i].mass, square}));
    }
    for (uint32_t i = 0; i < all.body_count; i++) { // omega'.(I omega'/2 + omega x I omega)
        const turning_body *b = &all.bodies[i];
        const vec3 half =
            vec3_scale(p, EXPR_HALF, model_inertia_times(p, b->inertia, b->omega_rate));
        const vec3 gyroscopic =
            vec3_cross(p, b->omega, model_inertia_times(p, b->inertia, b->omega));
        sum = expr_add(p, sum, vec3_dot(p, b->omega_rate, vec3_add(p, half, gyroscopic)));
    }
    return sum;
}

// S = q''.(E(T)(q'') + E(T)(0))/2 = q''.M q''/2 + q''.h
static expr energy_from_kinetic(const mechanics *s, expr kinetic) {
    pool *p = s->pool;
    expr *e = arena_array(&s->model->ctx->arena, expr, s->n);
    lagrange_derivatives(s, kinetic, e); // E_i(T)
    for (uint32_t i = 0; i < s->n; i++)
        e[i] = expr_add(p, e[i], expr_at_zero(p, e[i], s->n, s->qdd));
    return expr_mul(p, EXPR_HALF, expr_dot(p, s->n, s->qdd, e));
}

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const manifold m = manifold_create(s);
    const bool replaced = m.kinetic != s->kinetic; // L in the place of T
    const expr stated = replaced                            ? m.kinetic
                        : s->model->lagrangian != EXPR_NONE ? s->kinetic
                                                            : s->model->kinetic;
    expr energy = replaced ? EXPR_ZERO : acceleration_energy(s);
    if (stated != EXPR_ZERO) energy = expr_add(p, energy, energy_from_kinetic(s, stated));
    const rate_chart rates = rates_create(&m);
    // S* in (q, eta, free eta', t)
    const expr star = rates_substitute(
        &rates, manifold_star(&m, expr_replace(p, energy, s->n, s->qdd, m.v.acceleration)));
    expr *value = arena_array(a, expr, s->m), *force = arena_array(a, expr, s->m),
         *projected = arena_array(a, expr, s->m);
    expr_gradient(p, star, rates.free_count, rates.free_rate, value); // dS*/d eta'_s
    manifold_force(&m, projected);                                    // F*_s
    rates_restrict(&rates, projected, force);
    for (uint32_t k = 0; k < rates.free_count; k++) value[k] = expr_sub(p, value[k], force[k]);
    equations_define(eq, "S", "S", energy);
    if (stated != EXPR_ZERO || s->model->bodies_count)
        ingredient_remark(eq, "S is listed up to terms free of q''");
    rates_deliver(eq, &rates, value);
}

const formalism formalism_appell = {
    .id = "appell",
    .name = "Gibbs-Appell equations",
    .paper = "Gibbs 1879, Appell 1899; M",
    .formula = "dS/d eta'_s = F*_s",
    .latex = "\\frac{\\partial S}{\\partial \\dot{\\eta}_{s}} = F^{*}_{s}",
    .history = "Gibbs found the function S, half the sum of mass times acceleration squared, in "
               "1879; Appell found it again in 1899 for nonholonomic systems and made it known.",
    .use = "When quasi-velocities are natural (rolling bodies): write S, differentiate once, done. "
           "No coefficients of non-integrability appear.",
    .lists = "S in q'', before the constraints are put in; exact for points, up to terms free of "
             "q'' for bodies and stated kinetic energies",
    .applies = "always, up to constraints of order 2",
    .highest_order = 2,
    .refusal = refusal_never,
    .derive = derive,
};
