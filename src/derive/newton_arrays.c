// The arrays of T18 (13), sums over the points:
//   g_ij = sum m dX/dq_i.dX/dq_j,   xi_ijk = sum m d2X/dq_i dq_j.dX/dq_k,
//   eta_ij = sum m d2X/dq_i dt.dX/dq_j,   zeta_i = sum m d2X/dt2.dX/dq_i,
// so that sum m X''.dX/dq_i = sum_j g_ij q''_j + sum_jk xi_jki q'_j q'_k + 2 sum_j eta_ji q'_j +
// zeta_i. Misprints of the paper: (13) has dX/dq_j in zeta_i; (15) has terms free of nu, mu or p
// under sums over nu, mu, p, where they count k and k^2 times (g_ir in C, for one): each term is to
// be summed over its own indices only.
#include "derive/newton_arrays.h"

#include "derive/defect.h"
#include "derive/ingredients.h"
#include "derive/particles.h"
#include "derive/refusals.h"

enum { MOST_COORDINATES = 4 }; // xi has n^3 entries

// sum += m a b
static void add(pool *p, expr *sum, expr mass, expr a, expr b) {
    *sum = expr_add(p, *sum, expr_product(p, 3, (expr[]){mass, a, b}));
}

// One Cartesian coordinate x(q, t) of one point
static void add_direction(const mechanics *s, expr mass, expr x, newton_arrays *out) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t n = s->n;
    const expr rate = explicit_rate(s, x), second = explicit_rate(s, rate);
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

newton_arrays newton_arrays_of(const mechanics *s) {
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

// "xi[x,y,z]" and its LaTeX, from the indices of `count` coordinates
static void define(equations *eq, const char *letter, const char *latex, uint32_t count,
                   const uint32_t *index, expr value) {
    const mechanics *s = eq->system;
    arena *a = &s->model->ctx->arena;
    const char *name = letter, *written = latex;
    for (uint32_t i = 0; i < count; i++) {
        name =
            arena_format(a, "%s%s%s", name, i ? "," : "[", ingredient_base_name(s, s->q[index[i]]));
        written = arena_format(a, "%s%s%s", written, i ? "," : "_{",
                               ingredient_base_latex(s, s->q[index[i]]));
    }
    ingredient_define(eq, arena_format(a, "%s]", name), arena_format(a, "%s}", written), value);
}

void newton_arrays_define(const mechanics *s, equations *eq) {
    const uint32_t n = s->n;
    if (needs_points(s)) return; // they are sums over points
    if (n > MOST_COORDINATES && !s->list_everything) {
        equations_leave_out(eq, "g, xi, eta, zeta",
                            arena_format(&s->model->ctx->arena,
                                         "more than %d coordinates; derive --full lists them",
                                         MOST_COORDINATES));
        return;
    }
    const newton_arrays all = newton_arrays_of(s);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; j < n; j++)
            define(eq, "g", "g", 2, (uint32_t[]){i, j}, all.g[i * n + j]);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; j < n; j++)
            for (uint32_t k = 0; k < n; k++)
                define(eq, "xi", "\\xi", 3, (uint32_t[]){i, j, k}, all.xi[(i * n + j) * n + k]);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            define(eq, "eta", "\\eta", 2, (uint32_t[]){i, j}, all.eta[i * n + j]);
    for (uint32_t i = 0; i < n; i++) define(eq, "zeta", "\\zeta", 1, &i, all.zeta[i]);
}
