// Statements around real states: which signs were used, whether both of them and all their patterns were seen.
#include "prove/pieces.h"

#include "prove/decide.h"
#include "prove/other_side.h"
#include "prove/walk.h"

#include <stdlib.h>

enum {
    TWO_STATES = 2,
    MOST_SIGNS = 64,
    MOST_MIXED = 8,   // signs whose patterns are looked for
    WALKS = 24,       // for each pattern
    MOST_WALKS = 600, // for all of them
    ROUNDS = 3
};

// abs and sign in the equations of motion: points with the signs of the state only.
static void set_conditions(near_state *n, decider *d) {
    const equations *eq = d->motion->eq;
    d->condition_count = 0;
    for (uint32_t i = 0; i < eq->unknown_count; i++) {
        uint32_t count;
        expr *nodes = expr_reachable(n->p, 1, &eq->residual[i].value, &count);
        for (uint32_t j = 0; j < count && d->condition_count < MOST_CONDITIONS; j++) {
            const expr_kind kind = expr_kind_of(n->p, nodes[j]);
            if (kind != EXPR_ABS && kind != EXPR_SIGN) continue;
            const expr u = expr_operand(n->p, nodes[j], 0), positive = near_sign(n, u) < 0 ? expr_neg(n->p, u) : u;
            bool known = false;
            for (uint32_t k = 0; k < d->condition_count; k++) known |= d->condition[k] == positive;
            if (!known) d->condition[d->condition_count++] = positive;
        }
        free(nodes);
    }
    d->stage.condition = d->condition, d->stage.condition_count = d->condition_count;
}

typedef enum { AROUND_ZERO, AROUND_UNKNOWN, AROUND_NO_VALUE, AROUND_LOST } around;

static around vanish_around(near_state *n, decider *d, uint32_t count, const expr *e) {
    arb_t value;
    around result = AROUND_ZERO;
    arb_init(value);
    for (uint32_t i = 0; i < count && result == AROUND_ZERO; i++)
        if (!near_value(n, e[i], value)) result = AROUND_NO_VALUE;
    arb_clear(value);
    if (result == AROUND_ZERO) set_conditions(n, d);
    for (uint32_t i = 0; i < count && result == AROUND_ZERO; i++) {
        n->beside = e[i];
        const expr form = is_too_long(n->p, e[i]) ? EXPR_NONE : near_form(n, e[i]);
        if (n->lost) result = AROUND_LOST;
        else if (form == EXPR_NONE || !decide(n, form)) result = AROUND_UNKNOWN;
    }
    return result;
}

// Signs that were the same at all states are conditions; those that were not are none: it was seen with either.
static void gather_signs(const near_state *n, pieces_result *out, bool *mixed) {
    for (uint32_t i = 0; i < n->signs_count; i++) {
        uint32_t k = 0;
        while (k < out->where_count && out->where[k].of != n->signs[i].of) k++;
        if (k == out->where_count) model_push(out, where, n->signs[i]);
        else if (out->where[k].sign != n->signs[i].sign && k < MOST_SIGNS) mixed[k] = true;
    }
}

// A parameter whose other sign makes the statement false: it holds for this one.
static void gather_parameters(near_state *n, uint32_t count, const expr *e, pieces_result *out) {
    const model *m = n->at->model;
    arb_t value;
    arb_init(value);
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        const expr a = m->parameters[i].symbol, minus = expr_neg(n->p, a);
        bool matters = false;
        for (uint32_t j = 0; j < count && !matters; j++) {
            if (!expr_depends_on(n->p, e[j], 1, &a)) continue;
            matters = near_value(n, expr_replace(n->p, e[j], 1, &a, &minus), value) && !arb_contains_zero(value);
        }
        for (uint32_t k = 0; k < out->where_count; k++) matters = matters && out->where[k].of != a;
        near_value(n, a, value);
        const int sign = arb_is_positive(value) - arb_is_negative(value);
        if (matters && sign) model_push(out, where, ((sign_used){a, sign}));
    }
    arb_clear(value);
}

typedef struct {
    const pieces_request *r;
    decider d;
    uint32_t count; // the statement
    const expr *e;
    pieces_result *out;
    uint32_t proved, lost;
    bool failed;
    bool mixed[MOST_SIGNS]; // conditions that were seen with either sign
} court_of_states;

static void try_state(court_of_states *c, state *at) {
    near_state n = {.p = c->r->motion.system->pool, .eq = c->r->motion.eq, .at = at};
    n.vanishes = decide, n.decider = &c->d;
    c->d.failed_count = 0;
    const around result = vanish_around(&n, &c->d, c->count, c->e);
    c->failed |= result == AROUND_UNKNOWN;
    c->proved += result == AROUND_ZERO;
    c->lost += result == AROUND_LOST;
    if (result == AROUND_ZERO) gather_signs(&n, c->out, c->mixed);
    if (result == AROUND_ZERO && c->d.by_family) gather_parameters(&n, c->count, c->e, c->out);
    near_clear(&n);
}

