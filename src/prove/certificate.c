// Certificates: proofs with no probability in them. q'' and lambda in closed form are put into the
// residual, which is then brought to normal form: a quotient of polynomials over Q whose numerator
// is zero. `prove --certify` asks for them; where none is found the verdict stays what the random
// points gave.
#include "normal/normal.h"
#include "prove/proof_session.h"

static normal_budget certificate_budget(void) {
    return (normal_budget){.terms = 100000, .generators = 120, .plain = true};
}

// lambda from the recovery equations with q'' and q' in place
static const expr *solve_multipliers(const closed_motion *closed) {
    const equations *eq = closed->eq;
    const mechanics *s = eq->system;
    const normal_budget budget = certificate_budget();
    const uint32_t k = eq->multiplier_count;
    expr *residual = arena_array(&s->model->ctx->arena, expr, k),
         *out = arena_array(&s->model->ctx->arena, expr, k);
    if (!k || !eq->recovery) return NULL;
    expr_substitute(s->pool, s->n, s->qdd, eq->acceleration, k, eq->recovery, residual);
    expr_substitute(s->pool, s->n, s->qd, eq->velocity, k, residual, residual);
    expr_substitute(s->pool, eq->unknown_count, eq->unknown, closed->rate, k, residual, residual);
    return normal_solve(s->pool, k, residual, s->multiplier, &budget, out) ? out : NULL;
}

// Solve the equations in closed form under the certificate's budget; solved is false where that
// grows too large.
static closed_motion solve_motion(const equations *eq) {
    const mechanics *s = eq->system;
    const normal_budget budget = certificate_budget();
    closed_motion closed = {.eq = eq};
    if ((!eq->explicit_velocities && s->k) || eq->auxiliaries_count) return closed;
    expr *residual = arena_array(&s->model->ctx->arena, expr, eq->unknown_count),
         *rate = arena_array(&s->model->ctx->arena, expr, eq->unknown_count);
    for (uint32_t i = 0; i < eq->unknown_count; i++) residual[i] = eq->residual[i].value;
    closed.solved = normal_solve(s->pool, eq->unknown_count, residual, eq->unknown, &budget, rate);
    closed.rate = rate;
    if (closed.solved) closed.multiplier = solve_multipliers(&closed);
    return closed;
}

// q' = V(q, eta, t), q'' = dV/dt and q''' (where it is known) put into an expression
static expr on_motion(const closed_motion *closed, expr e) {
    const mechanics *s = closed->eq->system;
    for (uint32_t i = 0; i < s->n && closed->eq->jerk; i++) {
        const expr third = expr_symbol_of_order(s->pool, s->q[i], 3);
        e = expr_replace(s->pool, e, 1, &third, &closed->eq->jerk[i]);
    }
    e = expr_replace(s->pool, e, s->n, s->qdd, closed->eq->acceleration);
    return expr_replace(s->pool, e, s->n, s->qd, closed->eq->velocity);
}

// --- positions on holonomic constraints ---------------------------------------------------------

// h = c2 u^2 + c0 or c1 u + c0: what u is on the constraint; EXPR_NONE if h is neither in u.
static expr solved_position(pool *p, expr h, expr u) {
    const expr zero = EXPR_ZERO, d1 = expr_diff(p, h, u), d2 = expr_diff(p, d1, u);
    const expr c0 = expr_replace(p, h, 1, &u, &zero), c1 = expr_replace(p, d1, 1, &u, &zero);
    if (d1 == EXPR_ZERO || expr_depends_on(p, d2, 1, &u)) return EXPR_NONE;
    if (d2 == EXPR_ZERO) return expr_neg(p, expr_div(p, c0, d1));
    return c1 == EXPR_ZERO ? expr_sqrt(p, expr_neg(p, expr_div(p, expr_mul(p, EXPR_TWO, c0), d2)))
                           : EXPR_NONE;
}

// Is e zero where the holonomic constraint h holds? A root stands for both
// its signs, so both are tried.
static normal_truth zero_on_position(const closed_motion *closed, expr h, expr e) {
    const mechanics *s = closed->eq->system;
    const model *m = s->model;
    const normal_budget budget = certificate_budget();
    for (uint32_t i = 0; i < m->parameters_count + s->n; i++) {
        const expr u =
            i < m->parameters_count ? m->parameters[i].symbol : s->q[i - m->parameters_count];
        const expr value = solved_position(s->pool, h, u),
                   minus = value == EXPR_NONE ? value : expr_neg(s->pool, value);
        if (value == EXPR_NONE) continue;
        const bool root = expr_diff(s->pool, expr_diff(s->pool, h, u), u) != EXPR_ZERO;
        if (normal_is_zero(s->pool, expr_replace(s->pool, e, 1, &u, &value), &budget) != NORMAL_YES)
            return NORMAL_UNKNOWN;
        return root ? normal_is_zero(s->pool, expr_replace(s->pool, e, 1, &u, &minus), &budget)
                    : NORMAL_YES;
    }
    return NORMAL_UNKNOWN;
}

