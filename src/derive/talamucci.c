// Rheonomic quasi-velocities (T15 (17)), with (Gamma Theta) = [Z; alpha]^-1:
//   d/dt dL~/d eta - Gamma^T dL~/dq + Gamma^T (Z' - J_q eta)^T dL~/d eta
//   + Gamma^T (alpha' - J_q(alpha q' + beta))^T Theta^T dL/dq' = Q*.
// dL/dq' is that of the full L: its part along Theta is the momentum in the constrained directions.
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/frame.h"
#include "derive/ingredient.h"
#include "derive/refusal.h"
#include "derive/stationary.h"

typedef struct {
    const mechanics *s;
    const manifold *m;
    const frame *f;
    pool *p;
    arena *arena;
} talamucci_work;

// Row rho of (Z' - J_q eta) or (alpha' - J_q(alpha q' + beta)), on the manifold: d/dt Z_rho,j
// - d(Z q' + z)_rho/dq_j at fixed q'
static void turning_row(const talamucci_work *w, uint32_t rho, expr *row) {
    const mechanics *s = w->s;
    expr *by_position = arena_array(w->arena, expr, s->n);
    expr_gradient(w->p, basis_form(s, rho), s->n, s->q, by_position);
    for (uint32_t j = 0; j < s->n; j++) {
        const expr rate = manifold_rate(w->m, w->f->matrix[rho * s->n + j]);
        row[j] = expr_sub(w->p, rate, manifold_star(w->m, by_position[j]));
    }
}

// Column l of (Gamma Theta), times a covector: (Gamma^T c)_l or (Theta^T c)_l-m
static expr along(const talamucci_work *w, const expr *covector, uint32_t l) {
    return expr_dot_column(w->p, w->s->n, covector, w->f->inverse, w->s->n, l);
}

// Sorted for print as A_Gamma eta' + Q + Lambda + N (T15 (20)): degrees 2, 1, 0 of the rest in eta.
static void show_split(const talamucci_work *w, equations *eq, uint32_t l, expr value) {
    const mechanics *s = w->s;
    expr *zero = arena_array(w->arena, expr, s->m), *row = arena_array(w->arena, expr, s->m);
    expr_gradient(w->p, value, s->m, w->m->v.eta_rate, row);
    for (uint32_t k = 0; k < s->m; k++)
        if (row[k] != EXPR_ZERO)
            equations_define(eq, arena_format(w->arena, "A[%u,%u]", l + 1, k + 1),
                             arena_format(w->arena, "(A_\\Gamma)_{%u%u}", l + 1, k + 1), row[k]);
    const expr rest = expr_replace(w->p, value, s->m, w->m->v.eta_rate, zero),
               free_part = expr_replace(w->p, rest, s->m, s->eta, zero);
    expr_gradient(w->p, rest, s->m, s->eta, row);
    expr_substitute(w->p, s->m, s->eta, zero, s->m, row, row);
    const expr linear = expr_dot(w->p, s->m, row, s->eta);
    const expr part[3] = {expr_sub(w->p, expr_sub(w->p, rest, linear), free_part), linear,
                          free_part};
    static const char *const name[3] = {"Q", "Lambda", "N"}, *const latex[3] = {"Q", "\\Lambda",
                                                                                "N"};
    for (int i = 0; i < 3; i++)
        if (part[i] != EXPR_ZERO)
            equations_define(eq, arena_format(w->arena, "%s[%u]", name[i], l + 1),
                             arena_format(w->arena, "%s_{%u}", latex[i], l + 1), part[i]);
}

