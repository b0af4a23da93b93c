// Special cases, recognised and named.
#include "analyse/special.h"

#include "derive/chaplygin.h"
#include "derive/formalism.h"
#include "derive/poincare.h"
#include "derive/routh.h"
#include "derive/stationary.h"
#include "derive/voronec.h"
#include "normal/normal.h"

// On a leaf of integrable constraints: Lagrange's equations with T*.
static const char on_leaf[] = "d/dt dT*/dq'_i - dT*/dq_i - sum_nu alpha_nu,i dT*/dq_{m+nu} = F*_i";
static const char on_leaf_latex[] =
    "\\tfrac{d}{dt} \\frac{\\partial T^{*}}{\\partial \\dot{q}_{i}} - \\frac{\\partial "
    "T^{*}}{\\partial q_{i}} - \\sum_{\\nu} \\alpha_{\\nu,i} \\frac{\\partial T^{*}}{\\partial "
    "q_{m+\\nu}} = F^{*}_{i}";

static void add(special_cases *out, const char *id, const char *words, const char *equations,
                const char *latex) {
    out->at[out->count++] = (special_case){id, words, equations, latex};
}

// Names of coordinates, or of their velocities, joined by commas
static const char *names_of(const mechanics *s, uint32_t count, const uint32_t *index,
                            const expr *symbol) {
    const char *list = "";
    for (uint32_t i = 0; i < count; i++)
        list = arena_format(&s->model->ctx->arena, "%s%s%s", list, i ? ", " : "",
                            expr_symbol_text(s->pool, symbol[index[i]]));
    return list;
}

// eta_s = dL/dq'_s for all s?
static bool quasi_velocities_are_momenta(const mechanics *s) {
    const normal_budget budget = normal_budget_default();
    if (s->k || !s->has_quasi) return false;
    for (uint32_t i = 0; i < s->n; i++) {
        const expr gap = expr_sub(s->pool, s->psi[i], expr_diff(s->pool, s->lagrangian, s->qd[i]));
        if (normal_is_zero(s->pool, gap, &budget) != NORMAL_YES) return false;
    }
    return true;
}

// T15, after (22): merely geometric constraints, solved by the choice of coordinates (k = 0) or
// stated as Phi(q, t) = 0.
static void geometric(const mechanics *s, const character *c, special_cases *out) {
    if (!c->holonomic) return;
    if (quasi_velocities_are_momenta(s))
        add(out, "geometric", "purely geometric constraints, eta = p: Hamilton's equations (T15)",
            "q' = dH/d eta, eta' = -dH/dq + Q",
            "\\dot{q} = \\frac{\\partial H}{\\partial \\eta}, \\quad \\dot{\\eta} = "
            "-\\frac{\\partial H}{\\partial q} + Q");
    else if (!s->k)
        add(out, "geometric",
            "purely geometric constraints, solved by the coordinates: eta = q' gives Lagrange's "
            "equations, eta = p Hamilton's (T15)",
            "d/dt dL/dq'_i - dL/dq_i = Q_i", formalism_find("lagrange")->latex);
    else
        add(out, "geometric",
            "purely geometric constraints: eta = q' gives Lagrange's equations on the surface "
            "(T15)",
            on_leaf, on_leaf_latex);
}

static void stationary(const mechanics *s, special_cases *out) {
    if (stationary_holds(s))
        add(out, "stationary",
            "stationary case: nothing depends on t, q' is linear and homogeneous in eta (T15 "
            "(26)-(27))",
            "A_Gamma eta' + Q(eta, eta) = Gamma^T F, q' = Gamma eta",
            "A_{\\Gamma} \\dot{\\eta} + Q(\\eta, \\eta) = \\Gamma^{T} F, \\quad \\dot{q} = \\Gamma "
            "\\eta");
    else if (stationary_is_free_of_time(s))
        add(out, "stationary", "stationary: nothing depends on t",
            "T18 (21) without d2alpha_nu/dq'_i dt; T18 (15) with eta_ij = zeta_i = 0", NULL);
}

