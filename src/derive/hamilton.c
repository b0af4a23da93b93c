// Hamilton's equations with reactions (almost-Hamiltonian): p = dL/dq', H = sum p q' - L, and
//   q'_i = dH/dp_i,   p'_i = -dH/dq_i + Q_i + sum_nu lambda_nu dPhi_nu/dq'_i,
//   the multipliers from d/dt Phi_nu(q, dH/dp, t) = 0.
// Where q'(q, p, t) has no short closed form the q' stay beside p, with -dH/dq = dL/dq
// and q'' from p' = d/dt dL/dq'.
#include "derive/almost_poisson.h"
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/routh.h"
#include "derive/sample_pivots.h"
#include "expr/matrix.h"
#include "normal/normal.h"

#include <string.h>

typedef struct {
    const mechanics *s;
    pool *p;
    arena *arena;
    expr *momentum;                                    // dL/dq'
    expr *symbol;                                      // p_i
    expr *rate;                                        // p'_i
    expr *velocity, *acceleration, *force_from_energy; // q', q'', -dH/dq
} legendre;

static void mass_matrix(const mechanics *s, const expr *momentum, expr *out) {
    expr_jacobian(s->pool, s->n, momentum, s->n, s->qd, out);
}

static const char *refusal(const mechanics *s) {
    arena *a = &s->model->ctx->arena;
    expr *momentum = arena_array(a, expr, s->n), *mass = arena_array(a, expr, s->n * s->n);
    uint32_t *row = arena_array(a, uint32_t, s->n), *column = arena_array(a, uint32_t, s->n);
    expr_gradient(s->pool, s->lagrangian, s->n, s->qd, momentum);
    mass_matrix(s, momentum, mass);
    return sample_pivots_find(s, s->n, mass, row, column) < s->n
               ? "the mass matrix is singular: velocities do not follow from momenta"
               : NULL;
}

// q' = dH/dp in closed form: solve p = dL/dq' for q', which must be linear in it.
static bool closed_form(legendre *l) {
    const mechanics *s = l->s;
    const normal_budget budget = normal_budget_default();
    expr *residual = arena_array(l->arena, expr, s->n),
         *mass = arena_array(l->arena, expr, s->n * s->n);
    mass_matrix(s, l->momentum, mass);
    if (expr_any_depends_on(l->p, s->n * s->n, mass, s->n, s->qd)) return false;
    for (uint32_t i = 0; i < s->n; i++) residual[i] = expr_sub(l->p, l->momentum[i], l->symbol[i]);
    return normal_solve(l->p, s->n, residual, s->qd, &budget, l->velocity);
}

static void use_hamiltonian(legendre *l, equations *eq) {
    const mechanics *s = l->s;
    const expr lagrangian = expr_replace(l->p, s->lagrangian, s->n, s->qd, l->velocity);
    const expr h = expr_sub(l->p, expr_dot(l->p, s->n, l->symbol, l->velocity), lagrangian);
    equations_define(eq, "H", "H", h);                        // H = sum p q' - L
    expr_gradient(l->p, h, s->n, s->q, l->force_from_energy); // dH/dq
    expr_gradient(l->p, h, s->n, l->symbol, l->velocity);     // q' = dH/dp
    for (uint32_t i = 0; i < s->n; i++)
        l->force_from_energy[i] = expr_neg(l->p, l->force_from_energy[i]);
    for (uint32_t i = 0; i < s->n; i++) l->acceleration[i] = expr_ddt(l->p, l->velocity[i]);
    expr_substitute(l->p, s->n, s->qd, l->velocity, s->n, l->acceleration, l->acceleration);
    eq->explicit_velocities = true;
}

