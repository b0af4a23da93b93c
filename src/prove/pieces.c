// Statements around real states: which signs were used, whether both of them and all their patterns
// were seen; further states are looked for far away, on the constraints and between others.
#include "prove/pieces.h"

#include "prove/decider.h"
#include "prove/flow.h"
#include "prove/samples.h"

#include <math.h>

enum {
    TWO_STATES = 2,
    MOST_SIGNS = 64,
    MOST_MIXED = 8,     // signs whose patterns are looked for
    WALKS = 24,         // for each pattern
    MOST_WALKS = 600,   // for all of them
    MOST_HALVES = 70,   // between two states: 2^-70 of the way
    MOST_BETWEEN = 600, // states that lie between others
    MOST_KEPT = 64,     // further states whose signs count as seen
};

// abs and sign in the equations of motion: points with the signs of the state only.
static void set_conditions(local_state *here, decider *d) {
    const equations *eq = d->motion->eq;
    d->condition_count = 0;
    for (uint32_t i = 0; i < eq->unknown_count; i++) {
        uint32_t count;
        expr *nodes = expr_reachable(here->p, 1, &eq->residual[i].value, &count);
        for (uint32_t j = 0; j < count && d->condition_count < MOST_CONDITIONS; j++) {
            const expr_kind kind = expr_kind_of(here->p, nodes[j]);
            if (kind != EXPR_ABS && kind != EXPR_SIGN) continue;
            const expr u = expr_operand(here->p, nodes[j], 0),
                       positive = local_form_sign(here, u) < 0 ? expr_neg(here->p, u) : u;
            bool known = false;
            for (uint32_t k = 0; k < d->condition_count; k++) known |= d->condition[k] == positive;
            if (!known) d->condition[d->condition_count++] = positive;
        }
        memory_free(nodes);
    }
    d->test.condition = d->condition, d->test.condition_count = d->condition_count;
}

typedef enum { AROUND_ZERO, AROUND_UNKNOWN, AROUND_NO_VALUE, AROUND_LOST } around;

static around vanish_around(local_state *here, decider *d, uint32_t count, const expr *e) {
    arb_t value;
    around result = AROUND_ZERO;
    arb_init(value);
    for (uint32_t i = 0; i < count && result == AROUND_ZERO; i++)
        if (!local_form_value(here, e[i], value)) result = AROUND_NO_VALUE;
    arb_clear(value);
    if (result == AROUND_ZERO) set_conditions(here, d);
    for (uint32_t i = 0; i < count && result == AROUND_ZERO; i++) {
        here->beside = e[i];
        const expr form =
            local_form_is_too_long(here->p, e[i]) ? EXPR_NONE : local_form(here, e[i]);
        if (here->lost) result = AROUND_LOST;
        else if (form == EXPR_NONE || !decider_vanishes(here, form)) result = AROUND_UNKNOWN;
    }
    return result;
}

// Signs that were the same at all states are conditions; those that were not are
// none: it was seen with either.
static void gather_signs(const local_state *here, pieces_result *out, uint64_t *mixed) {
    for (uint32_t i = 0; i < here->signs_count; i++) {
        uint32_t k = 0;
        while (k < out->where_count && out->where[k].of != here->signs[i].of) k++;
        if (k == out->where_count) list_push(out, where, here->signs[i]);
        else if (out->where[k].sign != here->signs[i].sign && k < MOST_SIGNS) *mixed |= 1ull << k;
    }
}

// A parameter whose other sign makes the statement false: it holds for this one.
static void gather_parameters(local_state *here, uint32_t count, const expr *e,
                              pieces_result *out) {
    const model *m = here->at->model;
    arb_t value;
    arb_init(value);
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        const expr a = m->parameters[i].symbol, minus = expr_neg(here->p, a);
        bool matters = false;
        for (uint32_t j = 0; j < count && !matters; j++) {
            if (!expr_depends_on(here->p, e[j], 1, &a)) continue;
            matters = local_form_value(here, expr_replace(here->p, e[j], 1, &a, &minus), value) &&
                      !arb_contains_zero(value);
        }
        for (uint32_t k = 0; k < out->where_count; k++) matters = matters && out->where[k].of != a;
        local_form_value(here, a, value);
        const int sign = arb_is_positive(value) - arb_is_negative(value);
        if (matters && sign) list_push(out, where, ((sign_used){a, sign}));
    }
    arb_clear(value);
}

typedef struct {
    uint32_t count; // of signs
    uint64_t bits;  // which are positive
} sign_pattern;

typedef struct {
    const pieces_request *r;
    decider d;
    uint32_t count; // the statement
    const expr *e;
    pieces_result *out;
    uint32_t proved, lost;
    bool failed;
    uint64_t mixed;               // a bit for each condition that was seen with either sign
    LIST(sign_pattern, patterns); // tried
    LIST(state, kept);            // further states that were tried
    uint32_t between;             // states looked at between others
} state_search;

