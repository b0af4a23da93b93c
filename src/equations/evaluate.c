// Equations at a state. The matrix of an affine system is read off by probing: column j
// = residual(e_j) - residual(0).
#include "equations/evaluate.h"

#include <arb_mat.h>
#include <stdlib.h>

static program *concrete_program(const equations *eq, const state *s, uint32_t count,
                                 const expr *in) {
    expr *out = memory_array(expr, count);
    model_concrete(eq->system->model, s->generic, count, in, out);
    program *prog = program_create(eq->system->pool, count, out);
    memory_free(out);
    return prog;
}

static void set_all(state *s, uint32_t count, const expr *symbol, slong value) {
    arb_t v;
    arb_init(v);
    arb_set_si(v, value);
    for (uint32_t i = 0; i < count; i++) state_set(s, symbol[i], v);
    arb_clear(v);
}

// matrix and rhs of residual = matrix*unknown - rhs at the state
static void probe(const program *prog, state *s, uint32_t n, const expr *unknown, arb_mat_t matrix,
                  arb_mat_t rhs) {
    arb_ptr base = _arb_vec_init(n), column = _arb_vec_init(n);
    set_all(s, n, unknown, 0);
    program_run_arb(prog, s->value, s->precision, base);
    for (uint32_t j = 0; j < n; j++) {
        arb_one(state_get(s, unknown[j]));
        program_run_arb(prog, s->value, s->precision, column);
        arb_zero(state_get(s, unknown[j]));
        for (uint32_t i = 0; i < n; i++)
            arb_sub(arb_mat_entry(matrix, i, j), column + i, base + i, s->precision);
        arb_neg(arb_mat_entry(rhs, j, 0), base + j);
    }
    _arb_vec_clear(base, n);
    _arb_vec_clear(column, n);
}

static bool is_finite(const arb_mat_t a) {
    for (slong i = 0; i < arb_mat_nrows(a); i++)
        for (slong j = 0; j < arb_mat_ncols(a); j++)
            if (!arb_is_finite(arb_mat_entry(a, i, j))) return false;
    return true;
}

// Solve residual = 0 for the unknowns and store them in the state.
static evaluate_status solve_affine(const equations *eq, state *s, uint32_t n, const expr *residual,
                                    const expr *unknown, expr *missing) {
    if (!n) return EVALUATE_OK;
    program *prog = concrete_program(eq, s, n, residual);
    state_reserve(s);
    set_all(s, n, unknown, 0);
    *missing = program_first_unknown(prog, s->known);
    if (*missing != EXPR_NONE) {
        program_free(prog);
        return EVALUATE_NO_VALUE;
    }
    arb_mat_t matrix, rhs, x;
    arb_mat_init(matrix, n, n), arb_mat_init(rhs, n, 1), arb_mat_init(x, n, 1);
    probe(prog, s, n, unknown, matrix, rhs);
    evaluate_status status = EVALUATE_OK;
    if (!is_finite(matrix) || !is_finite(rhs)) status = EVALUATE_OUTSIDE_DOMAIN;
    else if (!arb_mat_solve(x, matrix, rhs, s->precision)) status = EVALUATE_SINGULAR;
    for (uint32_t i = 0; i < n && !status; i++) state_set(s, unknown[i], arb_mat_entry(x, i, 0));
    arb_mat_clear(matrix), arb_mat_clear(rhs), arb_mat_clear(x);
    program_free(prog);
    return status;
}

void equations_values(const equations *eq, state *s, uint32_t count, const expr *in, arb_ptr out) {
    program *prog = concrete_program(eq, s, count, in);
    state_reserve(s);
    program_run_arb(prog, s->value, s->precision, out);
    program_free(prog);
}

// h = sum q'_i dL/dq'_i - L
static void energy(const equations *eq, state *s, arb_t out) {
    const mechanics *w = eq->system;
    expr *p = memory_array(expr, w->n);
    expr_gradient(w->pool, w->lagrangian, w->n, w->qd, p);
    const expr h = expr_sub(w->pool, expr_dot(w->pool, w->n, w->qd, p), w->lagrangian);
    equations_values(eq, s, 1, &h, out);
    memory_free(p);
}

static void evaluation_init(evaluation *e, const mechanics *w) {
    *e = (evaluation){.n = w->n, .m = w->m, .k = w->k + w->h};
    e->acceleration = _arb_vec_init(w->n);
    e->eta = _arb_vec_init(w->m);
    e->eta_rate = _arb_vec_init(w->m);
    e->multiplier = _arb_vec_init(e->k);
    e->multiplier_rate = _arb_vec_init(e->k);
    e->reaction = _arb_vec_init(w->n);
    e->residual = _arb_vec_init(e->k);
    arb_init(e->energy);
}