// M q'' = p' - (d/dt dL/dq' at q'' = 0)
static void stay_implicit(legendre *l) {
    const mechanics *s = l->s;
    expr *mass = arena_array(l->arena, expr, s->n * s->n), *r = arena_array(l->arena, expr, s->n),
         *zero = arena_array(l->arena, expr, s->n);
    uint32_t *row = arena_array(l->arena, uint32_t, s->n),
             *column = arena_array(l->arena, uint32_t, s->n);
    mass_matrix(s, l->momentum, mass);
    sample_pivots_find(s, s->n, mass, row, column);
    for (uint32_t i = 0; i < s->n; i++) r[i] = expr_ddt(l->p, l->momentum[i]);
    expr_substitute(l->p, s->n, s->qdd, zero, s->n, r, r);
    for (uint32_t i = 0; i < s->n; i++) r[i] = expr_sub(l->p, l->rate[i], r[i]);
    matrix_solve(l->p, s->n, mass, 1, r, row, column, l->acceleration);
    memcpy(l->velocity, s->qd, sizeof(expr) * s->n);
    expr_gradient(l->p, s->lagrangian, s->n, s->q, l->force_from_energy); // -dH/dq = dL/dq
}

// H where the equations do without it, from q' by elimination: not short,
// but a quantity of this form.
static void list_hamiltonian(const legendre *l, equations *eq) {
    const mechanics *s = l->s;
    expr *velocity = arena_array(l->arena, expr, s->n);
    if (!almost_poisson_velocities(s, s->n, l->momentum, s->qd, l->symbol, velocity)) {
        equations_leave_out(eq, "H",
                            "L is not quadratic in the velocities: q' has no closed form in p");
        return;
    }
    const expr lagrangian = expr_replace(l->p, s->lagrangian, s->n, s->qd, velocity);
    ingredient_define(eq, "H", "H",
                      expr_sub(l->p, expr_dot(l->p, s->n, l->symbol, velocity), lagrangian));
}

// The bracket of almost_poisson.h, only where it says more than p does: with constraints, or with
// quasi-velocities of the model's own.
static void list_bracket(const mechanics *s, equations *eq) {
    arena *a = &s->model->ctx->arena;
    almost_poisson j;
    if (!(s->k || s->has_quasi)) return;
    if (!ingredient_wanted(s)) {
        ingredient_leave_out(eq, "p~, H~, J");
        return;
    }
    const char *why = almost_poisson_create(s, &j);
    if (why) {
        equations_leave_out(eq, "p~, H~, J", why);
        return;
    }
    for (uint32_t r = 0; r < s->m; r++)
        ingredient_define(eq, expr_symbol_text(s->pool, j.momentum[r]),
                          ingredient_latex(s, j.momentum[r]), j.meaning[r]);
    ingredient_define(eq, "H~", "\\tilde H", j.hamiltonian);
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t r = 0; r < s->m; r++)
            ingredient_define(eq,
                              arena_format(a, "J[%s,%s]", expr_symbol_text(s->pool, s->q[i]),
                                           expr_symbol_text(s->pool, j.momentum[r])),
                              arena_format(a, "\\{%s,%s\\}", ingredient_latex(s, s->q[i]),
                                           ingredient_latex(s, j.momentum[r])),
                              j.field[i * s->m + r]);
    for (uint32_t r = 0; r < s->m; r++)
        for (uint32_t t = r + 1; t < s->m; t++)
            ingredient_define(eq,
                              arena_format(a, "J[%s,%s]", expr_symbol_text(s->pool, j.momentum[r]),
                                           expr_symbol_text(s->pool, j.momentum[t])),
                              arena_format(a, "\\{%s,%s\\}", ingredient_latex(s, j.momentum[r]),
                                           ingredient_latex(s, j.momentum[t])),
                              j.bracket[r * s->m + t]);
}

static legendre legendre_of(const mechanics *s, equations *eq) {
    legendre l = {.s = s, .p = s->pool, .arena = &s->model->ctx->arena};
    l.momentum = arena_array(l.arena, expr, s->n), l.symbol = arena_array(l.arena, expr, s->n),
    l.rate = arena_array(l.arena, expr, s->n);
    l.velocity = arena_array(l.arena, expr, s->n),
    l.acceleration = arena_array(l.arena, expr, s->n);
    l.force_from_energy = arena_array(l.arena, expr, s->n);
    expr_gradient(l.p, s->lagrangian, s->n, s->qd, l.momentum);
    for (uint32_t i = 0; i < s->n; i++) {
        const char *name = expr_symbol_name(l.p, s->q[i]);
        l.symbol[i] = expr_symbol(l.p, arena_format(l.arena, "p[%s]", name), ROLE_MOMENTUM);
        l.rate[i] = expr_symbol_derivative(l.p, l.symbol[i]);
        list_push(eq, auxiliaries, (auxiliary){l.symbol[i], l.momentum[i]});
        equations_define(eq, arena_format(l.arena, "p[%s]", name),
                         arena_format(l.arena, "p_{%s}", ingredient_base_latex(s, s->q[i])),
                         l.momentum[i]);
    }
    return l;
}