static void try_state(state_search *c, state *at) {
    local_state here = {.p = c->r->motion.system->pool, .eq = c->r->motion.eq, .at = at};
    here.vanishes = decider_vanishes, here.decider = &c->d;
    c->d.failed_count = 0;
    const around result = vanish_around(&here, &c->d, c->count, c->e);
    c->failed |= result == AROUND_UNKNOWN;
    c->proved += result == AROUND_ZERO;
    c->lost += result == AROUND_LOST;
    if (result == AROUND_ZERO) gather_signs(&here, c->out, &c->mixed);
    if (result == AROUND_ZERO && c->kept_count < MOST_KEPT) {
        state copy;
        state_copy(at, at->precision, &copy);
        list_push(c, kept, copy);
    }
    if (result == AROUND_ZERO && c->d.by_family) gather_parameters(&here, c->count, c->e, c->out);
    local_form_clear(&here);
}

// --- further states -----------------------------------------------------------------------------

// A bit for each of the first signs used that is positive at the state; false where one is not
// certain.
static bool signs_at(const state_search *c, state *x, uint64_t *bits) {
    const uint32_t count = c->out->where_count < MOST_SIGNS ? c->out->where_count : MOST_SIGNS;
    expr of[MOST_SIGNS];
    bool certain = true;
    for (uint32_t i = 0; i < count; i++) of[i] = c->out->where[i].of;
    arb_ptr value = _arb_vec_init(count);
    if (count) equations_values(c->r->motion.eq, x, count, of, value);
    *bits = 0;
    for (uint32_t i = 0; i < count; i++) {
        certain = certain && arb_is_finite(value + i) && !arb_contains_zero(value + i);
        if (arb_is_positive(value + i)) *bits |= 1ull << i;
    }
    _arb_vec_clear(value, count);
    return certain;
}

// Notes the signs at the state; false where they are not certain, or were tried before. A longer
// list of signs is another pattern.
static bool is_new_pattern(state_search *c, state *x) {
    sign_pattern here = {.count = c->out->where_count};
    if (!signs_at(c, x, &here.bits)) return false;
    for (uint32_t i = 0; i < c->patterns_count; i++)
        if (c->patterns[i].bits == here.bits && c->patterns[i].count == here.count) return false;
    list_push(c, patterns, here);
    return true;
}

// Is the statement certainly not zero there?
static bool fails_at(const state_search *c, state *x) {
    bool fails = false;
    arb_t value;
    arb_init(value);
    for (uint32_t i = 0; i < c->count && !fails; i++) {
        equations_values(c->r->motion.eq, x, 1, &c->e[i], value);
        fails = arb_is_finite(value) && !arb_contains_zero(value);
    }
    arb_clear(value);
    return fails;
}

// A state found on the way: where the statement fails, the caller is shown it;
// where the signs are new, it is tried like the others. (|x| - x)*(|y| - y) = 0 is false
// for one pattern of signs in four only.
static void look_further(state_search *c, state *at) {
    if (!samples_are_on_branch(c->r->motion.eq, at)) return;
    if (fails_at(c, at)) c->failed = true;
    else if (is_new_pattern(c, at)) try_state(c, at);
    if (c->failed && c->r->against) c->r->against(c->r->judge, at);
}

// --- far away -----------------------------------------------------------------------------------

static const double REACH[] = {0.1, 0.45, 0.9, 1.3, 2,   2.8, 4,   5,   7.5,
                               11,  20,   60,  400, 3e3, 1e5, 1e7, 1e9, 1e12};
enum { REACHES = sizeof REACH / sizeof *REACH, MOST_MOVES = 720, RANDOM_STATES = 300 };

// Candidates, by number: one coordinate, velocity or the time moved at a time, by small
// and by very large steps; then all of them at random. Only what the expressions speak of
// and no constraint does is moved.
typedef struct {
    const equations *eq;
    const state *from;
    uint64_t seed;
    uint32_t variables;
    expr *variable;
    uint32_t candidates;
} far_states;

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

