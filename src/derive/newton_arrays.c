// The arrays of T18 (13), sums over the points:
//   g_ij = sum m dX/dq_i.dX/dq_j,   xi_ijk = sum m d2X/dq_i dq_j.dX/dq_k,
//   eta_ij = sum m d2X/dq_i dt.dX/dq_j,   zeta_i = sum m d2X/dt2.dX/dq_i,
// so that sum m X''.dX/dq_i = sum_j g_ij q''_j + sum_jk xi_jki q'_j q'_k + 2 sum_j eta_ji q'_j +
// zeta_i. Misprints of the paper: (13) has dX/dq_j in zeta_i; (15) has terms free of nu, mu or p
// under sums over nu, mu, p, where they count k and k^2 times (g_ir in C, for one): each term is to
// be summed over its own indices only.
#include "derive/newton_arrays.h"

#include "derive/particles.h"

// sum += m a b
static void add(pool *p, expr *sum, expr mass, expr a, expr b) {
    *sum = expr_add(p, *sum, expr_product(p, 3, (expr[]){mass, a, b}));
}

// One Cartesian coordinate x(q, t) of one point
static void add_direction(const mechanics *s, expr mass, expr x, newton_arrays *out) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t n = s->n;
    const expr rate = mechanics_explicit_rate(s, x), second = mechanics_explicit_rate(s, rate);
    expr *slope = arena_array(a, expr, n), *slope_rate = arena_array(a, expr, n),
         *bend = arena_array(a, expr, n * n);
    expr_gradient(p, x, n, s->q, slope);         // dX/dq_i
    expr_gradient(p, rate, n, s->q, slope_rate); // d2X/dq_i dt
    expr_jacobian(p, n, slope, n, s->q, bend);   // d2X/dq_i dq_j
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            add(p, &out->g[i * n + j], mass, slope[i], slope[j]);
            add(p, &out->eta[i * n + j], mass, slope_rate[i], slope[j]);
            for (uint32_t k = 0; k < n; k++)
                add(p, &out->xi[(i * n + j) * n + k], mass, bend[i * n + j], slope[k]);
        }
        add(p, &out->zeta[i], mass, second, slope[i]);
    }
}

newton_arrays newton_arrays_create(const mechanics *s) {
    arena *a = &s->model->ctx->arena;
    const uint32_t n = s->n;
    newton_arrays out = {arena_array(a, expr, n * n), arena_array(a, expr, n * n * n),
                         arena_array(a, expr, n * n), arena_array(a, expr, n)};
    const particles all = particles_of(s);
    for (uint32_t i = 0; i < all.mass_count; i++)
        for (int c = 0; c < 3; c++)
            add_direction(s, all.masses[i].mass, all.masses[i].position.at[c], &out);
    return out;
}
