// The Gaponov-Chaplygin system (RS (4.23)-(4.26)): constraints x'_a = sum_j A_j^a(u^(j)) y'_j,
// where the coefficients of y'_j change in time through a group u^(j) of given functions of their
// own, and L* is free of the x and of the u. One function says it all, Gamma(u, y, y') = L* with
// the x' eliminated. In Chaplygin's equation E_j(x'_a - sum A y') = -d/dt A_j^a, and
//   dGamma/du_m^(j) = y'_j sum_a (dL*/dx'_a)~ dA_j^a/du_m^(j), so that
//   d/dt dGamma/dy'_j - dGamma/dy_j = (1/y'_j) sum_m u'_m^(j) dGamma/du_m^(j) + F*_j.
// RS prints the sum with the other sign; that is a slip whichever of L~ and -L~ Gamma is,
// the equation being linear in it. The quotient by y'_j is taken before anything is
// divided: y'_j = 0 is no singularity.
#include "derive/chaplygin.h"
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/transposition.h"
#include "normal/normal.h"

// Which y'_j the given u drives: the column in which it stands; m if none, m + 1 if several.
static uint32_t column_of(const manifold *m, expr u) {
    const mechanics *s = m->system;
    uint32_t found = s->m;
    for (uint32_t j = 0; j < s->m; j++)
        for (uint32_t a = 0; a < s->k; a++) {
            if (!normal_depends_on(s->pool, manifold_basis(m, s->dependent[a], j), u)) continue;
            if (found != s->m && found != j) return s->m + 1;
            found = j;
        }
    return found;
}

// Why A_j^a is no function of parameters and givens; NULL if it is.
static const char *coefficient_fault(const mechanics *s, expr coefficient) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const expr time = s->model->time;
    if (normal_depends_on(p, coefficient, time))
        return "on t itself: name the function of time with `given`";
    for (uint32_t i = 0; i < s->n; i++)
        if (normal_depends_on(p, coefficient, s->q[i]))
            return arena_format(a, "on %s", expr_symbol_name(s->pool, s->q[i]));
    for (uint32_t i = 0; i < s->model->givens_count; i++) {
        const expr rate = expr_symbol_derivative(p, s->model->givens[i].symbol);
        if (normal_depends_on(p, coefficient, rate))
            return arena_format(a, "on the rate %s", expr_symbol_text(s->pool, rate));
    }
    return NULL;
}

static const char *coefficients_fault(const manifold *m) {
    const mechanics *s = m->system;
    arena *a = &s->model->ctx->arena;
    for (uint32_t c = 0; c < s->k; c++)
        for (uint32_t j = 0; j < s->m; j++) {
            const uint32_t x = s->dependent[c];
            const char *fault = coefficient_fault(s, manifold_basis(m, x, j));
            if (fault)
                return arena_format(a, "solved for %s, the coefficient of %s depends %s",
                                    expr_symbol_text(s->pool, s->qd[x]),
                                    expr_symbol_text(s->pool, s->eta[j]), fault);
        }
    for (uint32_t i = 0; i < s->model->givens_count; i++) {
        const expr u = s->model->givens[i].symbol;
        const uint32_t column = column_of(m, u);
        if (column == s->m) continue;
        if (column > s->m)
            return arena_format(a,
                                "the coefficients of several velocities depend on `%s`; each needs "
                                "given functions of its own",
                                expr_symbol_name(s->pool, u));
        if (normal_depends_on(s->pool, m->kinetic, u))
            return arena_format(a, "L depends on `%s`, which drives the constraints",
                                expr_symbol_name(s->pool, u));
    }
    return NULL;
}

static const char *refusal(const mechanics *given) {
    for (uint32_t i = 0; i < given->k; i++) {
        const constraint *c = &given->model->constraints[given->constraint[i]];
        if (!c->linear || !c->homogeneous)
            return arena_format(&given->model->ctx->arena,
                                "constraint `%s` is not linear and homogeneous in the velocities",
                                c->name);
    }
    mechanics s;
    const char *reason = chaplygin_type_generalised(given, &s);
    if (reason) return reason;
    const manifold m = chaplygin_manifold(&s);
    return coefficients_fault(&m);
}

