// Lagrange-d'Alembert with multipliers (first kind): N_i = sum_nu lambda_nu dPhi_nu/dq'_i together
// with d/dt Phi_nu = 0 (RS 1.2). Constraints of order p = 2 and 3 act along dPhi/dq^(p) (T18,
// conclusions; docs/mathematics.md, section 2.6): one of order 2 determines its multiplier as it
// stands. The multiplier of one of order 3 is part of the state: the equations give q'' = A(q, q',
// lambda, t), and Phi with q'' = A, q''' = dA/dt, which holds lambda', determines lambda'.
#include "derive/formalism.h"
#include "derive/lagrange.h"
#include "derive/refusal.h"
#include "derive/sample_pivots.h"
#include "expr/matrix.h"
#include "normal/normal.h"

// How many of the constraints, the last ones, are of order 3
static uint32_t third_order_count(const mechanics *s) {
    uint32_t count = 0;
    while (count < s->h && mechanics_order(s, s->k + s->h - 1 - count) == 3) count++;
    return count;
}

// Unknowns from residuals affine in them: in normal form while that stays
// small, else by elimination.
static void solve_affine(const mechanics *s, uint32_t count, const expr *value, const expr *unknown,
                         expr *x) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const normal_budget budget = normal_budget_default();
    if (normal_solve(p, count, value, unknown, &budget, x)) return;
    expr *matrix = arena_array(a, expr, count * count), *rest = arena_array(a, expr, count),
         *zero = arena_array(a, expr, count);
    uint32_t *row = arena_array(a, uint32_t, count), *column = arena_array(a, uint32_t, count);
    expr_jacobian(p, count, value, count, unknown, matrix);
    expr_substitute(p, count, unknown, zero, count, value, rest);
    for (uint32_t i = 0; i < count; i++) rest[i] = expr_neg(p, rest[i]);
    sample_pivots_find_rows(s, count, count, matrix, row, column);
    matrix_solve(p, count, matrix, 1, rest, row, column, x);
}

// The equations for lambda' of the constraints of order 3, behind the n of motion and before
// the others; q''' as they use it.
static void add_third_order(const mechanics *s, equations *eq, uint32_t jerks, residual *r,
                            expr *unknown) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t n = s->n, lower = s->k + s->h - jerks, count = n + lower;
    expr *value = arena_array(a, expr, count), *symbol = arena_array(a, expr, count),
         *x = arena_array(a, expr, count);
    for (uint32_t i = 0; i < count; i++) { // those of q'' and the multipliers of lower order alone
        const uint32_t place = i < n ? i : i + jerks;
        value[i] = r[place].value, symbol[i] = unknown[place];
    }
    solve_affine(s, count, value, symbol, x);
    expr *from = arena_array(a, expr, 2 * n), *to = arena_array(a, expr, 2 * n), *jerk = to + n;
    for (uint32_t i = 0; i < n; i++) {
        from[i] = s->qdd[i], to[i] = x[i];
        from[n + i] = expr_symbol_of_order(p, s->q[i], 3);
        jerk[i] = expr_replace(p, expr_ddt(p, x[i]), n, s->qdd, x); // dA/dt
    }
    for (uint32_t j = 0; j < jerks; j++) {
        r[n + j] =
            (residual){expr_replace(p, s->phi[lower + j], 2 * n, from, to), RESIDUAL_MOTION, n + j};
        unknown[n + j] = expr_symbol_derivative(p, s->multiplier[lower + j]);
    }
    eq->jerk = jerk;
}

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t constraints = s->k + s->h, jerks = third_order_count(s),
                   total = s->n + constraints;
    expr *defect = arena_array(a, expr, s->n), *unknown = arena_array(a, expr, total);
    residual *r = arena_array(a, residual, total);
    lagrange_defect(s, defect);           // N_i
    for (uint32_t i = 0; i < s->n; i++) { // N_i - sum_nu lambda_nu dPhi_nu/dq'_i
        r[i] = (residual){expr_sub(p, defect[i], equations_reaction(eq, i)), RESIDUAL_MOTION, i};
        unknown[i] = s->qdd[i];
    }
    for (uint32_t nu = 0; nu < constraints - jerks; nu++) {
        // -dPhi/dt, so that the matrix of (q'', lambda) is symmetric, [M, -A^T; -A, 0];
        // of order 2: -Phi itself
        const expr rate =
            nu < s->k ? expr_neg(p, expr_ddt(p, s->phi[nu])) : expr_neg(p, s->phi[nu]);
        r[s->n + jerks + nu] = (residual){rate, RESIDUAL_CONSTRAINT, nu};
        unknown[s->n + jerks + nu] = s->multiplier[nu];
    }
    if (jerks) add_third_order(s, eq, jerks, r, unknown);
    eq->unknown_count = total;
    eq->unknown = unknown;
    eq->residual = r;
    eq->symmetric = !jerks;
    eq->first_kind = true;
}

const formalism formalism_multipliers = {
    .id = "multipliers",
    .name = "Lagrange-d'Alembert equations with multipliers",
    .paper = "Lagrange 1788; RS 1.2",
    .formula = "N_i = sum_nu lambda_nu dPhi_nu/dq'_i, Phi_nu = 0",
    .latex = "N_{i} = \\sum_{\\nu} \\lambda_{\\nu} \\frac{\\partial \\Phi_{\\nu}}{\\partial "
             "\\dot{q}_{i}}, \\quad \\Phi_{\\nu} = 0",
    .history =
        "Multipliers are Lagrange's (1788) for geometric constraints. Ferrers and Routh carried "
        "them over to rolling in the 1870s; Chetaev's rule, that virtual displacements are those "
        "with zero sum of dPhi/dq' times dq, settles nonlinear constraints.",
    .use =
        "When the reactions themselves are wanted, or the constraints are redundant, or of order 2 "
        "or 3. It has the most unknowns of all forms, and every one of them means something.",
    .applies = "always, up to constraints of order 3",
    .highest_order = 3,
    .refusal = refusal_never,
    .derive = derive,
};
