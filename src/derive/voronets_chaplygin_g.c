// The generalized Voronets-Chaplygin system (RS 4.2-4.12): constraints L_a = x'_a - alpha_a(x, y,
// y') in explicit form, supplementary rows y', so that W is unit triangular and A^T = E(L). With a
// free function nu, beta = 1 - nu (4.12):
//   E_k(L*) - Q_k = (1 - nu) sum_a E_k(L_a) dL*/dx'_a + sum_a lambda_a dL_a/dq'_k.
// nu = 1 is the classical motion, nu = 0 the A-model with the independent
// coordinates as supplementary functions.
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/lagrange.h"
#include "derive/refusal.h"
#include "derive/transposition.h"

// The rows L_1 .. L_k, y'_1 .. y'_m as RS (4.5), (4.6) order them.
static void define_matrices(equations *eq, const manifold *m, const expr *e) {
    const mechanics *s = m->system;
    const uint32_t n = s->n;
    arena *a = &s->model->ctx->arena;
    expr *w = arena_array(a, expr, n * n), *sorted = arena_array(a, expr, n * n),
         *row_of = arena_array(a, expr, n);
    for (uint32_t i = 0; i < n * n; i++) w[i] = sorted[i] = EXPR_ZERO;
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const uint32_t row = s->dependent[nu];
        w[nu * n + row] = EXPR_ONE;
        for (uint32_t i = 0; i < s->m; i++)
            w[nu * n + s->independent[i]] = expr_neg(s->pool, manifold_basis(m, row, i));
        for (uint32_t j = 0; j < n; j++) sorted[nu * n + j] = e[row * n + j];
        row_of[nu] = m->v.explicit_velocities ? expr_sub(s->pool, s->qd[row], m->v.velocity[row])
                                              : s->phi[nu];
    }
    for (uint32_t i = 0; i < s->m; i++) {
        w[(s->k + i) * n + s->independent[i]] = EXPR_ONE;
        row_of[s->k + i] = s->qd[s->independent[i]];
    }
    transposition_define(eq, row_of, w, sorted, e, false);
}

static void derive(const mechanics *given, equations *eq) {
    mechanics *s = arena_new(&given->model->ctx->arena, mechanics);
    *s = mechanics_without_quasi(given);
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const manifold m = manifold_create(s);
    const expr beta = expr_sub(p, EXPR_ONE, mechanics_option(s, "nu", EXPR_ZERO));
    expr *value = arena_array(a, expr, s->n), *momentum = arena_array(a, expr, s->n);
    const expr *e = transposition_explicit(&m);             // E_k(L_a)
    expr_gradient(p, s->lagrangian, s->n, s->qd, momentum); // dL*/dx'_a
    lagrange_defect(s, value);                              // E_k(L*) - Q_k
    for (uint32_t k = 0; k < s->n; k++)                     // - beta sum_a E_k(L_a) dL*/dx'_a
        for (uint32_t nu = 0; nu < s->k; nu++) {
            const uint32_t row = s->dependent[nu];
            value[k] = expr_sub(
                p, value[k],
                expr_product(p, 3, (const expr[]){beta, e[row * s->n + k], momentum[row]}));
        }
    deliver_with_multipliers(eq, value);
    define_matrices(eq, &m, e);
    transposition_define_inertia(eq);
}

const formalism formalism_voronets_chaplygin_g = {
    .id = "voronets-chaplygin-g",
    .name = "Generalized Voronets-Chaplygin equations",
    .paper = "Ramirez-Sadovskaia; RS 4.1, (4.8)-(4.12)",
    .formula = "E_k(L) - Q_k = (1 - nu) sum_a E_k(x'_a - alpha_a) dL/dx'_a + sum_nu lambda_nu "
               "dPhi_nu/dq'_k",
    .latex = "E_{k}(L) - Q_{k} = \\left(1 - \\nu\\right) \\sum_{a} E_{k}(\\dot{x}_{a} - "
             "\\alpha_{a}) \\frac{\\partial L}{\\partial \\dot{x}_{a}} + \\sum_{\\nu} "
             "\\lambda_{\\nu} \\frac{\\partial \\Phi_{\\nu}}{\\partial \\dot{q}_{k}}",
    .history = "Ramirez and Sadovskaia join Voronec's and Chaplygin's equations with others by a "
               "parameter nu; nu = 1 is the classical motion.",
    .use = "To see how far a motion depends on the transpositional relations chosen: let nu run.",
    .lists = "as a-model, with the rows x'_a - alpha_a and y'",
    .applies = "constraints on velocities; `with nu = E`, else the parameter nu, else 0",
    .mechanics = "voronets-chaplygin-g",
    .option = "nu",
    .multiplier_is_rate = true,
    .refusal = refusal_unless_constraints,
    .derive = derive,
};