// (1/y'_j) dGamma/du = sum_a (dL*/dx'_a)~ dA_j^a/du
static expr drive(const manifold *m, const expr *momentum, uint32_t j, expr u) {
    const mechanics *s = m->system;
    expr sum = EXPR_ZERO;
    for (uint32_t a = 0; a < s->k; a++) {
        const uint32_t x = s->dependent[a];
        const expr slope = expr_diff(s->pool, manifold_basis(m, x, j), u);
        sum = expr_add_product(s->pool, sum, manifold_star(m, momentum[x]), slope);
    }
    return sum;
}

static void derive(const mechanics *given, equations *eq) {
    mechanics s;
    chaplygin_type_generalised(given, &s);
    pool *p = s.pool;
    arena *a = &s.model->ctx->arena;
    const manifold m = chaplygin_manifold(&s);
    // Or its negative, as in RS (4.17): without forces the sign does not matter
    const expr gamma = manifold_star(&m, m.kinetic);
    expr *star = arena_array(a, expr, s.m), *position = arena_array(a, expr, s.m),
         *momentum = arena_array(a, expr, s.n);
    expr *force = arena_array(a, expr, s.m), *value = arena_array(a, expr, s.m);
    expr_gradient(p, gamma, s.m, s.eta, star);        // dGamma/dy'_j
    expr_gradient(p, m.kinetic, s.n, s.qd, momentum); // dL*/dx'_a
    manifold_force(&m, force);                        // F*_j
    ingredient_define(eq, "Gamma", "\\Gamma", gamma);
    for (uint32_t j = 0; j < s.m; j++) { // d/dt dGamma/dy'_j - dGamma/dy_j - F*_j
        position[j] = expr_diff(p, gamma, s.q[s.independent[j]]);
        value[j] = expr_sub(p, expr_sub(p, manifold_rate(&m, star[j]), position[j]), force[j]);
    }
    for (uint32_t i = 0; i < s.model->givens_count; i++) {
        const expr u = s.model->givens[i].symbol, rate = expr_symbol_derivative(p, u);
        const uint32_t j = column_of(&m, u);
        if (j == s.m) continue;
        // - (1/y'_j) u' dGamma/du
        value[j] = expr_sub_product(p, value[j], rate, drive(&m, momentum, j, u));
        ingredient_define(
            eq, arena_format(a, "dGamma/d%s", expr_symbol_text(s.pool, u)),
            arena_format(a, "\\frac{\\partial \\Gamma}{\\partial %s}", ingredient_latex(&s, u)),
            expr_diff(p, gamma, u));
    }
    ingredient_remark(eq, "Gamma = L* with the x' eliminated; RS (4.17) writes -Gamma for it");
    eq->transposition = transposition_explicit(&m); // RS (4.25)
    deliver_projected(eq, &m, value);
}

const formalism formalism_gaponov = {
    .id = "gaponov",
    .name = "Gaponov-Chaplygin equations",
    .paper = "Gaponov 1952; RS (4.23)-(4.26)",
    .formula = "d/dt dGamma/dy'_j - dGamma/dy_j = (1/y'_j) sum_m u'_m^(j) dGamma/du_m^(j) + F*_j, "
               "x'_a = sum_j A_j^a(u^(j)) y'_j",
    .latex = "\\tfrac{d}{dt} \\frac{\\partial \\Gamma}{\\partial \\dot{y}_{j}} - \\frac{\\partial "
             "\\Gamma}{\\partial y_{j}} = \\frac{1}{\\dot{y}_{j}} \\sum_{m} \\dot{u}_{m}^{(j)} "
             "\\frac{\\partial \\Gamma}{\\partial u_{m}^{(j)}} + F^{*}_{j}, \\quad \\dot{x}_{a} = "
             "\\sum_{j} A_{j}^{a}(u^{(j)}) \\dot{y}_{j}",
    .history = "Gaponov found in 1952 that electrical machines with sliding contacts are "
               "nonholonomic systems of Chaplygin's type.",
    .use = "For commutator machines and whatever else has constraints with coefficients that are "
           "given functions.",
    .lists = "Gamma = L with the x' eliminated, dGamma/du of each given u in the coefficients",
    .applies = "constraints x' = sum A(u) y' with coefficients of given functions u, a group of "
               "its own for each y', the x absent from T",
    .mechanics = "gaponov",
    .refusal = refusal,
    .derive = derive,
};