// A state found on the way. If the statement fails there, whoever asked may look at it.
static void try_found_state(court_of_states *c, state *at) {
    try_state(c, at);
    if (c->failed && c->r->against) c->r->against(c->r->judge, at);
}

// A condition that happened to hold at all states is looked for where it does not.
static void try_other_sides(court_of_states *c) {
    for (uint32_t i = 0; i < c->out->where_count && i < MOST_SIGNS && !c->failed; i++) {
        for (uint32_t k = 0; k < c->r->state_count && k < TWO_STATES && !c->mixed[i] && !c->failed; k++) {
            state other;
            const sign_used *w = &c->out->where[i];
            if (!find_other_side(c->r->motion.eq, c->r->states[k], w->of, w->sign, &other)) continue;
            try_found_state(c, &other);
            state_clear(&other);
        }
    }
}

// --- patterns of signs ----------------------------------------------------------------------------------------------

// The signs of the expressions at the state, a bit each; false where one is not certain.
static bool pattern_at(const equations *eq, state *s, uint32_t count, const expr *e, uint32_t *pattern) {
    bool certain = true;
    arb_ptr value = _arb_vec_init(count);
    equations_values(eq, s, count, e, value);
    *pattern = 0;
    for (uint32_t i = 0; i < count; i++) {
        certain = certain && arb_is_finite(value + i) && !arb_contains_zero(value + i);
        if (arb_is_positive(value + i)) *pattern |= 1u << i;
    }
    _arb_vec_clear(value, count);
    return certain;
}

// Another state of the same piece, with everything along the motion there.
static bool walk_to(const court_of_states *c, const walker *w, uint32_t number, state *out) {
    const state *from = c->r->states[number % c->r->state_count];
    evaluation e = {0};
    expr missing;
    state_copy_to(from, out);
    const walk_request request = {.seed = pool_context(c->r->motion.system->pool)->seed + 7919 * (number + 1),
                                  .far = true};
    const bool good = walk(w, &request, out) && equations_evaluate(c->r->motion.eq, out, &e, &missing) == EVALUATE_OK;
    evaluation_clear(&e);
    if (!good) state_clear(out);
    return good;
}

// (|x| - x)*(|y| - y) = 0 is false for one of the four patterns of signs only: each that a walk meets is tried.
static void try_patterns(court_of_states *c) {
    const equations *eq = c->r->motion.eq;
    expr mixed[MOST_MIXED];
    bool seen[1 << MOST_MIXED] = {false};
    uint32_t count = 0, pattern, left;
    for (uint32_t i = 0; i < c->out->where_count && i < MOST_SIGNS; i++) {
        if (!c->mixed[i]) continue;
        if (count == MOST_MIXED) c->failed = true; // too many to look at
        else mixed[count++] = c->out->where[i].of;
    }
    if (count < 2 || c->failed) return;
    left = 1u << count;
    for (uint32_t i = 0; i < c->r->state_count; i++)
        if (pattern_at(eq, c->r->states[i], count, mixed, &pattern)) left -= !seen[pattern], seen[pattern] = true;
    walker w = walker_create(c->r->motion.system);
    for (uint32_t i = 0; i < (uint32_t)WALKS << count && i < MOST_WALKS && left && !c->failed; i++) {
        state s;
        if (!walk_to(c, &w, i, &s)) continue;
        if (pattern_at(eq, &s, count, mixed, &pattern) && !seen[pattern]) {
            try_found_state(c, &s);
            seen[pattern] = true, left--;
        }
        state_clear(&s);
    }
    walker_free(&w);
}

static uint32_t mixed_count(const court_of_states *c) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MOST_SIGNS; i++) count += c->mixed[i];
    return count;
}

// --- the whole ------------------------------------------------------------------------------------------------------

static void finish(court_of_states *c) {
    uint32_t kept = 0;
    pieces_result *out = c->out;
    for (uint32_t i = 0; i < out->where_count; i++)
        if (i >= MOST_SIGNS || !c->mixed[i]) out->where[kept++] = out->where[i];
    out->where_count = kept;
    out->exact = c->d.trials == 0, out->trials = c->d.trials, out->bound = c->d.bound;
    out->on_pieces = c->d.by_family;
    decider_clear(&c->d);
}

bool vanish_on_pieces(const pieces_request *r, uint32_t count, const expr *e, pieces_result *out) {
    court_of_states c = {.r = r, .d = {.motion = &r->motion}, .count = count, .e = e, .out = out};
    *out = (pieces_result){0};
    for (uint32_t i = 0; i < r->state_count && !c.failed; i++) try_state(&c, r->states[i]);
    const bool enough = c.proved > c.lost && (c.proved >= TWO_STATES || r->state_count == 1);
    if (enough) {
        uint32_t before;
        try_other_sides(&c);
        for (uint32_t round = 0; round < ROUNDS && !c.failed; round++) {
            before = mixed_count(&c);
            try_patterns(&c);
            if (mixed_count(&c) == before) break;
        }
    }
    finish(&c);
    return enough && !c.failed;
}

void pieces_result_clear(pieces_result *r) { free(r->where); }
