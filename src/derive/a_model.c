// The A-model (RS 2.13-2.20): Hamilton's principle with transpositional relations that need not
// vanish. With rows L_1 .. L_n (the constraints, then supplementary functions) W = dL/dq', E(L) =
// (E_j(L_i)), A^T = W^-1 E(L) (2.16), and p = dL_0/dq' the motion is (2.17)
//   E_k(L_0) - Q_k = sum_j A_k^j p_j + sum_nu lambda_nu dPhi_nu/dq'_k,   Phi_nu = 0,
// lambda being what RS writes as a rate. Case a): the supplementary rows are d/dt f_s, s = 1 .. m.
// Case b): d/dt f_s for s < m, and the last row of W is p with a last row of E(L) that vanishes, so
// that A p = 0: the classical motion with transpositional relations of its own.
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/lagrange.h"
#include "derive/refusal.h"
#include "derive/sample_pivots.h"
#include "derive/transposition.h"
#include "expr/matrix.h"

typedef struct {
    bool with_momentum;      // case b)
    uint32_t function_count; // m, or m - 1 in case b)
    const expr *function;    // f_s(q, t)
} supplement;

// What completes the constraints: the functions the model states, else the independent coordinates.
static supplement supplement_of(const mechanics *s, bool case_b) {
    const model *m = s->model;
    const bool stated = m->supplementary_count > 0;
    supplement u = {.with_momentum = case_b || (stated && m->supplementary_count + 1 == s->m)};
    u.function_count = u.with_momentum ? s->m - 1 : s->m;
    expr *f = arena_array(&m->ctx->arena, expr, u.function_count);
    for (uint32_t i = 0; i < u.function_count && (!stated || i < m->supplementary_count); i++)
        f[i] = stated ? m->supplementary[i] : s->q[s->independent[i]];
    u.function = f;
    return u;
}

// W, row by row: dPhi_nu/dq', df_s/dq (which is d(df_s/dt)/dq'), p.
static void fill_w(const mechanics *s, const supplement *u, expr *w) {
    const uint32_t n = s->n;
    for (uint32_t i = 0; i < s->k * n; i++) w[i] = mechanics_slopes(s)[i];
    expr_jacobian(s->pool, u->function_count, u->function, n, s->q, w + s->k * n);
    if (u->with_momentum) expr_gradient(s->pool, s->lagrangian, n, s->qd, w + (n - 1) * n);
}

// L_1 .. L_n
static const expr *rows_of(const mechanics *s, const supplement *u) {
    expr *row = arena_array(&s->model->ctx->arena, expr, s->n);
    for (uint32_t i = 0; i < s->k; i++) row[i] = s->phi[i];
    for (uint32_t i = 0; i < u->function_count; i++)
        row[s->k + i] = expr_ddt(s->pool, u->function[i]);
    if (u->with_momentum) row[s->n - 1] = s->lagrangian;
    return row;
}

// E(L): E_j(d/dt f(q, t)) = 0, so only the constraints have rows.
static void fill_e(const mechanics *s, expr *e) {
    for (uint32_t i = 0; i < s->n * s->n; i++) e[i] = EXPR_ZERO;
    for (uint32_t nu = 0; nu < s->k; nu++) lagrange_derivatives(s, s->phi[nu], e + nu * s->n);
}

static const char *refusal_of(const mechanics *s, bool case_b) {
    const model *m = s->model;
    arena *a = &m->ctx->arena;
    if (refusal_unless_constraints(s)) return refusal_unless_constraints(s);
    const supplement u = supplement_of(s, case_b);
    if (m->supplementary_count && m->supplementary_count < u.function_count)
        return arena_format(a, "it needs %u supplementary function%s, the model states %u",
                            u.function_count, u.function_count == 1 ? "" : "s",
                            m->supplementary_count);
    if (m->supplementary_count > s->m)
        return arena_format(a, "there is room for %u supplementary functions, the model states %u",
                            s->m, m->supplementary_count);
    for (uint32_t i = 0; i < u.function_count; i++)
        if (expr_order(s->pool, u.function[i]) > 0)
            return "a supplementary function depends on velocities";
    expr *w = arena_array(a, expr, s->n * s->n);
    uint32_t *row = arena_array(a, uint32_t, s->n), *column = arena_array(a, uint32_t, s->n);
    fill_w(s, &u, w);
    if (sample_pivots_find(s, s->n, w, row, column) < s->n)
        return "W is singular at the initial state: state other `supplementary` functions";
    return NULL;
}

