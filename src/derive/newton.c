// Newton's equations of the points and bodies, projected on the independent velocities u (T18
// (13)-(15)):
//   sum_s C_rs q''_s + D_r + E_r + G_r = F*_r,   C_rs = sum_ij B_ir g_ij B_js,   B_ir = dq'_i/du_r.
// Under constraints linear in the velocities D, E and G are the terms of degree 2, 1 and 0 in u.
// Nonlinear alpha has no degrees: there the terms go by what they come from, as in T18 (15): D is
// quadratic in u as it stands, G has no u outside alpha, E is the rest,
//   D_r = sum_i B_ir sum_st xi_sti u_s u_t,
//   E_r = sum_i B_ir (sum_s 2 (sum_nu xi_s,nu,i alpha_nu + eta_si) u_s
//                     + sum_nu g_i,nu sum_s dalpha_nu/dq_s u_s),
//   G_r = sum_i B_ir (sum_nu,mu xi_nu,mu,i alpha_nu alpha_mu + 2 sum_nu eta_nu,i alpha_nu + zeta_i
//                     + sum_nu g_i,nu (sum_mu alpha_mu dalpha_nu/dq_mu + dalpha_nu/dt)),
// s, t over the independent and nu, mu over the dependent coordinates. The arrays g, xi, eta, zeta
// of T18 (13) are those of newton_arrays.h; they are listed for points.
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/newton_arrays.h"
#include "derive/particles.h"
#include "derive/refusal.h"

#include <string.h>

typedef struct {
    const expr *c;          // m x m
    const expr *d, *e, *g;  // m each
    const char *how_sorted; // in words
} newton_parts;

static expr *zeros(const mechanics *s) { return arena_array(&s->model->ctx->arena, expr, s->n); }

// G = f(0), E = sum u_s df/du_s(0), D = f - E - G for f of degree 2 in the `count` symbols u
static void by_degree(const mechanics *s, expr f, uint32_t count, const expr *u, expr part[3]) {
    pool *p = s->pool;
    expr *zero = zeros(s), *slope = zeros(s);
    part[2] = expr_at_zero(p, f, count, u);
    expr_gradient(p, f, count, u, slope);
    expr_substitute(p, count, u, zero, count, slope, slope);
    part[1] = expr_dot(p, count, slope, u);
    part[0] = expr_sub(p, expr_sub(p, f, part[1]), part[2]);
}

static void sort_by_degree(const manifold *m, const expr *rest, expr *out[3]) {
    const mechanics *s = m->system;
    expr *projected = zeros(s), part[3];
    manifold_project(m, rest, projected);
    for (uint32_t r = 0; r < s->m; r++) {
        by_degree(s, projected[r], s->m, s->eta, part);
        for (int i = 0; i < 3; i++) out[i][r] = part[i];
    }
}

// One component at q'' = 0, in the symbols q' of both kinds
static void by_origin(const mechanics *s, expr f, const expr *free_velocity,
                      const expr *bound_velocity, expr part[3]) {
    pool *p = s->pool;
    expr pure[3];
    const expr without_bound = expr_at_zero(p, f, s->k, bound_velocity),
               without_free = expr_at_zero(p, f, s->m, free_velocity);
    by_degree(s, without_bound, s->m, free_velocity, pure);
    part[0] = pure[0];
    // Mixed products, and what is linear in the free ones
    part[1] = expr_sub(p, expr_sub(p, f, pure[0]), without_free);
    part[2] = without_free;
}

static void sort_by_origin(const manifold *m, const expr *mass, const expr *rest, expr *out[3]) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t n = s->n;
    expr *free_velocity = zeros(s), *bound_velocity = zeros(s), *covector[3];
    expr *slope = arena_array(a, expr, n * n), *whole = zeros(s), *along = zeros(s);
    manifold_velocity_jacobian(m, slope);
    for (int i = 0; i < 3; i++) covector[i] = zeros(s);
    for (uint32_t r = 0; r < s->m; r++) free_velocity[r] = s->qd[s->independent[r]];
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const uint32_t row = s->dependent[nu];
        bound_velocity[nu] = s->qd[row];
        // d/dt alpha_nu at u' = 0, and its part sum_s dalpha_nu/dq_s u_s
        whole[nu] = expr_at_zero(p, m->v.acceleration[row], s->m, m->v.eta_rate);
        for (uint32_t r = 0; r < s->m; r++)
            along[nu] =
                expr_add_product(p, along[nu], slope[row * n + s->independent[r]], s->eta[r]);
    }
    for (uint32_t i = 0; i < n; i++) {
        expr part[3];
        by_origin(s, rest[i], free_velocity, bound_velocity, part);
        for (uint32_t nu = 0; nu < s->k; nu++) {
            const expr g = mass[i * n + s->dependent[nu]];
            part[1] = expr_add_product(p, part[1], g, along[nu]);
            part[2] = expr_add_product(p, part[2], g, expr_sub(p, whole[nu], along[nu]));
        }
        for (int j = 0; j < 3; j++) covector[j][i] = part[j];
    }
    for (int j = 0; j < 3; j++) manifold_project(m, covector[j], out[j]);
}

