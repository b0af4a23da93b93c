// The terms of Newton's projected equations, sorted.
#include "derive/newton_parts.h"

#include "derive/refusals.h"

#include <string.h>

static expr *zeros(const mechanics *s) { return arena_array(&s->model->ctx->arena, expr, s->n); }

// G = f(0), E = sum u_s df/du_s(0), D = f - E - G for f of degree 2 in the `count` symbols u
static void by_degree(const mechanics *s, expr f, uint32_t count, const expr *u, expr part[3]) {
    pool *p = s->pool;
    expr *zero = zeros(s), *slope = zeros(s);
    part[2] = expr_replace(p, f, count, u, zero);
    expr_gradient(p, f, count, u, slope);
    expr_substitute(p, count, u, zero, count, slope, slope);
    part[1] = expr_dot(p, count, slope, u);
    part[0] = expr_sub(p, expr_sub(p, f, part[1]), part[2]);
}

static void sort_by_degree(const manifold *m, const expr *rest, expr *out[3]) {
    const mechanics *s = m->system;
    expr *projected = zeros(s), part[3];
    project(m, rest, projected);
    for (uint32_t r = 0; r < s->m; r++) {
        by_degree(s, projected[r], s->m, s->eta, part);
        for (int i = 0; i < 3; i++) out[i][r] = part[i];
    }
}

// One component at q'' = 0, in the symbols q' of both kinds
static void by_origin(const mechanics *s, expr f, const expr *free_velocity,
                      const expr *bound_velocity, expr part[3]) {
    pool *p = s->pool;
    expr *zero = zeros(s), pure[3];
    const expr without_bound = expr_replace(p, f, s->k, bound_velocity, zero),
               without_free = expr_replace(p, f, s->m, free_velocity, zero);
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
    expr *free_velocity = zeros(s), *bound_velocity = zeros(s), *zero = zeros(s), *covector[3];
    expr *slope = arena_array(a, expr, n * n), *whole = zeros(s), *along = zeros(s);
    velocity_q_jacobian(m, slope);
    for (int i = 0; i < 3; i++) covector[i] = zeros(s);
    for (uint32_t r = 0; r < s->m; r++) free_velocity[r] = s->qd[s->independent[r]];
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const uint32_t row = s->dependent[nu];
        bound_velocity[nu] = s->qd[row];
        // d/dt alpha_nu at u' = 0
        whole[nu] = expr_replace(p, m->v.acceleration[row], s->m, m->v.eta_rate, zero);
        for (uint32_t r = 0; r < s->m; r++)
            along[nu] =
                expr_add(p, along[nu], expr_mul(p, slope[row * n + s->independent[r]], s->eta[r]));
    }
    for (uint32_t i = 0; i < n; i++) {
        expr part[3];
        by_origin(s, rest[i], free_velocity, bound_velocity, part);
        for (uint32_t nu = 0; nu < s->k; nu++) {
            const expr g = mass[i * n + s->dependent[nu]];
            part[1] = expr_add(p, part[1], expr_mul(p, g, along[nu]));
            part[2] = expr_add(p, part[2], expr_mul(p, g, expr_sub(p, whole[nu], along[nu])));
        }
        for (int j = 0; j < 3; j++) covector[j][i] = part[j];
    }
    for (int j = 0; j < 3; j++) project(m, covector[j], out[j]);
}

newton_parts newton_parts_of(const manifold *m, const expr *covector) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t n = s->n;
    const bool linear = !needs_linear_constraints(s);
    expr *mass = arena_array(a, expr, n * n), *rest = zeros(s), *zero = zeros(s), *bare = zeros(s);
    expr *c = arena_array(a, expr, s->m * s->m), *column = zeros(s), *projected = zeros(s);
    expr *part[3] = {zeros(s), zeros(s), zeros(s)};
    expr_jacobian(p, n, covector, n, s->qdd, mass);
    for (uint32_t r = 0; r < s->m; r++) { // C_.r = B^T g B_.r
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; j < n; j++) column[j] = basis_entry(m, j, r);
            bare[i] = expr_dot(p, n, mass + i * n, column);
        }
        project(m, bare, projected);
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
                 "G knows them by alpha only, E is the rest"};
}
