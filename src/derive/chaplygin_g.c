// The generalised Chaplygin system (RS (4.13)-(4.20)): L*(y, x', y') with constraints L_a = x'_a -
// Phi_a(y, y', t) = 0 that may be nonlinear,
//   E_k(Gamma) = sum_a E_k(L_a) (dL*/dx'_a)~ - F*_k,   Gamma = -L~,
//   L~ = L* with x' = Phi (RS (4.14), (4.17)),
// k over the y; F* are the forces that are not in L*, projected. RS adds the function (4.19),
//   script R = L_0 - sum_a dL_0/dx'_a L_a,  L_0 = Gamma + L*,
// and takes E_k(script R) = 0 for the motion (4.20). It is of second order in L_a, so
// E_k(script R) vanishes on the constraints for every acceleration that they allow. Nor
// is it R - R_0, as (4.19) says.
#include "derive/chaplygin.h"
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/transposition.h"
#include "normal/normal.h"

// E_k(L_a) = -(d/dt dPhi_a/dy'_k - dPhi_a/dy_k), which are the
// transpositional relations (4.18), too
static void define_constraint_derivatives(equations *eq, const manifold *m) {
    const mechanics *s = m->system;
    arena *a = &s->model->ctx->arena;
    eq->transposition = transposition_explicit(m);
    for (uint32_t k = 0; k < s->m; k++)
        for (uint32_t c = 0; c < s->k; c++) {
            const uint32_t x = s->dependent[c], y = s->independent[k];
            ingredient_define(eq,
                              arena_format(a, "E[%s,%s]", expr_symbol_name(s->pool, s->q[x]),
                                           expr_symbol_name(s->pool, s->q[y])),
                              arena_format(a, "E_{%s}(L_{%s})", ingredient_base_latex(s, s->q[y]),
                                           ingredient_base_latex(s, s->q[x])),
                              eq->transposition[x * s->n + y]);
        }
}

// Does every E_k(f) vanish where L_a = 0 and d/dt L_a = 0, whatever the y''?
static normal_truth is_identity(const manifold *m, expr f) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    const normal_budget budget = normal_budget_default();
    normal_truth all = NORMAL_YES;
    for (uint32_t k = 0; k < s->m && all == NORMAL_YES; k++) {
        const uint32_t y = s->independent[k];
        const expr position = manifold_star(m, expr_diff(p, f, s->q[y]));
        all = normal_is_zero(p, expr_sub(p, manifold_rate(m, expr_diff(p, f, s->qd[y])), position),
                             &budget);
    }
    return all;
}

// -1/2 sum G_ab L_a L_b, which script R is where L* is quadratic in the x' (RS, Corollary
// 4.2); otherwise script R as it stands.
static expr as_square(const manifold *m, const expr *momentum, expr script) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    const normal_budget budget = normal_budget_default();
    expr sum = EXPR_ZERO;
    for (uint32_t a = 0; a < s->k; a++)
        for (uint32_t b = 0; b < s->k; b++) {
            const uint32_t x = s->dependent[a], z = s->dependent[b];
            const expr gap = expr_sub(p, s->qd[x], m->v.velocity[x]),
                       other = expr_sub(p, s->qd[z], m->v.velocity[z]);
            sum = expr_add(
                p, sum,
                expr_product(p, 3, (expr[]){expr_diff(p, momentum[x], s->qd[z]), gap, other}));
        }
    const expr square = expr_mul(p, expr_neg(p, EXPR_HALF), sum);
    return normal_is_zero(p, expr_sub(p, script, square), &budget) == NORMAL_YES ? square : script;
}

