// Looking for a state where a condition does not hold: one variable at a time, by ever larger steps.
#include "prove/other_side.h"

static const double REACH[] = {0.1, 0.7, 1, 2.5, 5, 12, 60, 400, 3e3, 1e5, 1e7, 1e9, 1e12};
enum { REACHES = sizeof REACH / sizeof *REACH };

void state_copy_to(const state *from, state *out) {
    state_init(out, from->model, from->precision);
    out->generic = from->generic;
    for (uint32_t i = 0; i < from->capacity; i++)
        if (from->known[i]) state_set(out, pool_symbol(from->model->pool, i)->node, from->value + i);
}

static bool obeys_constraints(const equations *eq, state *s) {
    const model *m = s->model;
    bool good = true;
    arb_t value;
    arb_init(value);
    for (uint32_t i = 0; i < m->constraints_count && good; i++) {
        const constraint *c = &m->constraints[i];
        if (c->order > 1) continue; // on accelerations
        const expr phi[2] = {c->phi, c->velocity_phi};
        for (int j = 0; j < (c->order == 0 ? 2 : 1) && good; j++) {
            equations_values(eq, s, 1, &phi[j], value);
            good = arb_contains_zero(value);
        }
    }
    arb_clear(value);
    return good;
}

// Everything that follows from the moved state, and whether it lies on the other side.
static bool is_other_side(const equations *eq, state *s, expr of, int sign) {
    evaluation e = {0};
    expr missing;
    bool other = obeys_constraints(eq, s) && equations_evaluate(eq, s, &e, &missing) == EVALUATE_OK;
    evaluation_clear(&e);
    if (!other) return false;
    arb_t value;
    arb_init(value);
    equations_values(eq, s, 1, &of, value);
    other = arb_is_finite(value) && (sign > 0 ? arb_is_negative(value) : arb_is_positive(value));
    arb_clear(value);
    return other;
}

static bool move(const equations *eq, const state *from, expr variable, expr of, int sign, state *out) {
    for (int i = 0; i < 2 * REACHES; i++) {
        arb_t value;
        arb_init(value);
        arb_set_d(value, i % 2 ? -REACH[i / 2] : REACH[i / 2]);
        state_copy_to(from, out);
        state_set(out, variable, value);
        arb_clear(value);
        if (is_other_side(eq, out, of, sign)) return true;
        state_clear(out);
    }
    return false;
}

bool find_other_side(const equations *eq, const state *from, expr of, int sign, state *out) {
    const mechanics *s = eq->system;
    pool *p = s->pool;
    for (uint32_t i = 0; i < 2 * s->n + 1; i++) {
        const expr variable = i < s->n ? s->q[i] : i < 2 * s->n ? s->qd[i - s->n] : s->model->time;
        if (i == 2 * s->n && !expr_depends_on(p, of, 1, &variable)) continue;
        if (i < 2 * s->n && expr_order(p, of) < 2 && !expr_depends_on(p, of, 1, &variable)) continue;
        if (move(eq, from, variable, of, sign, out)) return true;
    }
    return false;
}