void evaluation_clear(evaluation *e) {
    if (!e->acceleration) return;
    _arb_vec_clear(e->acceleration, e->n);
    _arb_vec_clear(e->eta, e->m);
    _arb_vec_clear(e->eta_rate, e->m);
    _arb_vec_clear(e->multiplier, e->k);
    _arb_vec_clear(e->multiplier_rate, e->k);
    _arb_vec_clear(e->reaction, e->n);
    _arb_vec_clear(e->residual, e->k);
    arb_clear(e->energy);
    *e = (evaluation){0};
}

// The unknowns of the form, from its residuals.
static evaluate_status solve_motion(const equations *eq, state *s, expr *missing) {
    expr *value = memory_array(expr, eq->unknown_count);
    for (uint32_t i = 0; i < eq->unknown_count; i++) value[i] = eq->residual[i].value;
    const evaluate_status status =
        solve_affine(eq, s, eq->unknown_count, value, eq->unknown, missing);
    memory_free(value);
    return status;
}

static void fill_rest(const equations *eq, state *s, evaluation *out) {
    const mechanics *w = eq->system;
    pool *p = w->pool;
    expr *work = memory_array(expr, w->n + w->m + out->k);
    for (uint32_t i = 0; i < w->m; i++) work[i] = expr_ddt(p, w->psi[i]);
    equations_values(eq, s, w->m, work, out->eta_rate);
    equations_values(eq, s, w->m, w->psi, out->eta);
    for (uint32_t i = 0; i < out->k; i++) {
        const constraint *c = &w->model->constraints[w->constraint[i]];
        work[i] = c->order == 0 ? c->phi : w->phi[i];
        arb_set(out->multiplier + i, state_get(s, w->multiplier[i]));
        if (equations_multiplier_is_state(eq, i))
            arb_set(out->multiplier_rate + i,
                    state_get(s, expr_symbol_derivative(p, w->multiplier[i])));
    }
    equations_values(eq, s, out->k, work, out->residual);
    for (uint32_t i = 0; i < w->n; i++) work[i] = equations_reaction(eq, i);
    equations_values(eq, s, w->n, work, out->reaction);
    energy(eq, s, out->energy);
    memory_free(work);
}

// Momenta and other state variables, from (q, q', t).
static void set_auxiliaries(const equations *eq, state *s, evaluation *out) {
    arb_t value;
    arb_init(value);
    for (uint32_t i = 0; i < eq->auxiliaries_count; i++) {
        const expr symbol = eq->auxiliaries[i].symbol;
        equations_values(eq, s, 1, &eq->auxiliaries[i].value, value);
        const bool is_velocity = expr_as_symbol(eq->system->pool, symbol)->role == ROLE_COORDINATE;
        out->velocities_replaced |= is_velocity && !arb_overlaps(value, state_get(s, symbol));
        state_set(s, symbol, value);
    }
    arb_clear(value);
}

// Multipliers that are state are free initial values; those nobody gave are 0.
static void set_state_multipliers(const equations *eq, state *s) {
    arb_t zero;
    arb_init(zero);
    for (uint32_t i = 0; i < eq->multiplier_count; i++) {
        if (!equations_multiplier_is_state(eq, i)) continue;
        state_get(s, eq->multiplier[i]);
        if (!s->known[expr_symbol_index(eq->system->pool, eq->multiplier[i])])
            state_set(s, eq->multiplier[i], zero);
    }
    arb_clear(zero);
}

// q''' where the form knows it, from the state and the unknowns
static void set_jerk(const equations *eq, state *s) {
    const mechanics *w = eq->system;
    if (!eq->jerk) return;
    arb_ptr value = _arb_vec_init(w->n);
    equations_values(eq, s, w->n, eq->jerk, value);
    for (uint32_t i = 0; i < w->n; i++)
        state_set(s, expr_symbol_of_order(w->pool, w->q[i], 3), value + i);
    _arb_vec_clear(value, w->n);
}

evaluate_status equations_evaluate(const equations *eq, state *s, evaluation *out, expr *missing) {
    const mechanics *w = eq->system;
    evaluation_init(out, w);
    set_auxiliaries(eq, s, out);
    set_state_multipliers(eq, s);
    evaluate_status status = solve_motion(eq, s, missing);
    if (status) return status;
    equations_values(eq, s, w->n, eq->acceleration, out->acceleration);
    for (uint32_t i = 0; i < w->n; i++) state_set(s, w->qdd[i], out->acceleration + i);
    set_jerk(eq, s);
    if (eq->recovery && !eq->multipliers_are_state)
        status = solve_affine(eq, s, out->k, eq->recovery, w->multiplier, missing);
    if (!status) fill_rest(eq, s, out);
    return status;
}

bool equations_are_regular(const equations *eq, state *s) {
    expr missing;
    return solve_motion(eq, s, &missing) == EVALUATE_OK;
}