static void cyclic(const mechanics *s, special_cases *out) {
    uint32_t *index = arena_array(&s->model->ctx->arena, uint32_t, s->n);
    const uint32_t count = routh_cyclic(s, index);
    if (!count) return;
    add(out, "cyclic",
        arena_format(&s->model->ctx->arena, "cyclic coordinates: Routh reduction possible in %s",
                     names_of(s, count, index, s->q)),
        s->k ? "d/dt dR/dq'_i - dR/dq_i = Q_i + reactions, R = L - sum_c p_c q'_c, p_c constant; "
               "then q'_c = -dR/dp_c"
             : "d/dt dR/dq'_i - dR/dq_i = Q_i, R = L - sum_c p_c q'_c, p_c constant; then q'_c = "
               "-dR/dp_c",
        s->k ? "\\tfrac{d}{dt} \\frac{\\partial R}{\\partial \\dot{q}_{i}} - \\frac{\\partial "
               "R}{\\partial q_{i}} = Q_{i} + \\mathrm{reactions}, \\quad R = L - \\sum_{c} p_{c} "
               "\\dot{q}_{c}, \\quad \\dot{q}_{c} = -\\frac{\\partial R}{\\partial p_{c}}"
             : "\\tfrac{d}{dt} \\frac{\\partial R}{\\partial \\dot{q}_{i}} - \\frac{\\partial "
               "R}{\\partial q_{i}} = Q_{i}, \\quad R = L - \\sum_{c} p_{c} \\dot{q}_{c}, \\quad "
               "\\dot{q}_{c} = -\\frac{\\partial R}{\\partial p_{c}}");
}

static void integrable(const mechanics *s, const character *c, special_cases *out) {
    if (!s->k || c->holonomic || voronec_beta_vanishes(s) != NORMAL_YES) return;
    add(out, "integrable",
        "integrable constraints: beta vanishes, the motion is Lagrangian on a leaf (T18, end of "
        "section 3)",
        on_leaf, on_leaf_latex);
}

static void algebraic(const mechanics *s, special_cases *out) {
    if (poincare_structure(s) != STRUCTURE_CONSTANT) return;
    add(out, "algebraic",
        "algebraic case of Poincare: the structure functions of the frame are constant (M)",
        "d/dt dT~/d eta_s = sum_k sum_r C^k_rs eta_r dT~/d eta_k + X_s T~ + Q*_s with numbers "
        "C^k_rs",
        "\\tfrac{d}{dt} \\frac{\\partial \\tilde{T}}{\\partial \\eta_{s}} = \\sum_{k} \\sum_{r} "
        "C^{k}_{rs} \\eta_{r} \\frac{\\partial \\tilde{T}}{\\partial \\eta_{k}} + X_{s} \\tilde{T} "
        "+ Q^{*}_{s}");
}

// Do the forces F_i = Q_i - dU/dq_i depend on q?
static bool forces_depend(const mechanics *s, expr q) {
    expr *slope = arena_array(&s->model->ctx->arena, expr, s->n);
    expr_gradient(s->pool, s->potential, s->n, s->q, slope);
    for (uint32_t i = 0; i < s->n; i++)
        if (normal_depends_on(s->pool, slope[i], q) || normal_depends_on(s->pool, s->force[i], q))
            return true;
    return expr_depends_on(s->pool, s->potential, s->n, s->qd) &&
           normal_depends_on(s->pool, s->potential, q);
}

// T18 before (26): the dependent coordinates appear neither in T nor in alpha; where the forces do
// not depend on them either, the equations of the others stand alone.
static void chaplygin(const mechanics *s, special_cases *out) {
    mechanics chosen;
    if (chaplygin_type(s, &chosen)) return;
    bool alone = true;
    for (uint32_t i = 0; i < chosen.k; i++)
        alone = alone && !forces_depend(s, s->q[chosen.dependent[i]]);
    add(out, "chaplygin",
        arena_format(&s->model->ctx->arena, "Chaplygin's case, eliminating %s%s (T18 (26))",
                     names_of(s, chosen.k, chosen.dependent, s->qd),
                     alone ? ": the other equations stand alone" : ""),
        "d/dt dT*/dq'_i - dT*/dq_i - sum_nu sum_j (dalpha_nu,i/dq_j - dalpha_nu,j/dq_i) q'_j "
        "(dT/dq'_{m+nu})* = F*_i",
        formalism_find("chaplygin")->latex);
}

static bool has_higher_order(const model *m) {
    for (uint32_t i = 0; i < m->constraints_count; i++)
        if (m->constraints[i].status == CONSTRAINT_ACTIVE && m->constraints[i].order > 1)
            return true;
    return false;
}

special_cases special_cases_of(const mechanics *s, const character *c) {
    special_cases out = {0};
    // the cases speak of constraints on positions and velocities
    if (has_higher_order(s->model)) return out;
    geometric(s, c, &out);
    stationary(s, &out);
    cyclic(s, &out);
    integrable(s, c, &out);
    algebraic(s, &out);
    chaplygin(s, &out);
    return out;
}