static normal_truth zero_on_constraints(const closed_motion *closed, expr e) {
    const mechanics *s = closed->eq->system;
    const normal_budget budget = certificate_budget();
    const normal_truth truth = normal_is_zero(s->pool, e, &budget);
    if (truth == NORMAL_YES) return truth;
    const constraint *holonomic = NULL;
    for (uint32_t i = 0; i < s->k; i++) {
        const constraint *c = &s->model->constraints[s->constraint[i]];
        if (c->order != 0) continue;
        if (holonomic) return NORMAL_UNKNOWN; // one at a time
        holonomic = c;
    }
    return holonomic ? zero_on_position(closed, holonomic->phi, e) : truth;
}

// Is e a known combination of the equations of motion R_s: none of them, or sum_s eta_s R_s, which
// is how energy changes? Then it vanishes with them.
static bool is_combination(const closed_motion *closed, expr e) {
    const equations *eq = closed->eq;
    const mechanics *s = eq->system;
    if (!eq->explicit_velocities || s->h ||
        (s->k && expr_depends_on(s->pool, e, s->k, s->multiplier)))
        return false;
    e = on_motion(closed, e);
    if (zero_on_constraints(closed, e) == NORMAL_YES) return true;
    for (uint32_t i = 0; i < s->m; i++)
        e = expr_sub(s->pool, e, expr_mul(s->pool, s->eta[i], eq->residual[i].value));
    return zero_on_constraints(closed, e) == NORMAL_YES;
}

// Is the expression (in q, q', q'', eta, lambda, t) zero along the motion? NORMAL_YES is a proof.
static normal_truth is_zero_along(const closed_motion *closed, expr e) {
    if (is_combination(closed, e)) return NORMAL_YES;
    if (!closed->solved) return NORMAL_UNKNOWN;
    const mechanics *s = closed->eq->system;
    const uint32_t k = closed->eq->multiplier_count;
    // else they are unknowns, or state
    if (k && closed->eq->recovery && expr_depends_on(s->pool, e, k, s->multiplier)) {
        if (!closed->multiplier) return NORMAL_UNKNOWN;
        e = expr_replace(s->pool, e, k, s->multiplier, closed->multiplier);
    }
    e = on_motion(closed, e);
    return zero_on_constraints(closed, expr_replace(s->pool, e, closed->eq->unknown_count,
                                                    closed->eq->unknown, closed->rate));
}

// --- polynomials in the velocities --------------------------------------------------------------

// Is e, a polynomial of degree 2 in (eta, eta') with eta' counted twice, identically zero?
// Coefficient by coefficient, which is far smaller than all at once.
static bool coefficients_vanish(const closed_motion *closed, const velocity_basis *v, expr e) {
    const mechanics *s = closed->eq->system;
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t count = 2 * s->m;
    expr *symbol = arena_array(a, expr, count), *zero = arena_array(a, expr, count),
         *first = arena_array(a, expr, count);
    expr *second = arena_array(a, expr, count);
    uint32_t *weight = arena_array(a, uint32_t, count);
    for (uint32_t i = 0; i < s->m; i++)
        symbol[i] = s->eta[i], symbol[s->m + i] = v->eta_rate[i], weight[i] = 1,
        weight[s->m + i] = 2;
    if (expr_degree(p, e, count, symbol, weight) > 2) return false;
    if (zero_on_constraints(closed, expr_replace(p, e, count, symbol, zero)) != NORMAL_YES)
        return false;
    expr_gradient(p, e, count, symbol, first);
    for (uint32_t i = 0; i < count; i++) {
        if (zero_on_constraints(closed, expr_replace(p, first[i], count, symbol, zero)) !=
            NORMAL_YES)
            return false;
        expr_gradient(p, first[i], s->m, symbol, second);
        for (uint32_t j = 0; j <= i && i < s->m; j++)
            if (zero_on_constraints(closed, second[j]) != NORMAL_YES) return false;
    }
    return true;
}

// --- forms --------------------------------------------------------------------------------------