// Gamma, L~, and the functions of RS (4.19), with remarks on what E_k(script R) = 0 says.
static void define_functions(equations *eq, const manifold *m, expr gamma, const expr *momentum) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    ingredient_define(eq, "Gamma", "\\Gamma", gamma);
    ingredient_define(eq, "L~", "\\tilde{L}", manifold_star(m, m->kinetic));
    if (!ingredient_wanted(s)) ingredient_leave_out(eq, "R, R_0, script R");
    else if (!m->v.explicit_velocities)
        equations_leave_out(eq, "R, R_0, script R", "Phi has no closed form");
    if (!ingredient_wanted(s) || !m->v.explicit_velocities) return;
    const normal_budget budget = normal_budget_default();
    expr r = m->kinetic, script = expr_add(p, gamma, m->kinetic);
    for (uint32_t a = 0; a < s->k; a++) {
        const uint32_t x = s->dependent[a];
        const expr gap = expr_sub(p, s->qd[x], m->v.velocity[x]); // L_a
        r = expr_sub_product(p, r, momentum[x], s->qd[x]);
        script = expr_sub_product(p, script, momentum[x], gap);
    }
    const expr r_0 = manifold_star(m, r);
    ingredient_define(eq, "R", "R", r);
    ingredient_define(eq, "R_0", "R_0", r_0);
    ingredient_define(eq, "script R", "\\mathcal{R}", as_square(m, momentum, script));
    const normal_truth identity = is_identity(m, script);
    if (identity == NORMAL_YES)
        ingredient_remark(eq, "E_k(script R) = 0 is an identity on the constraints, second order "
                              "in L_a: it is no equation of motion");
    if (identity == NORMAL_NO)
        ingredient_remark(eq, "E_k(script R) = 0 is no identity on the constraints");
    if (normal_is_zero(p, expr_sub(p, script, expr_sub(p, r, r_0)), &budget) == NORMAL_NO)
        ingredient_remark(
            eq, "script R is not R - R_0: they differ by sum_a (dL*/dx'_a - (dL*/dx'_a)~) Phi_a");
}

static void derive(const mechanics *given, equations *eq) {
    mechanics s;
    chaplygin_type_generalised(given, &s);
    pool *p = s.pool;
    arena *a = &s.model->ctx->arena;
    const manifold m = chaplygin_manifold(&s);
    const expr gamma = expr_neg(p, manifold_star(&m, m.kinetic));
    expr *star = arena_array(a, expr, s.m), *position = arena_array(a, expr, s.n),
         *momentum = arena_array(a, expr, s.n);
    expr *force = arena_array(a, expr, s.m), *value = arena_array(a, expr, s.m);
    ingredient_define_alpha(eq, &m);
    define_constraint_derivatives(eq, &m);
    manifold_eta_gradient(&m, gamma, star);           // dGamma/dy'_k
    manifold_q_gradient(&m, gamma, position);         // dGamma/dy_k
    expr_gradient(p, m.kinetic, s.n, s.qd, momentum); // dL*/dx'_a
    manifold_force(&m, force);                        // F*_k
    for (uint32_t k = 0; k < s.m; k++) { // -E_k(Gamma) - F*_k + sum_a E_k(L_a) (dL*/dx'_a)~
        const expr gamma_derivative =
            expr_sub(p, manifold_rate(&m, star[k]), position[s.independent[k]]);
        value[k] = expr_neg(p, expr_add(p, gamma_derivative, force[k]));
        for (uint32_t c = 0; c < s.k; c++) {
            const uint32_t x = s.dependent[c];
            const expr turning = eq->transposition[x * s.n + s.independent[k]];
            value[k] = expr_add_product(p, value[k], turning, manifold_star(&m, momentum[x]));
        }
    }
    define_functions(eq, &m, gamma, momentum);
    deliver_projected(eq, &m, value);
}

static const char *refusal(const mechanics *s) {
    mechanics chosen;
    return chaplygin_type_generalised(s, &chosen);
}

const formalism formalism_chaplygin_g = {
    .id = "chaplygin-g",
    .name = "Generalized Chaplygin equations",
    .paper = "Ramirez and Sadovskaia; RS (4.13)-(4.20)",
    .formula = "E_k(Gamma) = sum_a E_k(L_a) (dL*/dx'_a)~ - F*_k, L_a = x'_a - Phi_a(y, y', t), "
               "Gamma = -L~",
    .latex = "E_{k}(\\Gamma) = \\sum_{a} E_{k}(L_{a}) \\tilde{\\left(\\frac{\\partial "
             "L^{*}}{\\partial \\dot{x}_{a}}\\right)} - F^{*}_{k}, \\quad L_{a} = \\dot{x}_{a} - "
             "\\Phi_{a}(y, \\dot{y}, t), \\quad \\Gamma = -\\tilde{L}",
    .history = "Chaplygin's equations in the generality of Ramirez and Sadovskaia: constraints "
               "solved for velocities whose coordinates appear nowhere, linear or not.",
    .use = "For systems of Chaplygin's type with nonlinear or rheonomic constraints.",
    .lists =
        "alpha[nu], dalpha[nu]/dy'; E[x,y] = E_y(x' - Phi); Gamma, L~ = L with x' = Phi, R = L - "
        "sum_a x'_a dL/dx'_a, R_0 = R with x' = Phi, script R = L - L~ - sum_a L_a dL/dx'_a",
    .applies = "constraints x' = Phi(y, y', t), the x absent from T and from them",
    .mechanics = "chaplygin-g",
    .refusal = refusal,
    .derive = derive,
};
