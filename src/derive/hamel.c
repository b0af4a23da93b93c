// Boltzmann-Hamel = Voronets-Hamel (M (28), T18 (25)), with all n quasi-velocities before the last
// k are set to 0, affine and rheonomic terms too:
//   d/dt dT~/d eta_l - sum_j C_jl dT~/dq_j
//   + sum_rho dT~/dv_rho (sum_mu c^rho_l,mu v_mu + c^rho_l) = Q*_l,
//   c^rho_l,mu = sum_jk C_jl C_k,mu (dZ_rho,j/dq_k - dZ_rho,k/dq_j),
//   c^rho_l = sum_j C_jl (dZ_rho,j/dt - dz_rho/dq_j) - sum_mu c^rho_l,mu z_mu,
//   v = Z q' + z, C = Z^-1.
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/frame.h"
#include "derive/refusal.h"

typedef struct {
    const mechanics *s;
    pool *p;
    arena *arena;
    const frame *f;
    expr *matrix_q; // dZ_rho,j/dq_k at [(rho*n + j)*n + k]
} hamel_work;

// dZ_rho,j/dq_k - dZ_rho,k/dq_j
static expr curl(const hamel_work *w, uint32_t rho, uint32_t j, uint32_t k) {
    const size_t n = w->s->n;
    return expr_sub(w->p, w->matrix_q[(rho * n + j) * n + k], w->matrix_q[(rho * n + k) * n + j]);
}

// c^rho_l,mu = sum_k (sum_j C_jl curl_jk) C_k,mu, for all mu at once
static void coefficients(const hamel_work *w, uint32_t rho, uint32_t l, expr *out) {
    const uint32_t n = w->s->n;
    expr *row = arena_array(w->arena, expr, n);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t j = 0; j < n; j++)
            row[k] = expr_add_product(w->p, row[k], w->f->inverse[j * n + l], curl(w, rho, j, k));
    for (uint32_t mu = 0; mu < n; mu++)
        out[mu] = expr_dot_column(w->p, n, row, w->f->inverse, n, mu);
}

// sum_j C_jl (dZ_rho,j/dt - dz_rho/dq_j)
static expr time_coefficient(const hamel_work *w, uint32_t rho, uint32_t l) {
    const mechanics *s = w->s;
    expr sum = EXPR_ZERO;
    for (uint32_t j = 0; j < s->n; j++) {
        const expr rate = mechanics_explicit_rate(s, w->f->matrix[rho * s->n + j]);
        const expr part = expr_sub(w->p, rate, expr_diff(w->p, w->f->offset[rho], s->q[j]));
        sum = expr_add_product(w->p, sum, w->f->inverse[j * s->n + l], part);
    }
    return sum;
}

// sum_mu c^rho_l,mu v_mu + c^rho_l on the constraints; the coefficients are listed
static expr turning(const hamel_work *w, equations *eq, uint32_t rho, uint32_t l) {
    const mechanics *s = w->s;
    expr *c = arena_array(w->arena, expr, s->n), sum = time_coefficient(w, rho, l);
    coefficients(w, rho, l, c);
    for (uint32_t mu = 0; mu < s->n; mu++) // c^rho_l: what goes with the drift -C z of the frame
        sum = expr_sub_product(w->p, sum, c[mu], w->f->offset[mu]);
    if (sum != EXPR_ZERO)
        equations_define(eq, arena_format(w->arena, "c[%u;%u]", rho + 1, l + 1),
                         arena_format(w->arena, "c^{%u}_{%u}", rho + 1, l + 1), sum);
    for (uint32_t mu = 0; mu < s->n; mu++) { // v_mu = eta_mu for mu <= m, 0 beyond
        if (mu < s->m) sum = expr_add_product(w->p, sum, c[mu], s->eta[mu]);
        if (c[mu] != EXPR_ZERO && mu > l)
            equations_define(eq, arena_format(w->arena, "c[%u;%u,%u]", rho + 1, l + 1, mu + 1),
                             arena_format(w->arena, "c^{%u}_{%u%u}", rho + 1, l + 1, mu + 1),
                             c[mu]);
    }
    return sum;
}

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const manifold m = manifold_create(s);
    const frame f = frame_create(s);
    const uint32_t n = s->n;
    hamel_work w = {s, p, a, &f, arena_array(a, expr, n * n * n)};
    expr_jacobian(p, n * n, f.matrix, n, s->q, w.matrix_q);
    const expr kinetic = frame_express(s, &f, m.kinetic); // T~(q, v, t)
    expr *momentum = arena_array(a, expr, n), *position = arena_array(a, expr, n),
         *force = arena_array(a, expr, s->m);
    expr *value = arena_array(a, expr, s->m);
    frame_gradients(s, &f, kinetic, momentum, position); // dT~/dv_rho, dT~/dq_j
    manifold_force(&m, force);                           // Q*_l = sum_j C_jl Q_j
    equations_define(eq, "T~", "\\tilde T", kinetic);
    for (uint32_t l = 0; l < s->m; l++) {
        value[l] = expr_sub(p, manifold_rate(&m, momentum[l]), force[l]); // d/dt dT~/d eta_l - Q*_l
        for (uint32_t j = 0; j < n; j++)                                  // - dT~/d pi_l
            value[l] = expr_sub_product(p, value[l], f.inverse[j * n + l], position[j]);
        for (uint32_t rho = 0; rho < n; rho++)
            value[l] = expr_add_product(p, value[l], momentum[rho], turning(&w, eq, rho, l));
    }
    deliver_projected(eq, &m, value);
}

const formalism formalism_hamel = {
    .id = "hamel",
    .name = "Boltzmann-Hamel equations",
    .paper = "Voronec 1901, Boltzmann 1902, Hamel 1904; M (28), T18 (25)",
    .formula = "d/dt dT~/d eta_l - dT~/d pi_l + sum_rho (sum_mu c^rho_l,mu eta_mu + c^rho_l) dT~/d "
               "eta_rho = Q*_l",
    .latex = "\\tfrac{d}{dt} \\frac{\\partial \\tilde{T}}{\\partial \\eta_{l}} - \\frac{\\partial "
             "\\tilde{T}}{\\partial \\pi_{l}} + \\sum_{\\rho} \\left(\\sum_{\\mu} "
             "c^{\\rho}_{l,\\mu} \\eta_{\\mu} + c^{\\rho}_{l}\\right) \\frac{\\partial "
             "\\tilde{T}}{\\partial \\eta_{\\rho}} = Q^{*}_{l}",
    .history = "Boltzmann (1902) and Hamel (1904) wrote Lagrange's equations in velocities that "
               "are no derivatives of coordinates, so that Lagrange's and Euler's equations became "
               "one. This program has its name from here.",
    .use = "For rigid bodies and rolling with body-fixed angular velocities. The coefficients c "
           "measure how far the quasi-velocities are from being derivatives; the constraints are "
           "put in only at the end.",
    .lists = "T~ with all n velocities v = Z q' + z, omega[c] those of the constraints; "
             "c[rho;l,mu] = sum_jk C_jl C_k,mu (dZ_rho,j/dq_k - dZ_rho,k/dq_j) for l <= m, l < mu "
             "<= n (antisymmetric in l and mu); c[rho;l] = sum_j C_jl (dZ_rho,j/dt - dz_rho/dq_j) "
             "- sum_mu c[rho;l,mu] z_mu; C = Z^-1",
    .applies = "linear-affine constraints and quasi-velocities",
    .refusal = refusal_unless_linear_frame,
    .derive = derive,
};
