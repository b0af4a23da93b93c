// Refutation at a real admissible state: ball arithmetic whose enclosure of the residual excludes 0.
#include "prove/witness.h"

#include <arb_mat.h>
#include <string.h>

enum { WITNESS_BITS = 256, MOST_STATES = 6, WITNESS_DIGITS = 40 };

// A decimal number without the zeros at its end: 0.5, not 0.5000.
static const char *decimal(const model *m, arb_srcptr v, slong digits) {
    char *s = arb_get_str(v, digits, ARB_STR_NO_RADIUS);
    size_t length = strlen(s);
    if (strchr(s, '.') && !strchr(s, 'e')) {
        while (s[length - 1] == '0') length--;
        if (s[length - 1] == '.') length--;
    }
    const char *copy = arena_copy(&m->ctx->arena, s, length);
    flint_free(s);
    return copy;
}

static void note(const model *m, state *s, expr symbol, verdict *v) {
    const symbol_role role = expr_as_symbol(m->pool, symbol)->role;
    const uint32_t order = expr_as_symbol(m->pool, symbol)->order;
    const char *name = arena_format(&m->ctx->arena, "%s%s", expr_as_symbol(m->pool, symbol)->name, order == 1 && role == ROLE_COORDINATE ? "'" : "");
    model_push(v, witness, (witness_item){name, decimal(m, state_get(s, symbol), WITNESS_DIGITS)});
}

// Parameters, t, q, q' (and lambda where it is a state): enough to reproduce the state.
static void describe(const equations *eq, state *s, verdict *v) {
    const mechanics *w = eq->system;
    const model *m = w->model;
    v->witness_count = 0;
    for (uint32_t i = 0; i < m->parameters_count; i++) note(m, s, m->parameters[i].symbol, v);
    note(m, s, m->time, v);
    for (uint32_t i = 0; i < w->n; i++) note(m, s, w->q[i], v);
    for (uint32_t i = 0; i < w->n; i++) note(m, s, w->qd[i], v);
    for (uint32_t i = 0; i < w->k && eq->multipliers_are_state; i++) note(m, s, w->multiplier[i], v);
}

static bool complete(const model *m, uint64_t seed, state *s) {
    dependent_constraint *idle = arena_array(&m->ctx->arena, dependent_constraint, m->constraints_count);
    uint32_t count = 0;
    state_init(s, m, WITNESS_BITS);
    const hamel_status status = state_complete(s, &(completion_request){.mode = COMPLETE_GENERIC, .seed = seed}, idle, &count);
    for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
    return status == HAMEL_OK;
}

// Vakonomic multipliers of a witness: anything but 0, so that they matter.
static void set_multipliers(const equations *eq, state *s) {
    arb_t value;
    arb_init(value);
    for (uint32_t i = 0; i < eq->multiplier_count && eq->multipliers_are_state; i++) {
        arb_set_d(value, 0.625 + 0.25 * i);
        state_set(s, eq->multiplier[i], value);
    }
    arb_clear(value);
}

static bool refute(const equations *eq, state *s, arb_srcptr residual, uint32_t count, verdict *v) {
    for (uint32_t i = 0; i < count; i++) {
        if (!arb_is_finite(residual + i) || arb_contains_zero(residual + i)) continue;
        describe(eq, s, v);
        char *enclosure = arb_get_str(residual + i, 20, 0);
        v->residual = arena_copy(&eq->system->model->ctx->arena, enclosure, strlen(enclosure));
        flint_free(enclosure);
        v->verdict = VERDICT_REFUTED;
        v->method = "witness";
        return true;
    }
    return false;
}

bool witness_against(const equations *eq, uint32_t count, const expr *residual, verdict *v) {
    bool found = false;
    arb_ptr value = _arb_vec_init(count);
    for (uint64_t seed = 0; seed < MOST_STATES && !found; seed++) {
        state s;
        evaluation e = {0};
        expr missing;
        if (complete(eq->system->model, seed, &s)) {
            set_multipliers(eq, &s);
            if (equations_evaluate(eq, &s, &e, &missing) == EVALUATE_OK) {
                equations_values(eq, &s, count, residual, value);
                found = refute(eq, &s, value, count, v);
            }
        }
        evaluation_clear(&e);
        state_clear(&s);
    }
    _arb_vec_clear(value, count);
    return found;
}

bool witness_between(const equations *a, const equations *b, verdict *v) {
    const uint32_t n = a->system->n;
    bool found = false;
    for (uint64_t seed = 0; seed < MOST_STATES && !found; seed++) {
        state s = {0}, t = {0};
        evaluation x = {0}, y = {0};
        expr missing;
        const bool both = complete(a->system->model, seed, &s) && complete(a->system->model, seed, &t);
        if (both && !equations_evaluate(a, &s, &x, &missing) && !equations_evaluate(b, &t, &y, &missing)) {
            for (uint32_t i = 0; i < n; i++) arb_sub(y.acceleration + i, y.acceleration + i, x.acceleration + i, WITNESS_BITS);
            found = refute(a, &s, y.acceleration, n, v);
        }
        evaluation_clear(&x), evaluation_clear(&y);
        state_clear(&s), state_clear(&t);
    }
    return found;
}

verdict_kind definite_at_initial_state(const equations *eq) {
    const uint32_t n = eq->unknown_count;
    verdict_kind result = VERDICT_UNDECIDED;
    state s;
    if (complete(eq->system->model, 0, &s)) {
        arena *a = &eq->system->model->ctx->arena;
        expr *matrix = arena_array(a, expr, n * n), *rest = arena_array(a, expr, n);
        equations_affine(eq, matrix, rest);
        arb_ptr value = _arb_vec_init(n * n);
        arb_mat_t m, l;
        arb_mat_init(m, n, n), arb_mat_init(l, n, n);
        equations_values(eq, &s, n * n, matrix, value);
        for (uint32_t i = 0; i < n * n; i++) arb_set(arb_mat_entry(m, i / n, i % n), value + i);
        if (arb_mat_cho(l, m, WITNESS_BITS)) result = VERDICT_PROVED;
        for (uint32_t i = 0; i < n; i++)
            if (arb_is_negative(arb_mat_entry(m, i, i))) result = VERDICT_REFUTED;
        arb_mat_clear(m), arb_mat_clear(l);
        _arb_vec_clear(value, n * n);
    }
    state_clear(&s);
    return result;
}
