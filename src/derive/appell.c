// Gibbs-Appell: dS/d eta'_s = F*_s, S the energy of acceleration of points and bodies; for a
// kinetic energy that was stated, with E_i(T) = sum_j M_ij q''_j + h_i, S = q''.M q''/2 + q''.h,
// which differs from it by terms free of q''. Constraints of order 2 bind some of the eta', and S
// is differentiated by those that stay free.
#include "derive/formalism.h"
#include "derive/ingredients.h"
#include "derive/particles.h"
#include "derive/rates.h"
#include "derive/refusals.h"

// sum m |X''|^2/2 + sum (omega'.I omega'/2 + omega'.(omega x I omega))
static expr acceleration_energy(const mechanics *s) {
    pool *p = s->pool;
    const particles all = particles_of(s);
    expr sum = EXPR_ZERO;
    for (uint32_t i = 0; i < all.mass_count; i++) {
        const expr square = vec3_dot(p, all.masses[i].acceleration, all.masses[i].acceleration);
        sum = expr_add(p, sum, expr_product(p, 3, (expr[]){EXPR_HALF, all.masses[i].mass, square}));
    }
    for (uint32_t i = 0; i < all.body_count; i++) {
        const turning_body *b = &all.bodies[i];
        const vec3 half = vec3_scale(p, EXPR_HALF, inertia_times(p, b->inertia, b->omega_rate));
        const vec3 gyroscopic = vec3_cross(p, b->omega, inertia_times(p, b->inertia, b->omega));
        sum = expr_add(p, sum, vec3_dot(p, b->omega_rate, vec3_add(p, half, gyroscopic)));
    }
    return sum;
}

// q''.(E(T)(q'') + E(T)(0))/2
static expr energy_from_kinetic(const mechanics *s, expr kinetic) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    expr *momentum = arena_array(a, expr, s->n), *position = arena_array(a, expr, s->n),
         *zero = arena_array(a, expr, s->n);
    expr_gradient(p, kinetic, s->n, s->qd, momentum);
    expr_gradient(p, kinetic, s->n, s->q, position);
    expr sum = EXPR_ZERO;
    for (uint32_t i = 0; i < s->n; i++) {
        const expr e = expr_sub(p, expr_ddt(p, momentum[i]), position[i]);
        const expr both = expr_add(p, e, expr_replace(p, e, s->n, s->qdd, zero));
        sum = expr_add(p, sum, expr_product(p, 3, (expr[]){EXPR_HALF, s->qdd[i], both}));
    }
    return sum;
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
    const expr star =
        on_rates(&rates, on_manifold(&m, expr_replace(p, energy, s->n, s->qdd, m.v.acceleration)));
    expr *value = arena_array(a, expr, s->m), *force = arena_array(a, expr, s->m),
         *projected = arena_array(a, expr, s->m);
    expr_gradient(p, star, rates.free_count, rates.free_rate, value);
    project_force(&m, projected);
    restrict_to_rates(&rates, projected, force);
    for (uint32_t k = 0; k < rates.free_count; k++) value[k] = expr_sub(p, value[k], force[k]);
    equations_define(eq, "S", "S", energy);
    if (stated != EXPR_ZERO || s->model->bodies_count)
        ingredient_remark(eq, "S is listed up to terms free of q''");
    deliver_restricted(eq, &rates, value);
}

const formalism formalism_appell = {
    .id = "appell",
    .name = "Gibbs-Appell",
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
    .refusal = applies_always,
    .derive = derive,
};
