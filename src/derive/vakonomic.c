// Vakonomic motion (RS 1.4, Kozlov): stationary action among the curves
// that satisfy the constraints,
//   E_j(L) - Q_j = sum_nu (lambda'_nu df_nu/dq'_j + lambda_nu E_j(f_nu)),   f_nu = 0.
// The multipliers are part of the state, and their initial values are free. This is NOT the motion
// of the other forms unless the constraints are integrable.
#include "derive/formalism.h"
#include "derive/lagrange.h"
#include "derive/refusal.h"

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t total = s->n + s->k;
    expr *defect = arena_array(a, expr, s->n), *unknown = arena_array(a, expr, total);
    expr *turning = arena_array(a, expr, s->n);
    residual *r = arena_array(a, residual, total);
    lagrange_defect(s, defect); // E_j(L) - Q_j
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const expr lambda = s->multiplier[nu], rate = expr_symbol_derivative(p, lambda);
        const expr *slope = mechanics_slopes(s) + nu * s->n; // df_nu/dq'
        lagrange_derivatives(s, s->phi[nu], turning);        // E_j(f_nu)
        for (uint32_t j = 0; j < s->n; j++) { // - lambda'_nu df_nu/dq'_j - lambda_nu E_j(f_nu)
            defect[j] = expr_sub_product(p, defect[j], rate, slope[j]);
            defect[j] = expr_sub_product(p, defect[j], lambda, turning[j]);
        }
        r[s->n + nu] = (residual){expr_neg(p, expr_ddt(p, s->phi[nu])), RESIDUAL_CONSTRAINT, nu};
        unknown[s->n + nu] = rate;
    }
    for (uint32_t j = 0; j < s->n; j++) {
        r[j] = (residual){defect[j], RESIDUAL_MOTION, j};
        unknown[j] = s->qdd[j];
    }
    eq->unknown_count = total;
    eq->unknown = unknown;
    eq->residual = r;
    eq->multipliers_are_state = true;
}

const formalism formalism_vakonomic = {
    .id = "vakonomic",
    .name = "Vakonomic motion",
    .paper = "Kozlov 1982; RS 1.4, (1.4)",
    .formula = "E_j(L) - Q_j = sum_nu (lambda'_nu df_nu/dq'_j + lambda_nu E_j(f_nu)), f_nu = 0",
    .latex = "E_{j}(L) - Q_{j} = \\sum_{\\nu} \\left(\\dot{\\lambda}_{\\nu} \\frac{\\partial "
             "f_{\\nu}}{\\partial \\dot{q}_{j}} + \\lambda_{\\nu} E_{j}(f_{\\nu})\\right), \\quad "
             "f_{\\nu} = 0",
    .history = "Kozlov (1982) took the variational problem at its word: the action is stationary "
               "among the motions that satisfy the constraints. Its multipliers have initial "
               "values of their own, and for nonholonomic constraints the motion is another one.",
    .use = "For optimal control and sub-Riemannian geometry, where it is right; for wheels and "
           "blades it is a hypothesis to be compared: `hamel compare MODEL maggi vakonomic`.",
    .applies = "constraints on velocities",
    .mechanics = "vakonomic",
    .refusal = refusal_unless_constraints,
    .derive = derive,
};
