// Refutation at a real admissible state: ball arithmetic whose enclosure
// of the residual excludes 0.
#include "prove/proof_session.h"

#include <string.h>

enum { WITNESS_DIGITS = 40 };

// A decimal number without the zeros at its end: 0.5, not 0.5000.
static const char *decimal(const model *m, arb_srcptr v, slong digits) {
    // a solved zero
    if (arb_contains_zero(v) && arf_cmpabs_2exp_si(arb_midref(v), -SAMPLE_BITS / 2) < 0) return "0";
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

static void note(const model *m, state *x, expr symbol, verdict *v) {
    const symbol_role role = expr_as_symbol(m->pool, symbol)->role;
    const uint32_t order = expr_as_symbol(m->pool, symbol)->order;
    const char *name = arena_format(&m->ctx->arena, "%s%s", expr_symbol_name(m->pool, symbol),
                                    order == 1 && role == ROLE_COORDINATE ? "'" : "");
    list_push(v, witness, (witness_item){name, decimal(m, state_get(x, symbol), WITNESS_DIGITS)});
}

// Parameters, t, q, q' (and lambda where it is a state): enough to reproduce the state.
static void describe(const equations *eq, state *x, verdict *v) {
    const mechanics *s = eq->system;
    const model *m = s->model;
    v->witness_count = 0;
    for (uint32_t i = 0; i < m->parameters_count; i++) note(m, x, m->parameters[i].symbol, v);
    note(m, x, m->time, v);
    for (uint32_t i = 0; i < s->n; i++) note(m, x, s->q[i], v);
    for (uint32_t i = 0; i < s->n; i++) note(m, x, s->qd[i], v);
    for (uint32_t i = 0; i < eq->multiplier_count; i++)
        if (equations_multiplier_is_state(eq, i)) note(m, x, s->multiplier[i], v);
}

// The arbitrary accelerations and displacements that the residuals speak of.
static void describe_arbitrary(const samples *r, state *x, uint32_t count, const expr *residual,
                               verdict *v) {
    for (uint32_t i = 0; r->paths && i < r->paths->arbitrary_count; i++) {
        bool held = false;
        for (uint32_t j = 0; j < count; j++)
            held |= expr_depends_on(r->m->pool, residual[j], 1, &r->paths->arbitrary[i]);
        if (held) note(r->m, x, r->paths->arbitrary[i], v);
    }
}

// The summands of e, appended to `out`; returns how many there are now.
static uint32_t add_summands(pool *p, expr e, expr *out, uint32_t count) {
    if (expr_kind_of(p, e) != EXPR_SUM) {
        out[count++] = e;
        return count;
    }
    out[count++] = expr_operand(p, e, 0);
    for (uint32_t i = 1; i < expr_operand_count(p, e); i += 2)
        out[count++] = expr_mul(p, expr_operand(p, e, i), expr_operand(p, e, i + 1));
    return count;
}

// |left - right| over the largest summand of both sides, to three digits
static const char *relative_size(const equations *eq, state *x, arb_srcptr residual,
                                 const expr side[2]) {
    pool *p = eq->system->pool;
    expr *term = arena_array(&eq->system->model->ctx->arena, expr,
                             expr_operand_count(p, side[0]) + expr_operand_count(p, side[1]) + 2);
    const uint32_t count = add_summands(p, side[1], term, add_summands(p, side[0], term, 0));
    arb_ptr value = _arb_vec_init(count + 1);
    equations_values(eq, x, count, term, value);
    for (uint32_t i = 0; i < count; i++) {
        arb_abs(value + i, value + i);
        arb_max(value + count, value + count, value + i, SAMPLE_BITS);
    }
    arb_abs(value, residual);
    arb_div(value, value, value + count, SAMPLE_BITS);
    const char *size = arb_is_finite(value) ? decimal(eq->system->model, value, 3) : NULL;
    _arb_vec_clear(value, count + 1);
    return size;
}

void witness_note_state(const equations *eq, state *x, arb_srcptr residual, verdict *v) {
    describe(eq, x, v);
    char *enclosure = arb_get_str(residual, 20, 0);
    v->residual = arena_copy(&eq->system->model->ctx->arena, enclosure, strlen(enclosure));
    flint_free(enclosure);
}

static bool refute(const equations *eq, state *x, arb_srcptr residual, uint32_t count, verdict *v) {
    for (uint32_t i = 0; i < count; i++) {
        if (!arb_is_finite(residual + i) || arb_contains_zero(residual + i)) continue;
        witness_note_state(eq, x, residual + i, v);
        if (v->side[0] != EXPR_NONE) v->relative = relative_size(eq, x, residual + i, v->side);
        v->verdict = VERDICT_REFUTED;
        v->method = "witness";
        return true;
    }
    return false;
}

// Does no denominator of the residuals hold 0 there? 0/0 is no value, though its parts may cancel
// when stand-ins take the place of functions.
static bool has_value(const equations *eq, state *x, uint32_t count, const expr *residual) {
    uint32_t n;
    bool good = true;
    expr *base = expr_denominators(eq->system->pool, count, residual, &n);
    arb_ptr value = _arb_vec_init(n);
    if (n) equations_values(eq, x, n, base, value);
    for (uint32_t i = 0; i < n; i++) good = good && !arb_contains_zero(value + i);
    _arb_vec_clear(value, n);
    memory_free(base);
    return good;
}

bool witness_at(const samples *r, const equations *eq, state *x, uint32_t count,
                const expr *residual, verdict *v) {
    if (!has_value(eq, x, count, residual)) return false;
    arb_ptr value = _arb_vec_init(count);
    equations_values(eq, x, count, residual, value);
    const bool found = refute(eq, x, value, count, v);
    if (found) describe_arbitrary(r, x, count, residual, v);
    _arb_vec_clear(value, count);
    return found;
}

bool witness_against(samples *r, const equations *eq, uint32_t count, const expr *residual,
                     verdict *v) {
    bool found = false;
    for (uint32_t i = 0; i < STATED_SAMPLES && !found; i++) {
        solved_sample *s = samples_solved(r, eq, i);
        found = s && witness_at(r, eq, &s->at, count, residual, v);
    }
    return found;
}

bool witness_refute(const samples *r, const equations *eq, state *x, arb_srcptr gap,
                    const statement *st, verdict *v) {
    if (!refute(eq, x, gap, 1, v)) return false;
    describe_arbitrary(r, x, st->count, st->residual, v);
    return true;
}

// The velocities of one state, and the quasi-velocities that go with them, in another.
static void take_velocities(const equations *eq, state *from, state *to) {
    const mechanics *s = eq->system;
    for (uint32_t i = 0; i < s->n; i++) state_set(to, s->qd[i], state_get(from, s->qd[i]));
    arb_ptr eta = _arb_vec_init(s->m);
    equations_values(eq, to, s->m, s->psi, eta);
    for (uint32_t i = 0; i < s->m; i++) state_set(to, s->eta[i], eta + i);
    _arb_vec_clear(eta, s->m);
}

bool witness_between(samples *r, const equations *a, const equations *b, bool with_multipliers,
                     verdict *v) {
    const uint32_t n = a->system->n, k = a->multiplier_count;
    bool found = false;
    for (uint32_t seed = 0; seed < STATED_SAMPLES && !found; seed++) {
        state s = {0}, t = {0};
        evaluation x = {0}, y = {0};
        expr missing;
        const bool both = samples_copy(r, seed, &s) && samples_copy(r, seed, &t);
        if (both) samples_set_arbitrary(r, b, &t);
        const bool second = both && !equations_evaluate(b, &t, &y, &missing);
        if (second && equations_fix_velocities(b)) take_velocities(b, &t, &s);
        if (second && !equations_evaluate(a, &s, &x, &missing) && samples_are_on_branch(a, &s) &&
            samples_are_on_branch(b, &t)) {
            for (uint32_t i = 0; i < n; i++)
                arb_sub(y.acceleration + i, y.acceleration + i, x.acceleration + i, SAMPLE_BITS);
            for (uint32_t i = 0; i < k && with_multipliers; i++)
                arb_sub(y.multiplier + i, y.multiplier + i, x.multiplier + i, SAMPLE_BITS);
            found = refute(b, &t, y.acceleration, n, v) ||
                    (with_multipliers && refute(b, &t, y.multiplier, k, v));
        }
        evaluation_clear(&x), evaluation_clear(&y);
        state_clear(&s), state_clear(&t);
    }
    return found;
}
