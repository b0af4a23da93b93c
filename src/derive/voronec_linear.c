// Voronec's equations for constraints q'_{m+nu} = sum_i alpha_nu,i(q,t) q'_i + alpha_nu,0(q,t) (T18
// (23), M (15)). The coefficient of the momentum is sum_r beta^nu_ir q'_r + beta^nu_i0 with
//   beta^nu_ir = dalpha_nu,i/dq_r - dalpha_nu,r/dq_i
//   + sum_mu (alpha_mu,r dalpha_nu,i/dq_{m+mu} - alpha_mu,i dalpha_nu,r/dq_{m+mu}),
// the same with r = 0 plus dalpha_nu,i/dt for the part that is not multiplied by a velocity.
#include "derive/formalism.h"
#include "derive/ingredients.h"
#include "derive/refusals.h"
#include "derive/voronec.h"
#include "normal/normal.h"

typedef struct {
    const mechanics *s;
    expr *alpha;   // k x (m + 1): alpha_nu,1 .. alpha_nu,m, alpha_nu,0
    expr *alpha_q; // the same, each differentiated in all q: [(nu*(m+1) + i)*n + j]
} table;

static expr derivative(const table *t, uint32_t nu, uint32_t i, uint32_t coordinate) {
    return t->alpha_q[((size_t)nu * (t->s->m + 1) + i) * t->s->n + coordinate];
}

static table alpha_table(const manifold *m) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t width = s->m + 1;
    table t = {s, arena_array(a, expr, s->k * width), arena_array(a, expr, s->k * width * s->n)};
    expr *zero = arena_array(a, expr, s->m);
    for (uint32_t nu = 0; nu < s->k; nu++) {
        for (uint32_t i = 0; i < s->m; i++)
            t.alpha[nu * width + i] = basis_entry(m, s->dependent[nu], i);
        t.alpha[nu * width + s->m] =
            expr_replace(p, m->v.velocity[s->dependent[nu]], s->m, s->eta, zero);
    }
    expr_jacobian(p, s->k * width, t.alpha, s->n, s->q, t.alpha_q);
    return t;
}

// Column m stands for r = 0: the part free of velocities.
static expr beta(const table *t, uint32_t nu, uint32_t i, uint32_t r) {
    const mechanics *s = t->s;
    pool *p = s->pool;
    const uint32_t width = s->m + 1;
    expr b = expr_neg(p, derivative(t, nu, r, s->independent[i]));
    if (r < s->m) b = expr_add(p, b, derivative(t, nu, i, s->independent[r]));
    else b = expr_add(p, b, expr_diff(p, t->alpha[nu * width + i], s->model->time));
    for (uint32_t mu = 0; mu < s->k; mu++) {
        const uint32_t z = s->dependent[mu];
        b = expr_add(p, b, expr_mul(p, t->alpha[mu * width + r], derivative(t, nu, i, z)));
        b = expr_sub(p, b, expr_mul(p, t->alpha[mu * width + i], derivative(t, nu, r, z)));
    }
    return b;
}

// Explicit time may also enter through a given f(t): its part of d/dt alpha
// is what is left when q' = 0.
static expr explicit_rate(const mechanics *s, expr f) {
    expr *zero = arena_array(&s->model->ctx->arena, expr, s->n);
    return expr_replace(s->pool, expr_ddt(s->pool, f), s->n, s->qd, zero);
}

// Do all beta vanish, with the part free of velocities? Then the constraints are integrable
// (Frobenius; T18, end of section 3).
static normal_truth beta_vanishes(const table *t) {
    const mechanics *s = t->s;
    pool *p = s->pool;
    const normal_budget budget = normal_budget_default();
    normal_truth all = NORMAL_YES;
    for (uint32_t nu = 0; nu < s->k; nu++)
        for (uint32_t i = 0; i < s->m; i++)
            for (uint32_t r = i + 1; r <= s->m;
                 r++) { // antisymmetric in i, r; r = m is the part free of velocities
                expr b = beta(t, nu, i, r);
                const expr alpha = t->alpha[nu * (s->m + 1) + i];
                if (r == s->m)
                    b = expr_add(p, expr_sub(p, b, expr_diff(p, alpha, s->model->time)),
                                 explicit_rate(s, alpha));
                const normal_truth zero = normal_is_zero(p, b, &budget);
                if (zero == NORMAL_NO) return NORMAL_NO;
                if (zero != NORMAL_YES) all = NORMAL_UNKNOWN;
            }
    return all;
}

normal_truth voronec_beta_vanishes(const mechanics *given) {
    const mechanics s = mechanics_without_quasi(given);
    if (!ingredients_wanted(&s) || needs_linear_constraints(&s)) return NORMAL_UNKNOWN;
    const manifold m = manifold_create(&s);
    const table t = alpha_table(&m);
    return beta_vanishes(&t);
}

static void derive(const mechanics *given, equations *eq) {
    const mechanics s = mechanics_without_quasi(given);
    pool *p = s.pool;
    arena *a = &s.model->ctx->arena;
    const manifold m = manifold_create(&s);
    const table t = alpha_table(&m);
    expr *value = arena_array(a, expr, s.m), *coefficient = arena_array(a, expr, s.m * s.k);
    voronec_common_part(&m, value);
    define_alpha(eq, &m);
    for (uint32_t i = 0; i < s.m; i++)
        for (uint32_t nu = 0; nu < s.k; nu++) {
            const expr alpha = t.alpha[nu * (s.m + 1) + i];
            expr c = expr_sub(p, beta(&t, nu, i, s.m), expr_diff(p, alpha, s.model->time));
            c = expr_add(p, c, explicit_rate(&s, alpha));
            if (c != EXPR_ZERO)
                equations_define(eq, arena_format(a, "beta[%u;%u,0]", nu + 1, i + 1),
                                 arena_format(a, "\\beta^{%u}_{%u0}", nu + 1, i + 1), c);
            for (uint32_t r = 0; r < s.m; r++) {
                const expr b = beta(&t, nu, i, r);
                c = expr_add(p, c, expr_mul(p, b, s.eta[r]));
                if (b != EXPR_ZERO)
                    equations_define(eq, arena_format(a, "beta[%u;%u,%u]", nu + 1, i + 1, r + 1),
                                     arena_format(a, "\\beta^{%u}_{%u%u}", nu + 1, i + 1, r + 1),
                                     b);
            }
            coefficient[i * s.k + nu] = c;
        }
    equations_define(eq, "T*", "T^*", on_manifold(&m, m.kinetic));
    voronec_finish(eq, &m, value, coefficient);
    if (s.k && ingredients_wanted(&s) && beta_vanishes(&t) == NORMAL_YES)
        ingredient_remark(
            eq, "integrable constraints: beta = 0, the motion is Lagrangian on each leaf, d/dt "
                "dT*/dq'_i - dT*/dq_i - sum_nu alpha_nu,i dT*/dq_{m+nu} = F*_i");
}

const formalism formalism_voronec_linear = {
    .id = "voronec-linear",
    .name = "Voronec, linear",
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
    .refusal = needs_linear_constraints,
    .derive = derive,
};
