// The Cartesian approach (RS 3.1, (3.2)-(3.5)): velocities are a field, q' = v(q), not part of the
// state. The constraints Omega_1 .. Omega_M and the 1-forms that the model states with `cartesian`
// fix it, Omega_j(v) = 0 for j <= M and Omega_j(v) = E_j beyond: v = M^-1 E. With the metric G of
// T, sigma = sum G_jk v^j dq^k and iota_v d sigma = sum_j Lambda_j Omega_j:
//   q' = v,   Lambda_j = 0 for j > M (RS (3.3)),
//   E_k(T) = dU/dq_k + sum_{j<=M} Lambda_j Omega_jk,   U = |v|^2/2 (RS (3.4)).
// On q' = v, q'' = dv/dt this says E_k(T) = dU/dq_k + (iota_v d sigma)_k, which is an identity:
// where the conditions hold, v carries the motion (3.4).
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/lagrange.h"
#include "derive/sample_pivots.h"
#include "expr/matrix.h"
#include "expr/vanish.h"
#include "normal/normal.h"

typedef struct {
    const mechanics *s;
    pool *p;
    arena *arena;
    expr *form;             // n x n: Omega_jk, the constraints first
    expr *given;            // n: 0, then E_j
    uint32_t *row, *column; // pivots of the matrix of the forms
    expr *metric;           // n x n: G
    expr *v, *sigma;        // n: v^k, v_k
    expr energy;            // U
    expr *lambda;           // n: Lambda_j
} field;

static field field_of(const mechanics *s) {
    field f = {.s = s, .p = s->pool, .arena = &s->model->ctx->arena};
    f.form = arena_array(f.arena, expr, s->n * s->n), f.given = arena_array(f.arena, expr, s->n);
    f.row = arena_array(f.arena, uint32_t, s->n), f.column = arena_array(f.arena, uint32_t, s->n);
    f.metric = arena_array(f.arena, expr, s->n * s->n);
    expr *momentum = arena_array(f.arena, expr, s->n);
    for (uint32_t j = 0; j < s->n; j++) {
        const cartesian_form *stated = j < s->k ? NULL : &s->model->cartesians[j - s->k];
        expr_gradient(f.p, stated ? stated->form : s->phi[j], s->n, s->qd, f.form + j * s->n);
        f.given[j] = stated ? stated->value : EXPR_ZERO;
    }
    expr_gradient(f.p, s->kinetic, s->n, s->qd, momentum);
    expr_jacobian(f.p, s->n, momentum, s->n, s->qd, f.metric);
    return f;
}

// --- hypotheses ----------------------------------------------------------------------------------

static const char *constraint_fault(const mechanics *s) {
    for (uint32_t i = 0; i < s->k; i++) {
        const constraint *c = &s->model->constraints[s->constraint[i]];
        if (!c->linear || !c->homogeneous || c->rheonomic)
            return arena_format(&s->model->ctx->arena,
                                "constraint `%s` is no 1-form: linear and homogeneous in the "
                                "velocities, free of time",
                                c->name);
    }
    return NULL;
}

// T = 1/2 sum G_jk(q) q'_j q'_k, up to a function of q that counts as a potential.
static bool is_metric(const field *f) {
    const mechanics *s = f->s;
    const normal_budget budget = normal_budget_default();
    for (uint32_t i = 0; i < s->n * s->n; i++) {
        if (expr_depends_on_time(f->p, f->metric[i])) return false;
        for (uint32_t j = 0; j < s->n; j++)
            if (normal_depends_on(f->p, f->metric[i], s->qd[j])) return false;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        const expr at_rest = expr_at_zero(f->p, expr_diff(f->p, s->kinetic, s->qd[i]), s->n, s->qd);
        if (normal_is_zero(f->p, at_rest, &budget) != NORMAL_YES) return false;
    }
    return true;
}

static const char *refusal(const mechanics *s) {
    arena *a = &s->model->ctx->arena;
    const uint32_t stated = s->model->cartesians_count;
    if (!stated) return "the model states no 1-forms: `cartesian FORM = E`";
    const char *fault = constraint_fault(s);
    if (fault) return fault;
    if (s->k + stated != s->n)
        return arena_format(a, "%u constraint%s and %u `cartesian` form%s do not fix %u velocities",
                            s->k, s->k == 1 ? "" : "s", stated, stated == 1 ? "" : "s", s->n);
    const field f = field_of(s);
    if (!is_metric(&f))
        return "T is no metric: it must be quadratic in the velocities, with coefficients of the "
               "coordinates alone";
    return sample_pivots_find(s, s->n, f.form, f.row, f.column) < s->n
               ? "the 1-forms are not independent at the initial state"
               : NULL;
}

// --- the field -----------------------------------------------------------------------------------

