// Voronec's equations, for constraints solved for the dependent velocities: nonlinear and
// rheonomic, q'_{m+nu} = alpha_nu(q, q'_1..q'_m, t) (T18 (20)-(21)), and linear or affine ones
// (T18 (23), M (15)). Both are
//   d/dt dT*/dq'_i - dT*/dq_i - sum_nu dT*/dq_{m+nu} dalpha_nu/dq'_i
//   - sum_nu B_i^nu (dT/dq'_{m+nu})* = F*_i,
// and differ in the way to B, the coefficient of the momentum: from d/dt of dalpha/dq', or from the
// curl of the coefficients.
#include "derive/voronec.h"

#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/refusal.h"

// d/dt dT*/dq'_i - dT*/dq_i - sum_nu dT*/dq_{m+nu} dalpha_nu/dq'_i - F*_i, i = 1 .. m: what both of
// Voronec's forms share, and all there is where the constraints are integrable
static void common_part(const manifold *m, expr *value) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    expr *momentum = arena_array(a, expr, s->m), *position = arena_array(a, expr, s->n),
         *force = arena_array(a, expr, s->m);
    manifold_eta_gradient(m, m->kinetic, momentum); // dT*/dq'_i
    manifold_q_gradient(m, m->kinetic, position);   // dT*/dq_j
    manifold_force(m, force);                       // F*_i
    for (uint32_t i = 0; i < s->m; i++) {
        value[i] = expr_sub(p, manifold_rate(m, momentum[i]), position[s->independent[i]]);
        for (uint32_t nu = 0; nu < s->k; nu++) { // - dT*/dq_{m+nu} dalpha_nu/dq'_i
            const uint32_t dependent = s->dependent[nu];
            value[i] =
                expr_sub_product(p, value[i], position[dependent], manifold_basis(m, dependent, i));
        }
        value[i] = expr_sub(p, value[i], force[i]);
    }
}

// .. - sum_nu B_i^nu (dT/dq'_{m+nu})*, and delivered
static void finish(equations *eq, const manifold *m, expr *value, const expr *coefficient) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    expr *momentum = arena_array(&s->model->ctx->arena, expr, s->n);
    expr_gradient(p, m->kinetic, s->n, s->qd, momentum);
    for (uint32_t i = 0; i < s->m; i++)
        for (uint32_t nu = 0; nu < s->k; nu++) {
            const expr p_star = manifold_star(m, momentum[s->dependent[nu]]);
            value[i] = expr_sub_product(p, value[i], coefficient[i * s->k + nu], p_star);
        }
    equations_define(eq, "T*", "T^*", manifold_star(m, m->kinetic));
    deliver_projected(eq, m, value);
}

// --- nonlinear -----------------------------------------------------------------------------------

// B_i^nu = d/dt(dalpha_nu/dq'_i) - dalpha_nu/dq_i - sum_mu dalpha_mu/dq'_i dalpha_nu/dq_{m+mu}
static void derive(const mechanics *given, equations *eq) {
    const mechanics s = mechanics_without_quasi(given);
    pool *p = s.pool;
    arena *a = &s.model->ctx->arena;
    const manifold m = manifold_create(&s);
    expr *value = arena_array(a, expr, s.m), *coefficient = arena_array(a, expr, s.m * s.k);
    // dV_i/dq_j; the rows of the dependent velocities are dalpha/dq
    expr *alpha_q = arena_array(a, expr, s.n * s.n);
    common_part(&m, value);
    manifold_velocity_jacobian(&m, alpha_q);
    ingredient_define_alpha(eq, &m);
    for (uint32_t i = 0; i < s.m; i++)
        for (uint32_t nu = 0; nu < s.k; nu++) {
            const uint32_t row = s.dependent[nu];
            expr b = expr_sub(p, manifold_rate(&m, manifold_basis(&m, row, i)),
                              alpha_q[row * s.n + s.independent[i]]);
            for (uint32_t mu = 0; mu < s.k; mu++) // - dalpha_mu/dq'_i dalpha_nu/dq_{m+mu}
                b = expr_sub_product(p, b, manifold_basis(&m, s.dependent[mu], i),
                                     alpha_q[row * s.n + s.dependent[mu]]);
            coefficient[i * s.k + nu] = b;
            equations_define(eq, arena_format(a, "B[%u,%u]", i + 1, nu + 1),
                             arena_format(a, "B_{%u}^{%u}", i + 1, nu + 1), b);
        }
    finish(eq, &m, value, coefficient);
}

