// The shortest form of an expression: inner arguments first, then the whole.
#include "normal/normal_memory.h"
#include "expr/node_position.h"
#include "normal/ring.h"
#include "normal/polish.h"

enum { CONTRACTIONS = 3 }; // rounds of cos(a)cos(b) + sin(a)sin(b) -> cos(a - b)

// A symbol, number or function of a symbol, which no rule can shorten.
static bool is_simple_factor(const pool *p, expr e) {
    const expr_kind kind = expr_kind_of(p, e);
    if (kind == EXPR_SYMBOL || kind == EXPR_NUMBER || kind == EXPR_PI) return true;
    if (kind == EXPR_SUM || kind == EXPR_PRODUCT || kind == EXPR_TAN || kind == EXPR_TANH)
        return false;
    for (uint32_t i = 0; i < expr_operand_count(p, e); i++)
        if (expr_kind_of(p, expr_operand(p, e, i)) != EXPR_SYMBOL) return false;
    return true;
}

static bool is_linear(const pool *p, expr sum) {
    for (uint32_t i = 2; i < expr_operand_count(p, sum); i += 2)
        if (expr_kind_of(p, expr_operand(p, sum, i)) != EXPR_SYMBOL) return false;
    return true;
}

// c * product of simple factors, or a linear combination of symbols: nothing to gain.
static bool is_simple(const pool *p, expr e) {
    expr c, rest;
    expr_split_coefficient(p, e, &c, &rest);
    if (expr_kind_of(p, rest) == EXPR_SUM) return is_linear(p, rest);
    if (expr_kind_of(p, rest) != EXPR_PRODUCT) return is_simple_factor(p, rest);
    for (uint32_t i = 0; i < expr_operand_count(p, rest); i += 2)
        if (!is_simple_factor(p, expr_operand(p, rest, i))) return false;
    return true;
}

// Offer the forms of a value, then those of what comes out when sums of angles are
// contracted in it, a few times over.
void contest_consider_value(ring *R, contest *c, const fraction *f) {
    contest_consider_forms(R, c, f);
    expr e = contract_angle_sums(R, f);
    for (int i = 0; i < CONTRACTIONS && e != EXPR_NONE; i++) {
        ring next;
        if (!ring_create(&next, R->p, 1, &e, ANGLES_KEPT, &R->budget)) return;
        const fraction *value = ring_value(&next, e);
        contest_consider_forms(&next, c, value);
        e = contract_angle_sums(&next, value);
        ring_clear(&next);
    }
}

// Returns whether the arguments are dependent, so that other choices of base angles may give more.
static bool offer_in_ring(pool *p, expr e, angle_mode mode, const normal_budget *b, contest *c) {
    ring R;
    if (!ring_create(&R, p, 1, &e, mode, b)) return false;
    contest_consider_value(&R, c, ring_value(&R, e));
    ring_clear(&R);
    return R.dependent;
}

static expr simplify_outside(pool *p, expr e, const normal_budget *b) {
    if (is_simple(p, e)) return e;
    contest c = {.best = e, .weight = expr_weight(p, e)};
    contest_consider(p, &c, polish_common_factors(p, e));
    if (offer_in_ring(p, e, ANGLES_KEPT, b, &c))
        for (angle_mode mode = ANGLES_BASIS; mode <= ANGLES_EXPANDED; mode++)
            offer_in_ring(p, e, mode, b, &c);
    return c.best;
}

// Is operand i of e looked at only as a whole: an argument of a function,
// or what stands under a root?
static bool is_inner(const pool *p, expr e, uint32_t i) {
    const expr_kind kind = expr_kind_of(p, e);
    if (kind == EXPR_SUM) return false;
    if (kind == EXPR_PRODUCT)
        return i % 2 == 0 &&
               !fmpz_is_one(fmpq_denref(expr_number_value(p, expr_operand(p, e, i + 1))));
    return true;
}

typedef struct {
    const expr *nodes;
    const bool *inner;
    uint32_t count;
    const normal_budget *budget;
} inside;

static expr simplify_if_inner(pool *p, expr node, expr *operand, void *data) {
    const inside *d = data;
    const expr now = expr_with_operands(p, node, operand);
    return d->inner[node_position(d->nodes, d->count, node)] ? simplify_outside(p, now, d->budget)
                                                             : now;
}

// e with every radicand and every argument of a function in shortest form, from the inside out.
static expr simplify_inside(pool *p, expr e, const normal_budget *b) {
    uint32_t count;
    expr *nodes = expr_reachable(p, 1, &e, &count);
    if (count > ring_node_limit(b)) { // hopeless as a whole: leave all of it alone
        memory_free(nodes);
        return e;
    }
    bool *inner = memory_array(bool, count), any = false;
    for (uint32_t i = 0; i < count; i++) inner[i] = false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < expr_operand_count(p, nodes[i]); j++)
            if (is_inner(p, nodes[i], j) && !is_simple(p, expr_operand(p, nodes[i], j)))
                inner[node_position(nodes, count, expr_operand(p, nodes[i], j))] = any = true;
    inside data = {nodes, inner, count, b};
    if (any) e = expr_rebuild(p, e, simplify_if_inner, &data);
    memory_free(inner);
    memory_free(nodes);
    return e;
}

expr normal_simplify(pool *p, expr e, const normal_budget *b) {
    const expr known = normal_memory_recall(b->memory, e);
    if (known != EXPR_NONE) return known;
    const expr tidy = contest_shorter(p, e, simplify_outside(p, simplify_inside(p, e, b), b));
    normal_memory_keep(b->memory, e, tidy);
    return tidy;
}

expr normal_factored(pool *p, expr e, expr beside, const normal_budget *b) {
    ring R;
    const expr both[2] = {e, beside};
    if ((beside == EXPR_NONE || !ring_create(&R, p, 2, both, ANGLES_EXPANDED, b)) &&
        !ring_create(&R, p, 1, both, ANGLES_EXPANDED, b))
        return e;
    fraction f;
    fmpz_mpoly_q_init(&f, R.ctx);
    fmpz_mpoly_q_set(&f, ring_value(&R, e), R.ctx);
    bool *flipped = memory_zeros(bool, R.relation_count + 1);
    fraction_orient(&R, &f, flipped);
    const expr out = R.over ? e
                            : expr_div(p, factor_rebuild(&R, fmpz_mpoly_q_numref(&f)),
                                       factor_rebuild(&R, fmpz_mpoly_q_denref(&f)));
    ring_flip_back(&R, flipped);
    memory_free(flipped);
    fmpz_mpoly_q_clear(&f, R.ctx);
    ring_clear(&R);
    return out;
}

expr normal_expand(pool *p, expr e, const normal_budget *b) {
    ring R;
    if (!ring_create(&R, p, 1, &e, ANGLES_EXPANDED, b)) return e;
    const fraction *f = ring_value(&R, e);
    const expr out = expr_div(p, rebuild_expanded(&R, fmpz_mpoly_q_numref(f)),
                              factor_rebuild(&R, fmpz_mpoly_q_denref(f)));
    ring_clear(&R);
    return out;
}