// (Gamma Theta): the columns of Gamma belong to the quasi-velocities, those
// of Theta to the constraints.
static void show_frame(const talamucci_work *w, equations *eq) {
    const mechanics *s = w->s;
    if (!ingredient_wanted(s)) ingredient_leave_out(eq, "Gamma, Theta");
    for (uint32_t j = 0; j < s->n && ingredient_wanted(s); j++)
        for (uint32_t i = 0; i < s->n; i++) {
            const bool gamma = j < s->m;
            const char *of = gamma ? expr_symbol_text(s->pool, s->eta[j])
                                   : s->model->constraints[s->constraint[j - s->m]].name;
            ingredient_define(eq,
                              arena_format(w->arena, "%s[%s,%s]", gamma ? "Gamma" : "Theta",
                                           expr_symbol_text(s->pool, s->q[i]), of),
                              arena_format(w->arena, "\\%s_{%u%u}", gamma ? "Gamma" : "Theta",
                                           i + 1, gamma ? j + 1 : j - s->m + 1),
                              w->f->inverse[i * s->n + j]);
        }
}

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const manifold m = manifold_create(s);
    const frame f = frame_create(s);
    const talamucci_work w = {s, &m, &f, p, a};
    show_frame(&w, eq);
    const uint32_t n = s->n;
    expr *eta_momentum = arena_array(a, expr, s->m), *position = arena_array(a, expr, n),
         *along_pi = arena_array(a, expr, s->m);
    expr *momentum = arena_array(a, expr, n), *force = arena_array(a, expr, s->m),
         *value = arena_array(a, expr, s->m);
    expr *row = arena_array(a, expr, n);
    manifold_eta_gradient(&m, m.kinetic, eta_momentum); // dL~/d eta
    manifold_q_gradient(&m, m.kinetic, position);       // dL~/dq
    manifold_project(&m, position, along_pi);           // Gamma^T dL~/dq
    expr_gradient(p, m.kinetic, n, s->qd, momentum);    // dL/dq' of the full L
    for (uint32_t i = 0; i < n; i++) momentum[i] = manifold_star(&m, momentum[i]);
    manifold_force(&m, force);          // Q*
    for (uint32_t l = 0; l < s->m; l++) // d/dt dL~/d eta - Gamma^T dL~/dq - Q*
        value[l] =
            expr_sub(p, expr_sub(p, manifold_rate(&m, eta_momentum[l]), along_pi[l]), force[l]);
    for (uint32_t rho = 0; rho < n; rho++) { // rho <= m: dL~/d eta_rho; beyond: Theta^T dL/dq'
        const expr weight = rho < s->m ? eta_momentum[rho] : along(&w, momentum, rho);
        turning_row(&w, rho, row);
        for (uint32_t l = 0; l < s->m; l++)
            value[l] = expr_add_product(p, value[l], weight, along(&w, row, l));
    }
    for (uint32_t l = 0; l < s->m; l++) show_split(&w, eq, l, value[l]);
    if (stationary_holds(s))
        ingredient_remark(eq, "stationary case, T15 (26)-(27): A_Gamma eta' + Q(eta, eta) = "
                              "Gamma^T F, q' = Gamma eta");
    deliver_projected(eq, &m, value);
}

const formalism formalism_talamucci = {
    .id = "talamucci",
    .name = "Talamucci's equations in rheonomic quasi-velocities",
    .paper = "T15 (17), (20)",
    .formula = "d/dt dL~/d eta - G^T dL~/dq + G^T (Z' - J_q eta)^T dL~/d eta + G^T (alpha' - "
               "J_q(alpha q' + beta))^T Theta^T dL/dq' = Q*",
    .latex = "\\tfrac{d}{dt} \\frac{\\partial \\tilde{L}}{\\partial \\eta} - \\Gamma^{T} "
             "\\frac{\\partial \\tilde{L}}{\\partial q} + \\Gamma^{T} \\left(\\dot{Z} - J_{q} "
             "\\eta\\right)^{T} \\frac{\\partial \\tilde{L}}{\\partial \\eta} + \\Gamma^{T} "
             "\\left(\\dot{\\alpha} - J_{q}(\\alpha \\dot{q} + \\beta)\\right)^{T} \\Theta^{T} "
             "\\frac{\\partial L}{\\partial \\dot{q}} = Q^{*}",
    .history = "Talamucci (2015) treats linear-affine rheonomic constraints and rheonomic "
               "quasi-velocities in one matrix form; printed without the last term, which carries "
               "the momentum along the constrained directions, it would be wrong.",
    .use = "For machines on wheels with steering or tracks that move in time, and for those who "
           "think in matrices: the terms are sorted by their degree in eta.",
    .lists = "Gamma[q,eta] and Theta[q,c], the columns of [Z; alpha]^-1; A[l,k], Q[l], Lambda[l], "
             "N[l]: the equations are sum_k A[l,k] eta'_k + Q[l] + Lambda[l] + N[l] = 0, Lambda "
             "linear in eta and N free of it, with the forces in them",
    .applies = "linear-affine constraints and quasi-velocities",
    .refusal = refusal_unless_linear_frame,
    .derive = derive,
};
