// The shortest form of an expression: inner arguments first, then the whole. The ways to write one
// fraction compete in a contest, which the shortest wins; among equals the one offered first.
#include "expr/node_position.h"
#include "normal/ring.h"

enum { CONTRACTIONS = 3 }; // rounds of cos(a)cos(b) + sin(a)sin(b) -> cos(a - b)

// --- what was simplified before: a table that several calls share --------------------------------

typedef expr slot[2];

struct normal_memory {
    slot *slots; // an expression and its simplest form; open addressing, EXPR_NONE where empty
    uint32_t count, capacity;
};

normal_memory *normal_memory_create(void) {
    normal_memory *m = memory_new(normal_memory);
    *m = (normal_memory){0};
    return m;
}

void normal_memory_free(normal_memory *m) {
    if (!m) return;
    memory_free(m->slots);
    memory_free(m);
}

static uint32_t find(const normal_memory *m, expr e) {
    uint32_t at = e * 0x9E3779B1u >> 7 & (m->capacity - 1);
    while (m->slots[at][0] != EXPR_NONE && m->slots[at][0] != e) at = (at + 1) & (m->capacity - 1);
    return at;
}

static void grow(normal_memory *m) {
    const normal_memory old = *m;
    m->capacity = old.capacity ? 2 * old.capacity : 64;
    m->slots = memory_array(slot, m->capacity);
    for (uint32_t i = 0; i < m->capacity; i++) m->slots[i][0] = EXPR_NONE;
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (old.slots[i][0] == EXPR_NONE) continue;
        const uint32_t at = find(m, old.slots[i][0]);
        m->slots[at][0] = old.slots[i][0], m->slots[at][1] = old.slots[i][1];
    }
    memory_free(old.slots);
}

// EXPR_NONE if it is not there, or there is no memory
static expr recall(const normal_memory *m, expr e) {
    if (!m || !m->count) return EXPR_NONE;
    const uint32_t at = find(m, e);
    return m->slots[at][0] == e ? m->slots[at][1] : EXPR_NONE;
}

static void keep(normal_memory *m, expr e, expr simplest) {
    if (!m) return;
    if (2 * (m->count + 1) > m->capacity) grow(m);
    const uint32_t at = find(m, e);
    if (m->slots[at][0] == EXPR_NONE) m->count++;
    m->slots[at][0] = e, m->slots[at][1] = simplest;
}

// --- the contest ---------------------------------------------------------------------------------

void contest_consider(pool *p, contest *c, expr candidate) {
    if (c->tangents && candidate != EXPR_NONE) candidate = polish_tangents(p, candidate);
    if (candidate == c->best || candidate == EXPR_NONE) return;
    uint32_t weight;
    if (weight_is_below(p, candidate, c->weight, &weight))
        c->best = candidate, c->weight = weight, c->mixed = false;
}

static expr shorter(pool *p, expr a, expr b) {
    if (a == b) return a;
    contest c = {.best = a, .weight = expr_weight(p, a)};
    contest_consider(p, &c, b);
    return c.best;
}

// outside*(quotient + remainder/denominator): m*(2 + x^2/(R - r)^2) rather than m*(2*R^2 -
// 4*R*r + 2*r^2 + x^2)/(R - r)^2.
static void offer_mixed(ring *R, contest *c, const fraction *f, expr outside, expr below) {
    enum { LENGTH_LIMIT = 60 };
    const fmpz_mpoly_struct *n = fmpz_mpoly_q_numref(f), *d = fmpz_mpoly_q_denref(f);
    if (n->length > LENGTH_LIMIT) return;
    fmpz_mpoly_t quotient, remainder;
    fmpz_t scale;
    fmpz_mpoly_init(quotient, R->ctx), fmpz_mpoly_init(remainder, R->ctx), fmpz_init(scale);
    // scale*n = quotient*d + remainder
    fmpz_mpoly_quasidivrem(scale, quotient, remainder, n, d, R->ctx);
    if (!fmpz_mpoly_is_zero(quotient, R->ctx)) {
        const expr whole =
            shorter(R->p, rebuild_expanded(R, quotient), factor_rebuild(R, quotient));
        const expr rest =
            shorter(R->p, rebuild_expanded(R, remainder), factor_rebuild(R, remainder));
        const expr sum = expr_div(R->p, expr_add(R->p, whole, expr_div(R->p, rest, below)),
                                  rebuild_integer(R->p, scale));
        contest trial = *c;
        // has to be clearly shorter
        if (c->best != EXPR_NONE && !c->mixed) trial.weight -= c->weight / 8;
        contest_consider(R->p, &trial, expr_mul(R->p, outside, sum));
        if (trial.best != c->best) *c = trial, c->mixed = true;
    }
    fmpz_mpoly_clear(quotient, R->ctx), fmpz_mpoly_clear(remainder, R->ctx), fmpz_clear(scale);
}

