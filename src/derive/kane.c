// Kane's equations: sum_a (m_a X''_a - F_a).dX'_a/d eta_s + bodies: (I omega' + omega x I omega
// - M).d omega/d eta_s = 0 (M (3)).
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/particles.h"
#include "derive/refusal.h"

// The partial velocities dv/d eta_s = sum_i dv/dq'_i B_is of one velocity, for all s: out[3*s + c]
static void partial_velocities(const manifold *m, vec3 velocity, expr *out) {
    const mechanics *s = m->system;
    arena *a = &s->model->ctx->arena;
    expr *gradient = arena_array(a, expr, s->n), *projected = arena_array(a, expr, s->m);
    for (int c = 0; c < 3; c++) {
        expr_gradient(s->pool, velocity.at[c], s->n, s->qd, gradient);
        manifold_project(m, gradient, projected);
        for (uint32_t k = 0; k < s->m; k++) out[3 * k + c] = projected[k];
    }
}

static vec3 on_motion(const manifold *m, vec3 f) { // with q'' and q' on the manifold
    for (int c = 0; c < 3; c++)
        f.at[c] = manifold_star(m, expr_replace(m->system->pool, f.at[c], m->system->n,
                                                m->system->qdd, m->v.acceleration));
    return f;
}

// dv/d eta_s of a point or centre, in the axes of space, or dw/d eta_s of a
// body, in the axes of the body
static void define_partial(equations *eq, const char *what, const char *name, uint32_t r, vec3 v) {
    static const char axis[] = "xyz";
    const mechanics *s = eq->system;
    arena *a = &s->model->ctx->arena;
    const char *letter = *what == 'w' ? "\\omega^{\\mathrm{body}}" : "v";
    for (int c = 0; c < 3; c++)
        if (v.at[c] != EXPR_ZERO)
            equations_define(eq, arena_format(a, "%s(%s).%c/%u", what, name, axis[c], r + 1),
                             arena_format(a, "\\frac{\\partial %s_{%s,%c}}{\\partial %s}", letter,
                                          ingredient_name_latex(s, name), axis[c],
                                          ingredient_latex(s, s->eta[r])),
                             v.at[c]);
}

// value_s += f . dv/d eta_s, with f = m X'' or I omega' + omega x I omega
static void add_inertia(const manifold *m, equations *eq, const char *what, const char *name,
                        vec3 f, vec3 velocity, expr *value) {
    const mechanics *s = m->system;
    expr *partial = arena_array(&s->model->ctx->arena, expr, 3 * s->m);
    partial_velocities(m, velocity, partial);
    const vec3 force = on_motion(m, f);
    for (uint32_t k = 0; k < s->m; k++) {
        const vec3 w = vec3_make(partial[3 * k], partial[3 * k + 1], partial[3 * k + 2]);
        define_partial(eq, what, name, k, w);
        value[k] = expr_add(s->pool, value[k], vec3_dot(s->pool, force, w));
    }
}

static void derive(const mechanics *s, equations *eq) {
    arena *a = &s->model->ctx->arena;
    const manifold m = manifold_create(s);
    const particles all = particles_of(s);
    expr *value = arena_array(a, expr, s->m), *force = arena_array(a, expr, s->m);
    for (uint32_t i = 0; i < all.mass_count; i++) { // + m X''.dX'/d eta_s
        const moving_mass *b = &all.masses[i];
        add_inertia(&m, eq, "v", b->name, vec3_scale(s->pool, b->mass, b->acceleration),
                    b->velocity, value);
    }
    // + (I omega' + omega x I omega).d omega/d eta_s
    for (uint32_t i = 0; i < all.body_count; i++)
        add_inertia(&m, eq, "w", all.bodies[i].name, all.bodies[i].moment, all.bodies[i].omega,
                    value);
    manifold_particle_force(&m, force); // what the forces and moments do along each eta_s
    if (all.body_count)
        ingredient_remark(
            eq, "v(..) are components along the axes of space, w(..) along the axes of the body: "
                "with omega(B) of the language, which is in space, frame(B)*w = omega(B)");
    for (uint32_t k = 0; k < s->m; k++) value[k] = expr_sub(s->pool, value[k], force[k]);
    deliver_projected(eq, &m, value);
}

const formalism formalism_kane = {
    .id = "kane",
    .name = "Kane's equations",
    .paper = "Kane 1961; M (3)",
    .formula = "sum_a (m_a X''_a - F_a).dX'_a/d eta_s + sum_b (I w' + w x I w - M).dw/d eta_s = 0",
    .latex =
        "\\sum_{a} \\left(m_{a} \\ddot{X}_{a} - F_{a}\\right) \\cdot \\frac{\\partial "
        "\\dot{X}_{a}}{\\partial \\eta_{s}} + \\sum_{b} \\left(I \\dot{\\omega} + \\omega \\times "
        "I \\omega - M\\right) \\cdot \\frac{\\partial \\omega}{\\partial \\eta_{s}} = 0",
    .history = "Kane proposed partial velocities in 1961 for spacecraft with many bodies; the dot "
               "products are Maggi's projection done body by body.",
    .use = "For systems of many points and bodies, and by engineers who learnt it: generalised "
           "speeds are the quasi-velocities of the model.",
    .lists = "v(P).x/s, the partial velocities of points and centres along the axes of space, and "
             "w(B).x/s, the partial angular velocities along the axes of the body; s counts the "
             "quasi-velocities",
    .applies = "points and bodies",
    .refusal = refusal_unless_points_or_bodies,
    .derive = derive,
};