static void derive(const mechanics *s, equations *eq) {
    legendre l = legendre_of(s, eq);
    if (closed_form(&l)) use_hamiltonian(&l, eq);
    else stay_implicit(&l), list_hamiltonian(&l, eq);
    list_bracket(s, eq);
    routh_define(s, eq, false);
    const uint32_t total = s->n + s->k;
    residual *r = arena_array(l.arena, residual, total);
    expr *unknown = arena_array(l.arena, expr, total), *from = arena_array(l.arena, expr, 2 * s->n),
         *to = arena_array(l.arena, expr, 2 * s->n);
    memcpy(from, s->qd, sizeof(expr) * s->n), memcpy(to, l.velocity, sizeof(expr) * s->n);
    memcpy(from + s->n, s->qdd, sizeof(expr) * s->n),
        memcpy(to + s->n, l.acceleration, sizeof(expr) * s->n);
    for (uint32_t i = 0; i < s->n; i++) { // p'_i + dH/dq_i - (Q_i + sum_nu lambda_nu dPhi_nu/dq'_i)
        const expr acting = expr_add(l.p, s->force[i], equations_reaction(eq, i));
        const expr active = expr_replace(l.p, acting, s->n, s->qd, l.velocity);
        r[i] = (residual){expr_sub(l.p, expr_sub(l.p, l.rate[i], l.force_from_energy[i]), active),
                          RESIDUAL_MOTION, i};
        unknown[i] = l.rate[i];
    }
    for (uint32_t nu = 0; nu < s->k; nu++) { // d/dt Phi_nu(q, dH/dp, t)
        r[s->n + nu] = (residual){expr_replace(l.p, expr_ddt(l.p, s->phi[nu]), 2 * s->n, from, to),
                                  RESIDUAL_CONSTRAINT, nu};
        unknown[s->n + nu] = s->multiplier[nu];
    }
    eq->unknown_count = total;
    eq->unknown = unknown;
    eq->residual = r;
    eq->velocity = l.velocity;
    eq->acceleration = l.acceleration;
}

const formalism formalism_hamilton = {
    .id = "hamilton",
    .name = "Hamilton's equations with reactions",
    .paper = "Hamilton 1835; T15",
    .formula = "q'_i = dH/dp_i, p'_i = -dH/dq_i + Q_i + sum_nu lambda_nu dPhi_nu/dq'_i",
    .latex = "\\dot{q}_{i} = \\frac{\\partial H}{\\partial p_{i}}, \\quad \\dot{p}_{i} = "
             "-\\frac{\\partial H}{\\partial q_{i}} + Q_{i} + \\sum_{\\nu} \\lambda_{\\nu} "
             "\\frac{\\partial \\Phi_{\\nu}}{\\partial \\dot{q}_{i}}",
    .history = "Hamilton gave the canonical equations in 1835. With nonholonomic constraints the "
               "reactions enter the equations of the momenta; after they are eliminated the "
               "bracket of functions no longer satisfies Jacobi's identity, which is why the "
               "structure is called almost Poisson.",
    .use = "When momenta are what you think in: phase portraits, integrals, perturbations. The "
           "mass matrix must be regular.",
    .lists =
        "p[q] = dL/dq', H(q, p, t); with constraints or quasi-velocities, where q' = B(q) eta: "
        "p~[s] = sum_i p_i B_is, H~ = sum_s p~_s eta_s - L*, and the bracket J[q,p~] = B_is, "
        "J[p~_r,p~_s] (r < s) = -sum_i p_i [X_r, X_s]_i; Routh's function as in lagrange",
    .applies = "regular mass matrix",
    .refusal = refusal,
    .derive = derive,
};