// A sum of this weight cannot win any more. Where tangents are looked for, a term
// may still lose a few letters.
static uint32_t sum_limit(const contest *c) { return c->tangents ? UINT32_MAX : c->weight; }

static void offer_collected(ring *R, contest *c, const fraction *f, expr below,
                            collect_choice choice) {
    const fmpz_mpoly_struct *n = fmpz_mpoly_q_numref(f);
    const uint32_t groups = collect_group_count(R, n, choice);
    if (groups < 2) return;
    if (groups == (uint32_t)n->length) return;
    const expr above = collect_rebuild(R, n, choice, sum_limit(c));
    if (above != EXPR_NONE) contest_consider(R->p, c, expr_div(R->p, above, below));
}

// Sums of fractions, with the monomial that divides all terms in front.
static void offer_partial(ring *R, contest *c, const fraction *f, expr below) {
    fmpz_mpoly_t content;
    fraction g;
    fmpz_mpoly_init(content, R->ctx), fmpz_mpoly_q_init(&g, R->ctx);
    fmpz_mpoly_term_content(content, fmpz_mpoly_q_numref(f), R->ctx);
    fmpz_mpoly_divides(fmpz_mpoly_q_numref(&g), fmpz_mpoly_q_numref(f), content, R->ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_denref(&g), fmpz_mpoly_q_denref(f), R->ctx);
    const expr outside = rebuild_expanded(R, content);
    for (collect_choice choice = COLLECT_MOVING; choice <= COLLECT_FASTEST; choice++) {
        if (collect_group_count(R, fmpz_mpoly_q_numref(&g), choice) < 2) continue;
        const expr inside = collect_rebuild_split(R, &g, choice, sum_limit(c));
        if (inside != EXPR_NONE) contest_consider(R->p, c, expr_mul(R->p, outside, inside));
        if (outside != EXPR_ONE)
            contest_consider(R->p, c, collect_rebuild_split(R, f, choice, sum_limit(c)));
    }
    offer_mixed(R, c, &g, outside, below);
    fmpz_mpoly_clear(content, R->ctx), fmpz_mpoly_q_clear(&g, R->ctx);
}

// Numerator expanded, factored, collected; the denominator is always factored.
static void offer_layouts(ring *R, contest *c, const fraction *f) {
    const fmpz_mpoly_struct *n = fmpz_mpoly_q_numref(f), *d = fmpz_mpoly_q_denref(f);
    const expr below = factor_rebuild(R, d);
    if (n->length < 2 || rebuild_weight(R, n) < sum_limit(c))
        contest_consider(R->p, c, expr_div(R->p, rebuild_expanded(R, n), below));
    if (n->length < 2) return;
    contest_consider(R->p, c, expr_div(R->p, factor_rebuild(R, n), below));
    offer_collected(R, c, f, below, COLLECT_MOVING);
    offer_collected(R, c, f, below, COLLECT_FASTEST);
    if (collect_is_energy(R, f)) offer_collected(R, c, f, below, COLLECT_PARAMETERS);
    if (!fmpz_mpoly_is_fmpz(d, R->ctx)) offer_partial(R, c, f, below);
}

static bool has_pairs(const ring *R) {
    for (uint32_t i = 0; i < R->relations_count; i++)
        if (R->relations[i].partner >= 0) return true;
    return false;
}