// `covector`: sum m X''.dX/dq_i + moments, n entries in (q, q', q'', t)
static newton_parts newton_parts_of(const manifold *m, const expr *covector) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t n = s->n;
    const bool linear = !refusal_unless_linear_constraints(s);
    expr *mass = arena_array(a, expr, n * n), *rest = zeros(s), *zero = zeros(s), *bare = zeros(s);
    expr *c = arena_array(a, expr, s->m * s->m), *projected = zeros(s);
    expr *part[3] = {zeros(s), zeros(s), zeros(s)};
    expr_jacobian(p, n, covector, n, s->qdd, mass); // g_ij
    for (uint32_t r = 0; r < s->m; r++) {           // C_.r = B^T g B_.r
        for (uint32_t i = 0; i < n; i++) bare[i] = manifold_along(m, mass + i * n, r);
        manifold_project(m, bare, projected);
        for (uint32_t k = 0; k < s->m; k++) c[k * s->m + r] = projected[k];
    }
    memcpy(bare, m->v.acceleration, sizeof(expr) * n);
    expr_substitute(p, s->m, m->v.eta_rate, zero, n, bare, bare);
    if (!linear) memset(bare, 0, sizeof(expr) * n);
    expr_substitute(p, n, s->qdd, bare, n, covector, rest);
    if (linear) sort_by_degree(m, rest, part);
    else sort_by_origin(m, mass, rest, part);
    return (newton_parts){
        c, part[0], part[1], part[2],
        linear ? "D, E, G are the terms of degree 2, 1, 0 in the independent velocities"
               : "D, E, G are sorted as in T18 (15): D is quadratic in the independent velocities, "
                 "G contains them only through alpha, E is the rest"};
}

// --- the equations -------------------------------------------------------------------------------

// c_i += f . dv/dq'_i for the velocity v of a mass (or the angular velocity of a body), all i
static void add_covector(const mechanics *s, vec3 f, vec3 velocity, expr *covector) {
    expr *part = arena_array(&s->model->ctx->arena, expr, s->n);
    expr_pullback(s->pool, 3, velocity.at, f.at, s->n, s->qd, part);
    for (uint32_t i = 0; i < s->n; i++) covector[i] = expr_add(s->pool, covector[i], part[i]);
}

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

// --- the arrays of T18 (13) ----------------------------------------------------------------------

enum { MOST_COORDINATES = 4 }; // xi has n^3 entries

// "xi[x,y,z]" and its LaTeX, from the indices of `count` coordinates
static void define_entry(equations *eq, const char *letter, const char *latex, uint32_t count,
                         const uint32_t *index, expr value) {
    const mechanics *s = eq->system;
    arena *a = &s->model->ctx->arena;
    const char *name = letter, *written = latex;
    for (uint32_t i = 0; i < count; i++) {
        name = arena_format(a, "%s%s%s", name, i ? "," : "[",
                            expr_symbol_name(s->pool, s->q[index[i]]));
        written = arena_format(a, "%s%s%s", written, i ? "," : "_{",
                               ingredient_base_latex(s, s->q[index[i]]));
    }
    ingredient_define(eq, arena_format(a, "%s]", name), arena_format(a, "%s}", written), value);
}

static void list_arrays(const mechanics *s, equations *eq) {
    const uint32_t n = s->n;
    if (refusal_unless_points(s)) return; // they are sums over points
    if (n > MOST_COORDINATES && !s->list_everything) {
        equations_leave_out(eq, "g, xi, eta, zeta",
                            arena_format(&s->model->ctx->arena,
                                         "more than %d coordinates; derive --full lists them",
                                         MOST_COORDINATES));
        return;
    }
    const newton_arrays all = newton_arrays_create(s);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; j < n; j++)
            define_entry(eq, "g", "g", 2, (uint32_t[]){i, j}, all.g[i * n + j]);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; j < n; j++)
            for (uint32_t k = 0; k < n; k++)
                define_entry(eq, "xi", "\\xi", 3, (uint32_t[]){i, j, k},
                             all.xi[(i * n + j) * n + k]);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            define_entry(eq, "eta", "\\eta", 2, (uint32_t[]){i, j}, all.eta[i * n + j]);
    for (uint32_t i = 0; i < n; i++) define_entry(eq, "zeta", "\\zeta", 1, &i, all.zeta[i]);
}

// --- the formalism -------------------------------------------------------------------------------

static void derive(const mechanics *given, equations *eq) {
    const mechanics s = mechanics_without_quasi(given);
    pool *p = s.pool;
    arena *a = &s.model->ctx->arena;
    const manifold m = manifold_create(&s);
    expr *left = arena_array(a, expr, s.n), *value = arena_array(a, expr, s.m),
         *force = arena_array(a, expr, s.m);
    newton_euler(&s, left);             // sum m X''.dX/dq_i + moments
    manifold_particle_force(&m, force); // F*_r
    list_arrays(&s, eq);
    show_parts(eq, &s, &m, left, force);
    expr_substitute(p, s.n, s.qdd, m.v.acceleration, s.n, left, left);
    manifold_project(&m, left, value); // sum_i B_ir (..)_i
    for (uint32_t r = 0; r < s.m; r++) value[r] = expr_sub(p, value[r], force[r]);
    deliver_projected(eq, &m, value);
}

const formalism formalism_newton = {
    .id = "newton",
    .name = "Newton's equations, projected",
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
    .refusal = refusal_unless_points_or_bodies,
    .derive = derive,
};