// The weight with which the other form's i-th equation enters the projection on eta_t: dq'_j/d
// eta_t for an equation in q''_j or p'_j, 1 for its own eta'_t.
static expr projection_weight(const mechanics *s, const velocity_basis *v, const equations *other,
                              uint32_t i, uint32_t t) {
    const expr unknown = other->unknown[i];
    for (uint32_t r = 0; r < s->m && s->has_quasi; r++)
        if (unknown == v->eta_rate[r]) return r == t ? EXPR_ONE : EXPR_ZERO;
    for (uint32_t j = 0; j < s->n; j++) {
        if (unknown == s->qdd[j]) return v->column[j * s->m + t];
        for (uint32_t k = 0; k < other->auxiliaries_count; k++)
            if (k == j && unknown == expr_symbol_derivative(s->pool, other->auxiliaries[k].symbol))
                return v->column[j * s->m + t];
    }
    return EXPR_NONE;
}

// A residual of another form with its own unknowns replaced by what they mean along the motion:
// p = dL/dq', eta' = d/dt Psi
static expr written_out(const mechanics *s, const equations *other, expr e) {
    for (uint32_t k = 0; k < other->auxiliaries_count; k++) {
        const auxiliary *x = &other->auxiliaries[k];
        const expr from[2] = {x->symbol, expr_symbol_derivative(s->pool, x->symbol)},
                   to[2] = {x->value, expr_ddt(s->pool, x->value)};
        e = expr_replace(s->pool, e, 2, from, to);
    }
    return e;
}

// Do the other form's equations follow from those of the closed motion and the constraints, as
// identities in (q, eta, eta', t)? No equation is solved for that, so it works far beyond the size
// where the motion can be solved. NORMAL_YES is a proof.
static normal_truth follows_from(const closed_motion *closed, const velocity_basis *v,
                                 const equations *other) {
    const equations *eq = closed->eq;
    const mechanics *s = eq->system;
    const normal_budget budget = certificate_budget();
    if (!eq->explicit_velocities || s->h || other->multipliers_are_state ||
        other->unknown_count > s->n + s->k)
        return NORMAL_UNKNOWN;
    uint32_t motion = 0;
    for (uint32_t i = 0; i < other->unknown_count; i++) {
        if (other->residual[i].kind == RESIDUAL_MOTION) motion++;
        else if (zero_on_constraints(
                     closed, on_motion(closed, written_out(s, other, other->residual[i].value))) !=
                 NORMAL_YES)
            return NORMAL_UNKNOWN;
    }
    // All n equations in q'' without multipliers say more than their projection does.
    if (motion > s->m && other->unknown_count == motion && s->k) return NORMAL_UNKNOWN;
    for (uint32_t t = 0; t < s->m; t++) { // sum_i weight_it r_i - R_t = 0
        expr gap = expr_neg(s->pool, eq->residual[t].value);
        for (uint32_t i = 0; i < motion; i++) {
            const expr weight = projection_weight(s, v, other, i, t);
            if (weight == EXPR_NONE) return NORMAL_UNKNOWN;
            gap = expr_add(
                s->pool, gap,
                expr_mul(s->pool, weight,
                         on_motion(closed, written_out(s, other, other->residual[i].value))));
        }
        if (!coefficients_vanish(closed, v, gap) &&
            normal_is_zero(s->pool, gap, &budget) != NORMAL_YES)
            return NORMAL_UNKNOWN;
    }
    return NORMAL_YES;
}

// --- for a session ------------------------------------------------------------------------------

// The motion of the reference, solved when a certificate is first wanted
static const closed_motion *motion_of(proof_session *ps) {
    if (!ps->closed.eq)
        ps->closed = solve_motion(ps->reference), ps->basis = basis_create(ps->system);
    return &ps->closed;
}

bool certificate_of_residuals(proof_session *ps, uint32_t count, const expr *e) {
    for (uint32_t i = 0; i < count; i++)
        if (is_zero_along(motion_of(ps), e[i]) != NORMAL_YES) return false;
    return true;
}

bool certificate_of_form(proof_session *ps, const equations *eq) {
    const mechanics *s = ps->system;
    if (follows_from(motion_of(ps), &ps->basis, eq) == NORMAL_YES) return true;
    if (!ps->closed.solved)
        return false; // residuals one by one say nothing more without the motion
    for (uint32_t i = 0; i < eq->unknown_count; i++) {
        const expr residual = written_out(s, eq, eq->residual[i].value);
        if (!certificate_of_residuals(ps, 1, &residual)) return false;
    }
    return true;
}