// As it is; with the better choice between sin^2 and cos^2 for each angle; with squares
// contracted where that saves a term.
static void offer_orientations(ring *R, contest *c, const fraction *f) {
    offer_layouts(R, c, f);
    if (!has_pairs(R)) return;
    fraction g;
    fmpz_mpoly_q_init(&g, R->ctx);
    fmpz_mpoly_q_set(&g, f, R->ctx);
    bool *flipped = memory_array(bool, R->relations_count);
    for (uint32_t i = 0; i < R->relations_count; i++) flipped[i] = false;
    fraction_orient(R, &g, flipped);
    if (!R->over && !fmpz_mpoly_q_equal(&g, f, R->ctx)) offer_layouts(R, c, &g);
    if (!R->over) {
        const slong before = fmpz_mpoly_q_numref(&g)->length + fmpz_mpoly_q_denref(&g)->length;
        ring_contract_squares(R, fmpz_mpoly_q_numref(&g));
        ring_contract_squares(R, fmpz_mpoly_q_denref(&g));
        if (fmpz_mpoly_q_numref(&g)->length + fmpz_mpoly_q_denref(&g)->length < before)
            offer_layouts(R, c, &g);
    }
    ring_flip_back(R, flipped);
    memory_free(flipped);
    fmpz_mpoly_q_clear(&g, R->ctx);
}

// Does the denominator hold a root, or a sine that could be cleared from it?
static bool is_irrational_below(const ring *R, const fraction *f) {
    for (uint32_t i = 0; i < R->relations_count; i++)
        if (fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(f), R->relations[i].variable, R->ctx) > 0)
            return true;
    return false;
}

// A polynomial of so many terms will not come out shorter than what we have. In the
// first mode it is tried anyway.
static bool is_hopeless(const ring *R, const contest *c, const fraction *f) {
    const slong terms = fmpz_mpoly_q_numref(f)->length + fmpz_mpoly_q_denref(f)->length;
    return R->mode != ANGLES_KEPT && terms > 20 + (slong)(c->weight / 4);
}

// Does a sine or cosine stand in the denominator, so that tangents may come out?
static bool has_circular_below(const ring *R, const fraction *f) {
    for (uint32_t i = 0; i < R->angles_count; i++)
        if (R->angles[i].family == FAMILY_CIRCULAR)
            for (slong j = 0; j < 2; j++)
                if (fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(f), R->angles[i].first + j, R->ctx) >
                    0)
                    return true;
    return false;
}

static void consider_forms(ring *R, contest *c, const fraction *f) {
    if (is_hopeless(R, c, f)) return;
    c->tangents = has_circular_below(R, f);
    if (fmpz_mpoly_q_is_zero(f, R->ctx)) {
        contest_consider(R->p, c, EXPR_ZERO);
        return;
    }
    offer_orientations(R, c, f);
    R->over = false; // a candidate that grew too large is merely not offered
    if (!is_irrational_below(R, f)) return;
    fraction g;
    fmpz_mpoly_q_init(&g, R->ctx);
    fmpz_mpoly_q_set(&g, f, R->ctx);
    fraction_rationalise(R, &g);
    if (!R->over) offer_orientations(R, c, &g);
    R->over = false;
    fmpz_mpoly_q_clear(&g, R->ctx);
}

// --- from the inside out -------------------------------------------------------------------------

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
    consider_forms(R, c, f);
    expr e = contract_angle_sums(R, f);
    for (int i = 0; i < CONTRACTIONS && e != EXPR_NONE; i++) {
        ring next;
        if (!ring_create(&next, R->p, 1, &e, ANGLES_KEPT, &R->budget)) return;
        const fraction *value = ring_value(&next, e);
        consider_forms(&next, c, value);
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
static expr simplify_inside(pool *p, expr e, const normal_budget *b, bool *hopeless) {
    uint32_t count;
    expr *nodes = expr_reachable(p, 1, &e, &count);
    *hopeless = ring_is_too_large(count, b);
    if (*hopeless) { // as a whole: leave all of it alone
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
    const expr known = recall(b->memory, e);
    if (known != EXPR_NONE) return known;
    bool hopeless;
    const expr inside = simplify_inside(p, e, b, &hopeless);
    const expr tidy =
        shorter(p, e, hopeless ? polish_common_factors(p, e) : simplify_outside(p, inside, b));
    keep(b->memory, e, tidy);
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
    bool *flipped = memory_zeros(bool, R.relations_count + 1);
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
