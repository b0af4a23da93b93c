// The ways to write one fraction, of which the shortest wins; among equals the one offered first.
#include "normal/ring.h"
#include "normal/polish.h"
#include "normal/weight.h"

void contest_consider(pool *p, contest *c, expr candidate) {
    if (c->tangents && candidate != EXPR_NONE) candidate = polish_tangents(p, candidate);
    if (candidate == c->best || candidate == EXPR_NONE) return;
    uint32_t weight;
    if (weight_is_below(p, candidate, c->weight, &weight))
        c->best = candidate, c->weight = weight, c->mixed = false;
}

expr contest_shorter(pool *p, expr a, expr b) {
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
            contest_shorter(R->p, rebuild_expanded(R, quotient), factor_rebuild(R, quotient));
        const expr rest =
            contest_shorter(R->p, rebuild_expanded(R, remainder), factor_rebuild(R, remainder));
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
    for (uint32_t i = 0; i < R->relation_count; i++)
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
    bool *flipped = memory_array(bool, R->relation_count);
    for (uint32_t i = 0; i < R->relation_count; i++) flipped[i] = false;
    fraction_orient(R, &g, flipped);
    if (!R->over && !fmpz_mpoly_q_equal(&g, f, R->ctx)) offer_layouts(R, c, &g);
    if (!R->over) {
        const slong before = fmpz_mpoly_q_numref(&g)->length + fmpz_mpoly_q_denref(&g)->length;
        relations_contract_squares(R, fmpz_mpoly_q_numref(&g));
        relations_contract_squares(R, fmpz_mpoly_q_denref(&g));
        if (fmpz_mpoly_q_numref(&g)->length + fmpz_mpoly_q_denref(&g)->length < before)
            offer_layouts(R, c, &g);
    }
    ring_flip_back(R, flipped);
    memory_free(flipped);
    fmpz_mpoly_q_clear(&g, R->ctx);
}

// Does the denominator hold a root, or a sine that could be cleared from it?
static bool is_irrational_below(const ring *R, const fraction *f) {
    for (uint32_t i = 0; i < R->relation_count; i++)
        if (fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(f), R->relations[i].variable, R->ctx) > 0)
            return true;
    return false;
}

// A polynomial of so many terms will not come out shorter than what we have. In the
// first mode we look all the same.
static bool is_hopeless(const ring *R, const contest *c, const fraction *f) {
    const slong terms = fmpz_mpoly_q_numref(f)->length + fmpz_mpoly_q_denref(f)->length;
    return R->mode != ANGLES_KEPT && terms > 20 + (slong)(c->weight / 4);
}

// Does a sine or cosine stand in the denominator, so that tangents may come out?
static bool has_circular_below(const ring *R, const fraction *f) {
    for (uint32_t i = 0; i < R->angle_count; i++)
        if (R->angles[i].family == FAMILY_CIRCULAR)
            for (slong j = 0; j < 2; j++)
                if (fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(f), R->angles[i].first + j, R->ctx) >
                    0)
                    return true;
    return false;
}

void contest_consider_forms(ring *R, contest *c, const fraction *f) {
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