// W^-1 E(L)
static expr *transposition_of(const mechanics *s, const expr *w, const expr *e) {
    arena *a = &s->model->ctx->arena;
    expr *x = arena_array(a, expr, s->n * s->n);
    uint32_t *row = arena_array(a, uint32_t, s->n), *column = arena_array(a, uint32_t, s->n);
    sample_pivots_find(s, s->n, w, row, column);
    matrix_solve(s->pool, s->n, w, s->n, e, row, column, x);
    for (uint32_t i = 0; i < s->n * s->n; i++) x[i] = ingredient_simplify(s, x[i]);
    return x;
}

static void derive_case(const mechanics *s, equations *eq, bool case_b) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t n = s->n;
    const supplement u = supplement_of(s, case_b);
    expr *w = arena_array(a, expr, n * n), *e = arena_array(a, expr, n * n);
    expr *value = arena_array(a, expr, n), *momentum = arena_array(a, expr, n);
    fill_w(s, &u, w);
    fill_e(s, e);
    const expr *transposition = transposition_of(s, w, e); // A^T = W^-1 E(L)
    expr_gradient(p, s->lagrangian, n, s->qd, momentum);   // p_j = dL_0/dq'_j
    lagrange_defect(s, value);                             // E_k(L_0) - Q_k
    for (uint32_t k = 0; k < n; k++) {                     // - sum_j A_k^j p_j
        const expr work = expr_dot_column(p, n, momentum, transposition, n, k);
        value[k] = expr_sub(p, value[k], ingredient_simplify(s, work));
    }
    deliver_with_multipliers(eq, value);
    transposition_define(eq, rows_of(s, &u), w, e, transposition, true);
    transposition_define_inertia(eq);
    ingredient_remark(eq, u.with_momentum
                              ? "case b): the last row of W is the momentum, and A p = 0"
                              : "case a): the supplementary functions complete W");
}

static const char *refusal(const mechanics *s) { return refusal_of(s, false); }
static const char *refusal_b(const mechanics *s) { return refusal_of(s, true); }
static void derive(const mechanics *s, equations *eq) { derive_case(s, eq, false); }
static void derive_b(const mechanics *s, equations *eq) { derive_case(s, eq, true); }

const formalism formalism_a_model = {
    .id = "a-model",
    .name = "Equations of the A-model",
    .paper = "Ramirez-Sadovskaia; RS 2.2, (2.16)-(2.20)",
    .formula =
        "W A^T = E(L), E_k(L_0) - Q_k = sum_j A_k^j dL_0/dq'_j + sum_nu lambda_nu dPhi_nu/dq'_k",
    .latex = "W A^{T} = E(L), \\quad E_{k}(L_{0}) - Q_{k} = \\sum_{j} A_{k}^{j} \\frac{\\partial "
             "L_{0}}{\\partial \\dot{q}_{j}} + \\sum_{\\nu} \\lambda_{\\nu} \\frac{\\partial "
             "\\Phi_{\\nu}}{\\partial \\dot{q}_{k}}",
    .history = "Ramirez and Sadovskaia keep Hamilton's principle but let variation and "
               "differentiation not commute: the transpositional relations are a matrix A found "
               "from the constraints and supplementary functions.",
    .use = "To study variational models of nonholonomic motion and their transpositional "
           "relations. It is a mechanics of its own unless proved equal.",
    .lists = "W[i,j] = dL_i/dq'_j of the rows L (constraints, then supplementary functions), "
             "E[i,j] = E_j(L_i), A[i,j] = (W^-1 E)_ji, det W; G[i,j] = d/dq''_i of equation j "
             "without multipliers, det G",
    .applies = "constraints on velocities and enough supplementary functions; case b) where the "
               "model states one function fewer",
    .mechanics = "a-model",
    .multiplier_is_rate = true,
    .refusal = refusal,
    .derive = derive,
};

const formalism formalism_a_model_b = {
    .id = "a-model-b",
    .name = "Equations of the A-model, case b)",
    .paper = "Ramirez-Sadovskaia; RS (2.14), 3.2, (3.8)-(3.10)",
    .formula = "as a-model, with dL_0/dq' for the last row of W and 0 for that of E(L)",
    .latex = "W A^{T} = E(L), \\quad W_{n} = \\frac{\\partial L_{0}}{\\partial \\dot{q}}, \\quad "
             "E_{n} = 0",
    .history =
        "Case b) of Ramirez and Sadovskaia: the last row of W belongs to the Lagrangian itself.",
    .use = "Where the classical motion is wanted from the modified principle: hamel proves this "
           "case equal to it for arbitrary functions.",
    .lists = "as a-model; the last row of W is the momentum, that of E is 0",
    .applies = "constraints on velocities",
    .mechanics = "a-model-b",
    .multiplier_is_rate = true,
    .refusal = refusal_b,
    .derive = derive_b,
};