// matrix x = r: in normal form where that stays small, by elimination otherwise.
static void solve(const field *f, const expr *matrix, const uint32_t *row, const uint32_t *column,
                  const expr *r, expr *x) {
    const uint32_t n = f->s->n;
    const normal_budget budget = normal_budget_default();
    expr *unknown = arena_array(f->arena, expr, n), *residual = arena_array(f->arena, expr, n);
    for (uint32_t i = 0; i < n; i++) unknown[i] = expr_symbol(f->p, "x", ROLE_LOCAL);
    for (uint32_t i = 0; i < n; i++)
        residual[i] = expr_sub(f->p, expr_dot(f->p, n, matrix + i * n, unknown), r[i]);
    if (!normal_solve(f->p, n, residual, unknown, &budget, x))
        matrix_solve(f->p, n, matrix, 1, r, row, column, x);
}

// The coefficients c of a covector in the forms: sum_j c_j Omega_jk = covector_k.
static void in_forms(const field *f, const expr *covector, expr *c) {
    const uint32_t n = f->s->n;
    expr *transposed = arena_array(f->arena, expr, n * n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) transposed[i * n + j] = f->form[j * n + i];
    solve(f, transposed, f->column, f->row, covector, c);
}

static void find_field(field *f) {
    const mechanics *s = f->s;
    const uint32_t n = s->n;
    f->v = arena_array(f->arena, expr, n), f->sigma = arena_array(f->arena, expr, n),
    f->lambda = arena_array(f->arena, expr, n);
    sample_pivots_find(s, n, f->form, f->row, f->column);
    solve(f, f->form, f->row, f->column, f->given, f->v); // Omega_j(v) = 0 or E_j
    for (uint32_t k = 0; k < n; k++)                      // sigma_k = sum_j G_kj v^j
        f->sigma[k] = expr_dot(f->p, n, f->metric + k * n, f->v);
    f->energy = expr_mul(f->p, EXPR_HALF, expr_dot(f->p, n, f->sigma, f->v)); // U = |v|^2/2
    // (iota_v d sigma)_k = sum_j v^j (d sigma_k/dq_j - d sigma_j/dq_k)
    expr *slope = arena_array(f->arena, expr, n * n), *contraction = arena_array(f->arena, expr, n);
    expr_jacobian(f->p, n, f->sigma, n, s->q, slope);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t j = 0; j < n; j++) {
            const expr curl = expr_sub(f->p, slope[k * n + j], slope[j * n + k]);
            contraction[k] = expr_add_product(f->p, contraction[k], f->v[j], curl);
        }
    in_forms(f, contraction, f->lambda); // iota_v d sigma = sum_j Lambda_j Omega_j
}

// --- what is said about it -----------------------------------------------------------------------

static void define_all(equations *eq, const field *f, const expr *reaction) {
    const mechanics *s = f->s;
    for (uint32_t k = 0; k < s->n; k++)
        equations_define(eq, arena_format(f->arena, "v[%s]", expr_symbol_name(s->pool, s->q[k])),
                         arena_format(f->arena, "v^{%s}", ingredient_base_latex(s, s->q[k])),
                         f->v[k]);
    equations_define(eq, "U", "U", f->energy);
    for (uint32_t j = 0; j < s->n; j++)
        equations_define(eq, arena_format(f->arena, "Lambda[%u]", j + 1),
                         arena_format(f->arena, "\\Lambda_{%u}", j + 1), f->lambda[j]);
    for (uint32_t k = 0; k < s->n && s->k; k++)
        equations_define(eq,
                         arena_format(f->arena, "reaction[%s]", expr_symbol_name(s->pool, s->q[k])),
                         arena_format(f->arena, "\\sum_{j\\le %u}\\Lambda_j\\Omega_{j,%s}", s->k,
                                      ingredient_base_latex(s, s->q[k])),
                         reaction[k]);
}

// By normal form; where that is too long, in F_p and at real points
static normal_truth is_zero(const field *f, expr e) {
    const normal_budget budget = normal_budget_default();
    const normal_truth truth = normal_is_zero(f->p, e, &budget);
    if (truth != NORMAL_UNKNOWN) return truth;
    if (expr_all_vanish(f->p, 1, &e)) return NORMAL_YES;
    return expr_differs_from_zero(f->p, e) ? NORMAL_NO : NORMAL_UNKNOWN;
}

// Do the entries beyond the constraints vanish? *which is the first that does not.
static normal_truth vanish_beyond_constraints(const field *f, const expr *c, uint32_t *which) {
    normal_truth all = NORMAL_YES;
    for (uint32_t j = f->s->k; j < f->s->n; j++) {
        const normal_truth zero = is_zero(f, c[j]);
        if (zero == NORMAL_NO) *which = j;
        if (zero == NORMAL_NO) return NORMAL_NO;
        if (zero == NORMAL_UNKNOWN) all = NORMAL_UNKNOWN;
    }
    return all;
}