const formalism formalism_voronec = {
    .id = "voronec",
    .name = "Voronec's equations, nonlinear constraints",
    .paper = "Voronec 1901; T18 (20)-(21)",
    .formula = "d/dt dT*/dq'_i - dT*/dq_i - sum_nu dT*/dq_{m+nu} dalpha_nu/dq'_i - sum_nu B_i^nu "
               "(dT/dq'_{m+nu})* = F*_i",
    .latex = "\\tfrac{d}{dt} \\frac{\\partial T^{*}}{\\partial \\dot{q}_{i}} - \\frac{\\partial "
             "T^{*}}{\\partial q_{i}} - \\sum_{\\nu} \\frac{\\partial T^{*}}{\\partial q_{m+\\nu}} "
             "\\frac{\\partial \\alpha_{\\nu}}{\\partial \\dot{q}_{i}} - \\sum_{\\nu} B_{i}^{\\nu} "
             "\\left(\\frac{\\partial T}{\\partial \\dot{q}_{m+\\nu}}\\right)^{*} = F^{*}_{i}",
    .history = "The equations of 1901 for constraints that are nonlinear in the velocities and "
               "move with time, as Talamucci (2018) sets them up.",
    .use = "For nonlinear constraints, Appell's particle among them, without choosing "
           "quasi-velocities. The functions alpha need no closed form.",
    .lists = "alpha[nu], dalpha[nu]/dq'_i, T*, B[i,nu] = d/dt dalpha_nu/dq'_i - dalpha_nu/dq_i - "
             "sum_mu dalpha_mu/dq'_i dalpha_nu/dq_mu",
    .applies = "always",
    .refusal = refusal_never,
    .derive = derive,
};

// --- linear and affine ---------------------------------------------------------------------------

// alpha_nu = sum_i alpha_nu,i(q,t) q'_i + alpha_nu,0(q,t). Index m stands for 0, the part free of
// velocities.
typedef struct {
    const mechanics *s;
    expr *alpha;   // k x (m + 1): alpha_nu,1 .. alpha_nu,m, alpha_nu,0
    expr *alpha_q; // the same, each differentiated in all q: [(nu*(m+1) + i)*n + j]
} table;

// dalpha_nu,i/dq_j
static expr derivative(const table *t, uint32_t nu, uint32_t i, uint32_t coordinate) {
    return t->alpha_q[((size_t)nu * (t->s->m + 1) + i) * t->s->n + coordinate];
}

static table alpha_table(const manifold *m) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t width = s->m + 1;
    table t = {s, arena_array(a, expr, s->k * width), arena_array(a, expr, s->k * width * s->n)};
    for (uint32_t nu = 0; nu < s->k; nu++) {
        for (uint32_t i = 0; i < s->m; i++)
            t.alpha[nu * width + i] = manifold_basis(m, s->dependent[nu], i);
        t.alpha[nu * width + s->m] = // alpha_nu where the independent velocities are 0
            expr_at_zero(p, m->v.velocity[s->dependent[nu]], s->m, s->eta);
    }
    expr_jacobian(p, s->k * width, t.alpha, s->n, s->q, t.alpha_q);
    return t;
}

// beta^nu_ir = dalpha_nu,i/dq_r - dalpha_nu,r/dq_i
//   + sum_mu (alpha_mu,r dalpha_nu,i/dq_{m+mu} - alpha_mu,i dalpha_nu,r/dq_{m+mu});
// for r = 0 the explicit rate dalpha_nu,i/dt stands in the place of the first term.
static expr beta(const table *t, uint32_t nu, uint32_t i, uint32_t r) {
    const mechanics *s = t->s;
    pool *p = s->pool;
    const uint32_t width = s->m + 1;
    expr b = expr_neg(p, derivative(t, nu, r, s->independent[i]));
    if (r < s->m) b = expr_add(p, b, derivative(t, nu, i, s->independent[r]));
    else b = expr_add(p, b, mechanics_explicit_rate(s, t->alpha[nu * width + i]));
    for (uint32_t mu = 0; mu < s->k; mu++) {
        const uint32_t z = s->dependent[mu];
        b = expr_add_product(p, b, t->alpha[mu * width + r], derivative(t, nu, i, z));
        b = expr_sub_product(p, b, t->alpha[mu * width + i], derivative(t, nu, r, z));
    }
    return b;
}

// Do all beta vanish, with the part free of velocities? Then the constraints are integrable
// (Frobenius; T18, end of section 3).
static normal_truth beta_vanishes(const table *t) {
    const mechanics *s = t->s;
    const normal_budget budget = normal_budget_default();
    normal_truth all = NORMAL_YES;
    for (uint32_t nu = 0; nu < s->k; nu++)
        for (uint32_t i = 0; i < s->m; i++)
            for (uint32_t r = i + 1; r <= s->m; r++) { // antisymmetric in i, r
                const normal_truth zero = normal_is_zero(s->pool, beta(t, nu, i, r), &budget);
                if (zero == NORMAL_NO) return NORMAL_NO;
                if (zero != NORMAL_YES) all = NORMAL_UNKNOWN;
            }
    return all;
}

