// Equations at a state. The matrix of an affine system is read off by probing: column j
// = residual(e_j) - residual(0).
#include "equations/evaluate.h"

#include <arb_mat.h>

static program *concrete_program(const equations *eq, const state *x, uint32_t count,
                                 const expr *in) {
    expr *out = memory_array(expr, count);
    model_concrete(eq->system->model, x->generic, count, in, out);
    program *prog = program_create(eq->system->pool, count, out);
    memory_free(out);
    return prog;
}

static void set_all(state *x, uint32_t count, const expr *symbol, slong value) {
    arb_t v;
    arb_init(v);
    arb_set_si(v, value);
    for (uint32_t i = 0; i < count; i++) state_set(x, symbol[i], v);
    arb_clear(v);
}

// matrix and rhs of residual = matrix*unknown - rhs at the state
static void probe(const program *prog, state *x, uint32_t n, const expr *unknown, arb_mat_t matrix,
                  arb_mat_t rhs) {
    arb_ptr base = _arb_vec_init(n), column = _arb_vec_init(n);
    set_all(x, n, unknown, 0);
    program_run_arb(prog, x->value, x->precision, base);
    for (uint32_t j = 0; j < n; j++) {
        arb_one(state_get(x, unknown[j]));
        program_run_arb(prog, x->value, x->precision, column);
        arb_zero(state_get(x, unknown[j]));
        for (uint32_t i = 0; i < n; i++)
            arb_sub(arb_mat_entry(matrix, i, j), column + i, base + i, x->precision);
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
static evaluate_status solve_affine(const equations *eq, state *x, uint32_t n, const expr *residual,
                                    const expr *unknown, expr *missing) {
    if (!n) return EVALUATE_OK;
    program *prog = concrete_program(eq, x, n, residual);
    state_reserve(x);
    set_all(x, n, unknown, 0);
    *missing = program_first_unknown(prog, x->known);
    if (*missing != EXPR_NONE) {
        program_free(prog);
        return EVALUATE_NO_VALUE;
    }
    arb_mat_t matrix, rhs, solution;
    arb_mat_init(matrix, n, n), arb_mat_init(rhs, n, 1), arb_mat_init(solution, n, 1);
    probe(prog, x, n, unknown, matrix, rhs);
    evaluate_status status = EVALUATE_OK;
    if (!is_finite(matrix) || !is_finite(rhs)) status = EVALUATE_OUTSIDE_DOMAIN;
    else if (!arb_mat_solve(solution, matrix, rhs, x->precision)) status = EVALUATE_SINGULAR;
    for (uint32_t i = 0; i < n && !status; i++)
        state_set(x, unknown[i], arb_mat_entry(solution, i, 0));
    arb_mat_clear(matrix), arb_mat_clear(rhs), arb_mat_clear(solution);
    program_free(prog);
    return status;
}

void equations_values(const equations *eq, state *x, uint32_t count, const expr *in, arb_ptr out) {
    program *prog = concrete_program(eq, x, count, in);
    state_reserve(x);
    program_run_arb(prog, x->value, x->precision, out);
    program_free(prog);
}

// h = sum q'_i dL/dq'_i - L
static void energy(const equations *eq, state *x, arb_t out) {
    const mechanics *s = eq->system;
    expr *p = memory_array(expr, s->n);
    expr_gradient(s->pool, s->lagrangian, s->n, s->qd, p);
    const expr h = expr_sub(s->pool, expr_dot(s->pool, s->n, s->qd, p), s->lagrangian);
    equations_values(eq, x, 1, &h, out);
    memory_free(p);
}

static void evaluation_init(evaluation *e, const mechanics *s) {
    *e = (evaluation){.n = s->n, .m = s->m, .k = s->k + s->h};
    e->acceleration = _arb_vec_init(s->n);
    e->eta = _arb_vec_init(s->m);
    e->eta_rate = _arb_vec_init(s->m);
    e->multiplier = _arb_vec_init(e->k);
    e->multiplier_rate = _arb_vec_init(e->k);
    e->reaction = _arb_vec_init(s->n);
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
static evaluate_status solve_motion(const equations *eq, state *x, expr *missing) {
    expr *value = memory_array(expr, eq->unknown_count);
    for (uint32_t i = 0; i < eq->unknown_count; i++) value[i] = eq->residual[i].value;
    const evaluate_status status =
        solve_affine(eq, x, eq->unknown_count, value, eq->unknown, missing);
    memory_free(value);
    return status;
}

static void fill_rest(const equations *eq, state *x, evaluation *out) {
    const mechanics *s = eq->system;
    pool *p = s->pool;
    expr *work = memory_array(expr, s->n + s->m + out->k);
    for (uint32_t i = 0; i < s->m; i++) work[i] = expr_ddt(p, s->psi[i]);
    equations_values(eq, x, s->m, work, out->eta_rate);
    equations_values(eq, x, s->m, s->psi, out->eta);
    for (uint32_t i = 0; i < out->k; i++) {
        const constraint *c = &s->model->constraints[s->constraint[i]];
        work[i] = c->order == 0 ? c->phi : s->phi[i];
        arb_set(out->multiplier + i, state_get(x, s->multiplier[i]));
        if (equations_multiplier_is_state(eq, i))
            arb_set(out->multiplier_rate + i,
                    state_get(x, expr_symbol_derivative(p, s->multiplier[i])));
    }
    equations_values(eq, x, out->k, work, out->residual);
    for (uint32_t i = 0; i < s->n; i++) work[i] = equations_reaction(eq, i);
    equations_values(eq, x, s->n, work, out->reaction);
    energy(eq, x, out->energy);
    memory_free(work);
}

// Momenta and other state variables, from (q, q', t).
static void set_auxiliaries(const equations *eq, state *x, evaluation *out) {
    arb_t value;
    arb_init(value);
    for (uint32_t i = 0; i < eq->auxiliaries_count; i++) {
        const expr symbol = eq->auxiliaries[i].symbol;
        equations_values(eq, x, 1, &eq->auxiliaries[i].value, value);
        const bool is_velocity = expr_as_symbol(eq->system->pool, symbol)->role == ROLE_COORDINATE;
        out->velocities_replaced |= is_velocity && !arb_overlaps(value, state_get(x, symbol));
        state_set(x, symbol, value);
    }
    arb_clear(value);
}

// Multipliers that are state are free initial values; those nobody gave are 0.
static void set_state_multipliers(const equations *eq, state *x) {
    arb_t zero;
    arb_init(zero);
    for (uint32_t i = 0; i < eq->multiplier_count; i++) {
        if (!equations_multiplier_is_state(eq, i)) continue;
        state_get(x, eq->multiplier[i]);
        if (!x->known[expr_symbol_index(eq->system->pool, eq->multiplier[i])])
            state_set(x, eq->multiplier[i], zero);
    }
    arb_clear(zero);
}

// q''' where the form knows it, from the state and the unknowns
static void set_jerk(const equations *eq, state *x) {
    const mechanics *s = eq->system;
    if (!eq->jerk) return;
    arb_ptr value = _arb_vec_init(s->n);
    equations_values(eq, x, s->n, eq->jerk, value);
    for (uint32_t i = 0; i < s->n; i++)
        state_set(x, expr_symbol_of_order(s->pool, s->q[i], 3), value + i);
    _arb_vec_clear(value, s->n);
}

evaluate_status equations_evaluate(const equations *eq, state *x, evaluation *out, expr *missing) {
    const mechanics *s = eq->system;
    evaluation_init(out, s);
    set_auxiliaries(eq, x, out);
    set_state_multipliers(eq, x);
    evaluate_status status = solve_motion(eq, x, missing);
    if (status) return status;
    equations_values(eq, x, s->n, eq->acceleration, out->acceleration);
    for (uint32_t i = 0; i < s->n; i++) state_set(x, s->qdd[i], out->acceleration + i);
    set_jerk(eq, x);
    if (eq->recovery && !eq->multipliers_are_state)
        status = solve_affine(eq, x, out->k, eq->recovery, s->multiplier, missing);
    if (!status) fill_rest(eq, x, out);
    return status;
}

bool equations_are_regular(const equations *eq, state *x) {
    expr missing;
    return solve_motion(eq, x, &missing) == EVALUATE_OK;
}