static void remark(equations *eq, const field *f, const expr *inertia, const expr *slope) {
    const mechanics *s = f->s;
    uint32_t which = 0;
    const normal_truth conditions = vanish_beyond_constraints(f, f->lambda, &which);
    const char *range = s->k + 1 < s->n
                            ? arena_format(f->arena, "Lambda_j = 0, j = %u .. %u,", s->k + 1, s->n)
                            : arena_format(f->arena, "Lambda_%u = 0", s->n);
    if (conditions == NORMAL_YES)
        ingredient_remark(eq, arena_format(f->arena, "the conditions %s hold identically", range));
    if (conditions == NORMAL_NO)
        ingredient_remark(eq, arena_format(f->arena,
                                           "the conditions %s fail: Lambda[%u] is not 0, and q' = "
                                           "v is no motion of these equations",
                                           range, which + 1));
    if (conditions == NORMAL_UNKNOWN)
        ingredient_remark(
            eq, arena_format(f->arena, "whether the conditions %s hold is not decided", range));
    if (conditions != NORMAL_YES) return;
    // Is dU/dq the active force of the model, up to reactions?
    expr *gap = arena_array(f->arena, expr, s->n), *defect = arena_array(f->arena, expr, s->n),
         *c = arena_array(f->arena, expr, s->n);
    lagrange_defect(s, defect);
    for (uint32_t k = 0; k < s->n; k++) {
        const expr active =
            expr_replace(f->p, expr_sub(f->p, inertia[k], defect[k]), s->n, s->qd, f->v);
        gap[k] = expr_sub(f->p, active, slope[k]);
    }
    in_forms(f, gap, c);
    static const char *const words[] = {
        [NORMAL_YES] =
            "dU/dq does the work of the model's own forces: q' = v is one of its classical motions",
        [NORMAL_NO] = ("dU/dq does not do the work of the model's own forces: q' = v is none of "
                       "its classical motions"),
        [NORMAL_UNKNOWN] = "whether dU/dq does the work of the model's own forces is not decided"};
    ingredient_remark(eq, words[vanish_beyond_constraints(f, c, &which)]);
}

static void derive(const mechanics *s, equations *eq) {
    field f = field_of(s);
    find_field(&f);
    pool *p = f.p;
    const uint32_t n = s->n;
    expr *inertia = arena_array(f.arena, expr, n), *slope = arena_array(f.arena, expr, n),
         *reaction = arena_array(f.arena, expr, n);
    expr *momentum = arena_array(f.arena, expr, n), *recovery = arena_array(f.arena, expr, s->k);
    residual *r = arena_array(f.arena, residual, n);
    for (uint32_t k = 0; k < n; k++) momentum[k] = expr_dot(p, n, f.metric + k * n, s->qd);
    const expr kinetic = expr_mul(p, EXPR_HALF, expr_dot(p, n, momentum, s->qd));
    expr_gradient(p, f.energy, n, s->q, slope);
    for (uint32_t k = 0; k < n; k++) {
        // E_k(T)
        inertia[k] = expr_sub(p, expr_ddt(p, momentum[k]), expr_diff(p, kinetic, s->q[k]));
        for (uint32_t j = 0; j < s->k; j++) // sum_{j<=M} Lambda_j Omega_jk
            reaction[k] = expr_add_product(p, reaction[k], f.lambda[j], f.form[j * n + k]);
        const expr on_field = expr_replace(p, inertia[k], n, s->qd, f.v);
        r[k] = (residual){expr_sub(p, on_field, expr_add(p, slope[k], reaction[k])),
                          RESIDUAL_MOTION, k};
        // whatever q' a state has, this is its velocity
        list_push(eq, auxiliaries, (auxiliary){s->qd[k], f.v[k]});
    }
    for (uint32_t j = 0; j < s->k; j++) recovery[j] = expr_sub(p, s->multiplier[j], f.lambda[j]);
    if (ingredient_wanted(s)) define_all(eq, &f, reaction);
    else ingredient_leave_out(eq, "v, U, Lambda, reaction");
    remark(eq, &f, inertia, slope);
    eq->unknown_count = n;
    eq->unknown = s->qdd;
    eq->residual = r;
    eq->symmetric = true;
    eq->explicit_velocities = true;
    eq->velocity = f.v;
    eq->recovery = recovery;
}

const formalism formalism_cartesian = {
    .id = "cartesian",
    .name = "Cartesian approach",
    .paper = "Descartes 1644, Sadovskaia; RS 3.1, (3.2)-(3.5)",
    .formula = "q' = v(q), Omega_j(v) = 0 or E_j; Lambda_j = 0 for j > M; E_k(T) = dU/dq_k + "
               "sum_{j<=M} Lambda_j Omega_jk, U = |v|^2/2",
    .latex = "\\dot{q} = v(q), \\quad E_{k}(T) = \\frac{\\partial U}{\\partial q_{k}} + \\sum_{j "
             "\\le M} \\Lambda_{j} \\Omega_{jk}, \\quad U = \\tfrac{1}{2} \\left|v\\right|^{2}",
    .history = "Sadovskaia reads Descartes: a mechanical system is a field of velocities. Given "
               "1-forms turn the second-order equations into first-order ones for the field.",
    .use = "For inverse problems: which forces make a given family of curves motions?",
    .lists = "v[q], U = |v|^2/2, Lambda[j], and with constraints the reaction[q] = sum_{j<=M} "
             "Lambda_j Omega_jq",
    .applies = "1-forms stated with `cartesian` that complete linear homogeneous stationary "
               "constraints; T a metric",
    .mechanics = "cartesian",
    .refusal = refusal,
    .derive = derive,
};