normal_truth voronec_beta_vanishes(const mechanics *given) {
    const mechanics s = mechanics_without_quasi(given);
    if (!ingredient_wanted(&s) || refusal_unless_linear_constraints(&s)) return NORMAL_UNKNOWN;
    const manifold m = manifold_create(&s);
    const table t = alpha_table(&m);
    return beta_vanishes(&t);
}

// beta^nu_i0 + sum_r beta^nu_ir q'_r; the beta are listed
static expr turning(const table *t, equations *eq, uint32_t nu, uint32_t i) {
    const mechanics *s = t->s;
    arena *a = &s->model->ctx->arena;
    expr sum = beta(t, nu, i, s->m);
    if (sum != EXPR_ZERO)
        equations_define(eq, arena_format(a, "beta[%u;%u,0]", nu + 1, i + 1),
                         arena_format(a, "\\beta^{%u}_{%u0}", nu + 1, i + 1), sum);
    for (uint32_t r = 0; r < s->m; r++) {
        const expr b = beta(t, nu, i, r);
        sum = expr_add_product(s->pool, sum, b, s->eta[r]);
        if (b != EXPR_ZERO)
            equations_define(eq, arena_format(a, "beta[%u;%u,%u]", nu + 1, i + 1, r + 1),
                             arena_format(a, "\\beta^{%u}_{%u%u}", nu + 1, i + 1, r + 1), b);
    }
    return sum;
}

static void derive_linear(const mechanics *given, equations *eq) {
    const mechanics s = mechanics_without_quasi(given);
    arena *a = &s.model->ctx->arena;
    const manifold m = manifold_create(&s);
    const table t = alpha_table(&m);
    expr *value = arena_array(a, expr, s.m), *coefficient = arena_array(a, expr, s.m * s.k);
    common_part(&m, value);
    ingredient_define_alpha(eq, &m);
    for (uint32_t i = 0; i < s.m; i++)
        for (uint32_t nu = 0; nu < s.k; nu++) coefficient[i * s.k + nu] = turning(&t, eq, nu, i);
    finish(eq, &m, value, coefficient);
    if (s.k && ingredient_wanted(&s) && beta_vanishes(&t) == NORMAL_YES)
        ingredient_remark(
            eq, "integrable constraints: beta = 0, the motion is Lagrangian on each leaf, d/dt "
                "dT*/dq'_i - dT*/dq_i - sum_nu alpha_nu,i dT*/dq_{m+nu} = F*_i");
}

const formalism formalism_voronec_linear = {
    .id = "voronec-linear",
    .name = "Voronec's equations, linear constraints",
    .paper = "Voronec 1901; T18 (23), M (15)",
    .formula = "d/dt dT*/dq'_i - dT*/dq_i - sum_nu alpha_nu,i dT*/dq_{m+nu} - sum_nu (sum_r "
               "beta^nu_ir q'_r + beta^nu_i0) (dT/dq'_{m+nu})* = F*_i",
    .latex = "\\tfrac{d}{dt} \\frac{\\partial T^{*}}{\\partial \\dot{q}_{i}} - \\frac{\\partial "
             "T^{*}}{\\partial q_{i}} - \\sum_{\\nu} \\alpha_{\\nu,i} \\frac{\\partial "
             "T^{*}}{\\partial q_{m+\\nu}} - \\sum_{\\nu} \\left(\\sum_{r} \\beta^{\\nu}_{ir} "
             "\\dot{q}_{r} + \\beta^{\\nu}_{i0}\\right) \\left(\\frac{\\partial T}{\\partial "
             "\\dot{q}_{m+\\nu}}\\right)^{*} = F^{*}_{i}",
    .history = "Voronec freed Chaplygin's equations in 1901 from the demand that the dependent "
               "coordinates be absent. Affine and rheonomic constraints need the coefficients beta "
               "with index 0, which the literature often forgets.",
    .use = "For constraints linear or affine in the velocities. All beta vanish exactly where the "
           "constraints are integrable.",
    .lists = "alpha[nu], dalpha[nu]/dq'_i, T*, beta[nu;i,r], and beta[nu;i,0], the part free of "
             "velocities",
    .applies = "constraints linear or affine in the velocities",
    .refusal = refusal_unless_linear_constraints,
    .derive = derive_linear,
};
