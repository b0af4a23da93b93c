// States far and wide, from one that is known.
#include "prove/far_states.h"

#include <math.h>

static const double REACH[] = {0.1, 0.45, 0.9, 1.3, 2,   2.8, 4,   5,   7.5,
                               11,  20,   60,  400, 3e3, 1e5, 1e7, 1e9, 1e12};
enum { REACHES = sizeof REACH / sizeof *REACH, MOST_MOVES = 720, RANDOM_STATES = 300 };

// Accelerations follow from all of them.
static bool speaks_of(pool *p, uint32_t count, const expr *e, expr variable) {
    for (uint32_t i = 0; i < count; i++)
        if (expr_order(p, e[i]) > 1 || expr_depends_on(p, e[i], 1, &variable)) return true;
    return false;
}

// What stands in a constraint cannot be moved alone, or only onto another branch of it.
static bool is_constrained(pool *p, const model *m, expr variable) {
    for (uint32_t i = 0; i < m->constraints_count; i++)
        if (expr_depends_on(p, m->constraints[i].phi, 1, &variable) ||
            (m->constraints[i].order == 0 &&
             expr_depends_on(p, m->constraints[i].velocity_phi, 1, &variable)))
            return true;
    return false;
}

far_states far_states_create(const equations *eq, const state *from, uint64_t seed, uint32_t count,
                             const expr *e) {
    const mechanics *s = eq->system;
    far_states far = {.eq = eq, .from = from, .seed = seed};
    far.variable = arena_array(&s->model->ctx->arena, expr, 2 * s->n + 1);
    for (uint32_t i = 0; i < 2 * s->n + 1; i++) {
        const expr v = i < s->n ? s->q[i] : i < 2 * s->n ? s->qd[i - s->n] : s->model->time;
        if (speaks_of(s->pool, count, e, v) && !is_constrained(s->pool, s->model, v))
            far.variable[far.variables++] = v;
    }
    far.candidates = far.variables * 2 * REACHES;
    if (far.candidates > MOST_MOVES) far.candidates = MOST_MOVES;
    if (far.variables) far.candidates += RANDOM_STATES;
    return far;
}

static void put(state *x, expr variable, double to) {
    arb_t value;
    arb_init(value);
    arb_set_d(value, to);
    state_set(x, variable, value);
    arb_clear(value);
}

// Of either sign, and of any size between 1/32 and 2^10
static double any_size(uint64_t *random) {
    const double exponent = (double)(random_next(random) >> 11) * 0x1p-53 * 15 - 5;
    const double size = rint(ldexp(exp2(exponent), 12)) / 4096;
    return random_next(random) & 1 ? size : -size;
}

bool far_states_get(const far_states *far, uint32_t number, state *out) {
    const uint32_t moves =
        far->variables * 2 * REACHES < MOST_MOVES ? far->variables * 2 * REACHES : MOST_MOVES;
    evaluation e = {0};
    expr missing;
    state_copy(far->from, far->from->precision, out);
    if (number < moves) { // the nearest of all variables first
        const uint32_t step = number / far->variables;
        put(out, far->variable[number % far->variables],
            step % 2 ? -REACH[step / 2] : REACH[step / 2]);
    } else {
        uint64_t random = far->seed + number * 0x9E3779B97F4A7C15u;
        for (uint32_t i = 0; i < far->variables; i++) put(out, far->variable[i], any_size(&random));
    }
    const bool good = equations_evaluate(far->eq, out, &e, &missing) == EVALUATE_OK;
    evaluation_clear(&e);
    if (!good) state_clear(out);
    return good;
}