static far_states far_states_from(const equations *eq, const state *from, uint64_t seed,
                                  uint32_t count, const expr *e) {
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

// The candidate, with everything along the motion of eq there. False (and nothing to clear) where
// the motion has no value.
static bool far_state(const far_states *far, uint32_t number, state *out) {
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

static void wander_about(state_search *c, const state *from) {
    const uint64_t seed = pool_context(c->r->motion.system->pool)->seed;
    const far_states far = far_states_from(c->r->motion.eq, from, seed, c->count, c->e);
    for (uint32_t i = 0; i < far.candidates && !c->failed; i++) {
        state x;
        if (!far_state(&far, i, &x)) continue;
        look_further(c, &x);
        state_clear(&x);
    }
}

// Walks on the constraints, which stay within the piece of the state
static void walk_about(state_search *c, const state *from, uint32_t walks) {
    const uint64_t seed = pool_context(c->r->motion.system->pool)->seed;
    walker w = walker_create(c->r->motion.system);
    for (uint32_t i = 0; i < walks && !c->failed; i++) {
        const walk_request request = {.seed = seed + 7919 * (uint64_t)(i + 1), .far = true};
        evaluation e = {0};
        expr missing;
        state x;
        state_copy(from, from->precision, &x);
        if (walk(&w, &request, &x) &&
            equations_evaluate(c->r->motion.eq, &x, &e, &missing) == EVALUATE_OK)
            look_further(c, &x);
        evaluation_clear(&e);
        state_clear(&x);
    }
    walker_free(&w);
}

// --- between states -----------------------------------------------------------------------------

// Half way: t, q and q' (no constraint binds them), with what follows from them.
static bool half_way(const state_search *c, const state *one, const state *other, state *out) {
    const equations *eq = c->r->motion.eq;
    const mechanics *s = eq->system;
    evaluation e = {0};
    expr missing;
    state_copy(one, one->precision, out);
    for (uint32_t i = 0; i <= 2 * s->n; i++) {
        const expr symbol = i == 2 * s->n ? s->model->time : i % 2 ? s->qd[i / 2] : s->q[i / 2];
        arb_ptr x = state_get(out, symbol);
        arb_add(x, x, other->value + expr_symbol_index(s->pool, symbol), out->precision);
        arb_mul_2exp_si(x, x, -1);
    }
    flow_set_quasi(eq, out);
    const bool ok = equations_evaluate(eq, out, &e, &missing) == EVALUATE_OK;
    evaluation_clear(&e);
    return ok;
}

// Two signs that change between two states hardly change at one place: between their places a third
// pattern stands, however near they are. sign(x)*sign(x - 1/30) = 1 is false there only.
static void look_between(state_search *c, state *one, state *other, uint32_t halves) {
    uint64_t here, there, middle;
    state half = {0};
    if (c->failed || halves == 0 || c->between++ >= MOST_BETWEEN) return;
    if (!signs_at(c, one, &here) || !signs_at(c, other, &there) ||
        __builtin_popcountll(here ^ there) < 2)
        return;
    if (half_way(c, one, other, &half) && signs_at(c, &half, &middle)) {
        look_further(c, &half);
        look_between(c, one, &half, halves - 1);
        look_between(c, &half, other, halves - 1);
    }
    state_clear(&half);
}

// Were all patterns of the signs seen that were seen with either value?
static bool all_patterns_seen(const state_search *c) {
    uint64_t seen[MOST_KEPT];
    uint32_t count = 0;
    const int mixed = __builtin_popcountll(c->mixed);
    if (mixed < 2) return true;
    if (mixed > MOST_MIXED) return false;
    for (uint32_t i = 0; i < c->kept_count; i++) {
        uint64_t bits;
        uint32_t k = 0;
        if (!signs_at(c, &c->kept[i], &bits)) continue;
        while (k < count && seen[k] != (bits & c->mixed)) k++;
        if (k == count) seen[count++] = bits & c->mixed;
    }
    return count == 1u << mixed;
}

static void try_further_states(state_search *c) {
    for (uint32_t i = 0; i < c->r->state_count; i++) is_new_pattern(c, c->r->states[i]);
    for (uint32_t i = 0; i < c->r->state_count && i < TWO_STATES; i++)
        wander_about(c, c->r->states[i]);
    for (uint32_t i = 0; !c->r->motion.system->k && i + 1 < c->r->state_count; i++)
        look_between(c, c->r->states[i], c->r->states[i + 1], MOST_HALVES);
    const int mixed = __builtin_popcountll(c->mixed);
    if (mixed > MOST_MIXED) c->failed = true; // too many patterns to look at
    if (c->r->motion.system->k && !c->failed) {
        const uint32_t walks = (uint32_t)WALKS << mixed;
        walk_about(c, c->r->states[0], walks < MOST_WALKS ? walks : MOST_WALKS);
    }
}

// --- the whole ----------------------------------------------------------------------------------

static void finish(state_search *c) {
    uint32_t kept = 0;
    pieces_result *out = c->out;
    out->on_pieces = c->d.by_family || !all_patterns_seen(c);
    for (uint32_t i = 0; i < out->where_count; i++)
        if (i >= MOST_SIGNS || !(c->mixed >> i & 1)) out->where[kept++] = out->where[i];
    out->where_count = kept;
    out->exact = c->d.trials == 0, out->trials = c->d.trials, out->bound = c->d.bound;
    decider_clear(&c->d);
    memory_free(c->patterns);
    for (uint32_t i = 0; i < c->kept_count; i++) state_clear(&c->kept[i]);
    memory_free(c->kept);
}

bool pieces_vanish(const pieces_request *r, uint32_t count, const expr *e, pieces_result *out) {
    state_search c = {.r = r, .d = {.motion = &r->motion}, .count = count, .e = e, .out = out};
    *out = (pieces_result){0};
    for (uint32_t i = 0; i < r->state_count && !c.failed; i++) try_state(&c, r->states[i]);
    const bool enough = c.proved > c.lost && (c.proved >= TWO_STATES || r->state_count == 1);
    if (enough && !c.failed) try_further_states(&c);
    finish(&c);
    return enough && !c.failed;
}
