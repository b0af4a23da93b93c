// Newton's equations of the points and bodies, projected on the independent
// velocities (T18 (13)-(15)):
//   sum_s C_rs q''_s + D_r + E_r + G_r = F*_r.
// newton_parts.c says what C, D, E, G are. For points they come from the arrays g, xi, eta, zeta of
// T18 (13), which newton_arrays.c lists.
#include "derive/formalism.h"
#include "derive/ingredients.h"
#include "derive/manifold.h"
#include "derive/newton_arrays.h"
#include "derive/newton_parts.h"
#include "derive/particles.h"
#include "derive/refusals.h"

// sum m X''.dX/dq_i + moments: the left side of Newton's and Euler's equations for each coordinate
static void newton_euler(const mechanics *s, expr *covector) {
    const particles all = particles_of(s);
    for (uint32_t i = 0; i < all.mass_count; i++)
        add_covector(s, vec3_scale(s->pool, all.masses[i].mass, all.masses[i].acceleration),
                     all.masses[i].velocity, covector);
    for (uint32_t i = 0; i < all.body_count; i++)
        add_covector(s, all.bodies[i].moment, all.bodies[i].omega, covector);
}

static void define(equations *eq, const char *letter, const char *letter_latex, uint32_t r,
                   uint32_t s, expr value) {
    arena *a = &eq->system->model->ctx->arena;
    if (value == EXPR_ZERO) return;
    const char *name = s == UINT32_MAX ? arena_format(a, "%s[%u]", letter, r + 1)
                                       : arena_format(a, "%s[%u,%u]", letter, r + 1, s + 1);
    const char *latex = s == UINT32_MAX ? arena_format(a, "%s_{%u}", letter_latex, r + 1)
                                        : arena_format(a, "%s_{%u%u}", letter_latex, r + 1, s + 1);
    equations_define(eq, name, latex, value);
}

static void show_parts(equations *eq, const mechanics *s, const manifold *m, const expr *covector,
                       const expr *force) {
    const newton_parts all = newton_parts_of(m, covector);
    for (uint32_t r = 0; r < s->m; r++) {
        for (uint32_t k = 0; k < s->m; k++) define(eq, "C", "C", r, k, all.c[r * s->m + k]);
        define(eq, "D", "D", r, UINT32_MAX, all.d[r]);
        define(eq, "E", "E", r, UINT32_MAX, all.e[r]);
        define(eq, "G", "G", r, UINT32_MAX, all.g[r]);
        define(eq, "F*", "F^{*}", r, UINT32_MAX, force[r]);
    }
    ingredient_remark(eq, all.how_sorted);
}

static void derive(const mechanics *given, equations *eq) {
    const mechanics s = mechanics_without_quasi(given);
    pool *p = s.pool;
    arena *a = &s.model->ctx->arena;
    const manifold m = manifold_create(&s);
    expr *left = arena_array(a, expr, s.n), *value = arena_array(a, expr, s.m),
         *force = arena_array(a, expr, s.m);
    newton_euler(&s, left);
    project_particle_force(&m, force);
    define_newton_arrays(&s, eq);
    show_parts(eq, &s, &m, left, force);
    expr_substitute(p, s.n, s.qdd, m.v.acceleration, s.n, left, left);
    project(&m, left, value);
    for (uint32_t r = 0; r < s.m; r++) value[r] = expr_sub(p, value[r], force[r]);
    deliver_projected(eq, &m, value);
}

const formalism formalism_newton = {
    .id = "newton",
    .name = "Newton, projected",
    .paper = "Newton 1687, Euler; T18 (13)-(15)",
    .formula = "sum_s C_rs q''_s + D_r + E_r + G_r = F*_r",
    .latex = "\\sum_{s} C_{rs} \\ddot{q}_{s} + D_{r} + E_{r} + G_{r} = F^{*}_{r}",
    .history = "Newton's law for each point and Euler's for each body, projected onto the "
               "velocities that d'Alembert (1743) lets through. Talamucci writes the coefficients "
               "C, D, E, G of the projection out for rheonomic nonlinear constraints.",
    .use = "For systems made of points and bodies, when the coefficient of each acceleration and "
           "of each product of velocities is wanted by itself.",
    .lists = "C[r,s], D[r], E[r], G[r], F*[r]; for points up to four coordinates (more with "
             "--full) the arrays of T18 (13): g[i,j] and xi[i,j,k] for i <= j, eta[i,j], zeta[i]",
    .applies = "points and bodies",
    .refusal = needs_points_or_bodies,
    .derive = derive,
};
