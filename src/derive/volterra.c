// Volterra's equations in Cartesian velocities x'_i = sum_s b_is eta_s, with
// Maggi's general version M (1):
//   d/dt dT*/d eta_r = sum_i db_ir/dt dT/dx'_i + P_r,   dT/dx'_i = m_i x'_i.
// For linear homogeneous stationary b the first sum is sum_ks c_rs^(k) eta_k eta_s with c_rs^(k) =
// sum_i m_i b_ik X_s b_ir, X_s = sum_j B_js d/dq_j.
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/particles.h"
#include "derive/refusal.h"

typedef struct {
    const manifold *m;
    const mechanics *s;
    uint32_t count; // Cartesian coordinates
    expr *mass;     // by Cartesian coordinate
    expr *velocity; // x'_i on the manifold
    expr *b;        // count x m: b_ir = dx'_i/d eta_r
} cartesian;

static cartesian cartesian_of(const manifold *m) {
    const mechanics *s = m->system;
    arena *a = &s->model->ctx->arena;
    const particles all = particles_of(s);
    cartesian c = {.m = m, .s = s, .count = 3 * all.mass_count};
    c.mass = arena_array(a, expr, c.count), c.velocity = arena_array(a, expr, c.count),
    c.b = arena_array(a, expr, c.count * s->m);
    for (uint32_t i = 0; i < c.count; i++) {
        const expr v = all.masses[i / 3].velocity.at[i % 3];
        c.mass[i] = all.masses[i / 3].mass;
        c.velocity[i] = manifold_star(m, v);         // x'_i
        manifold_eta_gradient(m, v, c.b + i * s->m); // b_ir
    }
    return c;
}

// T* = sum_i m_i x'_i^2/2
static expr kinetic_star(const cartesian *c) {
    pool *p = c->s->pool;
    expr t = EXPR_ZERO;
    for (uint32_t i = 0; i < c->count; i++)
        t = expr_add(
            p, t,
            expr_product(p, 3, (expr[]){EXPR_HALF, c->mass[i], expr_square(p, c->velocity[i])}));
    return t;
}

static bool is_stationary(const mechanics *s) {
    for (uint32_t i = 0; i < s->k; i++) {
        const constraint *c = &s->model->constraints[s->constraint[i]];
        if (!c->linear || !c->homogeneous || c->rheonomic) return false;
    }
    return !expr_depends_on_time(s->pool, s->kinetic);
}

// c_rs^(k) = sum_i m_i b_ik X_s b_ir, listed where they do not vanish
static void show_coefficients(const cartesian *c, equations *eq) {
    const mechanics *s = c->s;
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    expr *gradient = arena_array(a, expr, s->n), *along = arena_array(a, expr, s->m);
    expr *sum = arena_array(a, expr, s->m * s->m * s->m);
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t r = 0; r < s->m; r++) {
            expr_gradient(p, c->b[i * s->m + r], s->n, s->q, gradient);
            manifold_project(c->m, gradient, along); // X_s b_ir
            for (uint32_t t = 0; t < s->m; t++)
                for (uint32_t k = 0; k < s->m; k++) {
                    expr *e = &sum[(r * s->m + t) * s->m + k];
                    *e = expr_add(
                        p, *e,
                        expr_product(p, 3, (expr[]){c->mass[i], c->b[i * s->m + k], along[t]}));
                }
        }
    for (uint32_t e = 0; e < s->m * s->m * s->m; e++) {
        const uint32_t r = e / (s->m * s->m) + 1, t = e / s->m % s->m + 1, k = e % s->m + 1;
        if (sum[e] != EXPR_ZERO)
            equations_define(eq, arena_format(a, "c[%u,%u;%u]", r, t, k),
                             arena_format(a, "c^{(%u)}_{%u%u}", k, r, t), sum[e]);
    }
}

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const manifold m = manifold_create(s);
    const cartesian c = cartesian_of(&m);
    expr *value = arena_array(a, expr, s->m), *force = arena_array(a, expr, s->m),
         *momentum = arena_array(a, expr, s->m);
    const expr star = kinetic_star(&c);
    if (m.v.explicit_velocities) expr_gradient(p, star, s->m, s->eta, momentum); // dT*/d eta_r
    else
        for (uint32_t r = 0; r < s->m; r++) // dT*/d eta_r = sum m_i x'_i b_ir
            for (uint32_t i = 0; i < c.count; i++)
                momentum[r] = expr_add(
                    p, momentum[r],
                    expr_product(p, 3, (expr[]){c.mass[i], c.velocity[i], c.b[i * s->m + r]}));
    manifold_particle_force(&m, force);   // P_r
    for (uint32_t r = 0; r < s->m; r++) { // d/dt dT*/d eta_r - P_r - sum_i m_i x'_i db_ir/dt
        value[r] = expr_sub(p, manifold_rate(&m, momentum[r]), force[r]);
        for (uint32_t i = 0; i < c.count; i++) {
            const expr turning = manifold_rate(&m, c.b[i * s->m + r]);
            value[r] = expr_sub(p, value[r],
                                expr_product(p, 3, (expr[]){c.mass[i], c.velocity[i], turning}));
        }
    }
    equations_define(eq, "T*", "T^*", star);
    if (m.v.explicit_velocities && is_stationary(s)) show_coefficients(&c, eq);
    deliver_projected(eq, &m, value);
}

const formalism formalism_volterra = {
    .id = "volterra",
    .name = "Volterra's equations",
    .paper = "Volterra 1898, Maggi 1901; M (1), (2)",
    .formula = "d/dt dT*/d eta_r = sum_i db_ir/dt dT/dx'_i + P_r",
    .latex = "\\tfrac{d}{dt} \\frac{\\partial T^{*}}{\\partial \\eta_{r}} = \\sum_{i} \\frac{d "
             "b_{ir}}{dt} \\frac{\\partial T}{\\partial \\dot{x}_{i}} + P_{r}",
    .history = "Volterra wrote in 1898 the equations of systems of points in parameters of motion, "
               "linear forms of the Cartesian velocities; Maggi generalised them in 1901.",
    .use =
        "For points in Cartesian coordinates with linear constraints; where b depends on position "
        "only, the right-hand side is a quadratic form in eta with coefficients that hamel shows.",
    .lists = "T*; for linear homogeneous stationary constraints c[r,s;k] = sum_i m_i b_ik X_s "
             "b_ir, b_ir = dx'_i/d eta_r",
    .applies = "points",
    .refusal = refusal_unless_points,
    .derive = derive,
};
