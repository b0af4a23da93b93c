// Zero around a real state. There the statement is written without abs, sign and the like (near.h)
// and tested in F_p. What is left are signs of roots that F_p does not know, and inverse functions:
//  - one of several vanishes: if at every random point one of the expressions e_1 .. e_m is zero,
//    their product is zero,
//    and on a connected piece, where they are analytic,
//    one of them is zero. At a real state of the piece all but e_1
//    are certainly not zero: so e_1 is. The e_i are e with other signs of its roots and another pi.
//  - exp(e) = 1 proves e = 0; sin(e) = 0 proves that e is a multiple of pi, the same on the whole
//    piece, and a value
//    within pi of 0 tells which.
#include "prove/decide.h"

#include "normal/normal.h"
#include "prove/constants.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_VARIED_ROOTS = 4,
    MOST_VARIANTS = 64,
    MOST_NODES = 3000,
    DEEPEST = 4,
    MOST_SCALE = 24,
    TWO_STATES = 2,
    MOST_SIGNS = 64
};

// --- random points -------------------------------------------------------------------------------

// A stage for expressions with whatever angles there are by now.
static bool have_stage(decider *d) {
    const modular_angles angles = modular_angles_of(d->motion->system->pool);
    if (d->stage.eq && d->stage.field.angles.denominator == angles.denominator &&
        d->stage.field.angles.turn == angles.turn)
        return d->stage.usable;
    if (d->stage.eq) stage_free(&d->stage);
    stage_create(&d->stage, d->motion->system, d->motion->eq, d->motion->freedom,
                 d->motion->tested_count, d->motion->tested);
    d->stage.condition = d->condition, d->stage.condition_count = d->condition_count;
    return d->stage.usable;
}

static void note_test(decider *d, double bound) {
    d->bound = d->trials ? fmax(d->bound, bound) : bound;
    if (d->stage.needed > d->trials) d->trials = d->stage.needed;
}

static bool vanishes_in_field(decider *d, expr e) {
    for (uint32_t i = 0; i < d->known_count; i++)
        if (d->known[i].e == e) return d->known[i].zero;
    if (!have_stage(d)) return false;
    stage_prepare(&d->stage, 1, &e);
    const bool zero = stage_test(&d->stage, 1, &e) == TEST_ZERO;
    if (zero) note_test(d, stage_bound(&d->stage));
    model_push(d, known, ((tested_one){e, zero}));
    return zero;
}

// --- one of several ------------------------------------------------------------------------------

typedef struct {
    expr root[MOST_VARIED_ROOTS]; // radicands
    uint32_t roots;
    uint32_t flipped; // bit i: the other root of root[i]
    mp_limb_t turn;   // multiples of pi inside sin and cos are of pi/turn
    int64_t pi;       // the factor of pi there
} other_signs;

static bool is_even_root(pool *p, expr exponent) {
    return fmpz_is_even(fmpq_denref(expr_number_value(p, exponent)));
}

static void find_roots(pool *p, expr e, other_signs *v) {
    uint32_t count;
    expr *nodes = expr_reachable(p, 1, &e, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (expr_kind_of(p, nodes[i]) != EXPR_PRODUCT) continue;
        for (uint32_t j = 0; j < expr_operand_count(p, nodes[i]); j += 2) {
            const expr base = expr_operand(p, nodes[i], j);
            bool known = !is_even_root(p, expr_operand(p, nodes[i], j + 1));
            for (uint32_t k = 0; k < v->roots; k++) known |= v->root[k] == base;
            if (known) continue;
            // The last ones are the outermost
            if (v->roots == MOST_VARIED_ROOTS)
                for (uint32_t k = 1; k < v->roots; k++) v->root[k - 1] = v->root[k];
            else v->roots++;
            v->root[v->roots - 1] = base;
        }
    }
    memory_free(nodes);
}

// pi times the factor, in an argument
static expr with_other_pi(pool *p, expr argument, int64_t factor) {
    const expr pi = expr_pi(p);
    if (argument == pi) return expr_mul(p, expr_int(p, factor), pi);
    for (uint32_t i = 1;
         expr_kind_of(p, argument) == EXPR_SUM && i < expr_operand_count(p, argument); i += 2)
        if (expr_operand(p, argument, i + 1) == pi)
            return expr_add(
                p, argument,
                expr_mul(p, expr_mul(p, expr_operand(p, argument, i), expr_int(p, factor - 1)),
                         pi));
    return argument;
}

static expr vary(pool *p, expr e, uint32_t count, expr *operand, void *data) {
    const other_signs *v = data;
    expr result = EXPR_ONE;
    switch (expr_kind_of(p, e)) {
    case EXPR_SUM:
        result = operand[0];
        for (uint32_t i = 1; i < count; i += 2)
            result = expr_add(p, result, expr_mul(p, operand[i], operand[i + 1]));
        return result;
    case EXPR_PRODUCT:
        for (uint32_t i = 0; i < count; i += 2) {
            result = expr_mul(p, result, expr_pow(p, operand[i], operand[i + 1]));
            for (uint32_t k = 0; k < v->roots; k++)
                if ((v->flipped >> k & 1) && v->root[k] == expr_operand(p, e, i) &&
                    is_even_root(p, operand[i + 1]))
                    result = expr_neg(p, result);
        }
        return result;
    case EXPR_POWER: return expr_pow(p, operand[0], operand[1]);
    case EXPR_APPLY: return expr_apply(p, expr_function_index(p, e), count, operand);
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN: operand[0] = with_other_pi(p, operand[0], v->pi); // fall through
    default: return expr_function(p, expr_kind_of(p, e), operand);
    }
}

static uint32_t add_variant(expr e, expr *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == e) return count;
    if (count < MOST_VARIANTS) list[count++] = e;
    return count;
}

// e first, then e with some of its roots replaced by the other ones, and with another
// primitive root of unity; 0: too many.
static uint32_t variants_of(pool *p, expr e, other_signs v, uint32_t roots, expr *out) {
    uint32_t count = add_variant(e, out, 0);
    for (v.pi = 1; v.pi <= (int64_t)v.turn; v.pi++) {
        if (n_gcd((mp_limb_t)v.pi, 2 * v.turn) != 1) continue;
        for (v.flipped = 0; v.flipped < 1u << v.roots; v.flipped++) {
            if (v.flipped & ~roots) continue;
            if (count == MOST_VARIANTS) return 0;
            count = add_variant(rebuild_nodes(p, e, vary, &v), out, count);
        }
    }
    return count;
}

// At enough random points, is one of them zero? Marks which ever are.
static bool one_vanishes(decider *d, uint32_t count, const expr *e, bool *ever) {
    mp_limb_t value[MOST_VARIANTS];
    if (!have_stage(d)) return false;
    stage_prepare(&d->stage, count, e);
    if (!d->stage.needed) return false;
    uint32_t done = 0;
    // the product's degree is `count` times as large, and which of them vanish is chosen afterwards
    const double bits = d->stage.field.trial_bits - log2(count);
    const uint32_t wanted = (uint32_t)fmax(d->stage.needed, ceil((104 + count) / fmax(bits, 2)));
    for (uint32_t i = 0; done < wanted && i < wanted * POINTS_PER_TRIAL; i++) {
        field_point *p = stage_point(&d->stage, i);
        if (!p) return false;
        if (!stage_admits(&d->stage, p) ||
            field_values(&d->stage.field, p, count, e, value) != MODULAR_OK)
            continue;
        bool any = false;
        for (uint32_t j = 0; j < count; j++) any |= !value[j], ever[j] |= !value[j];
        if (!any) return false;
        done++;
    }
    if (done < wanted) return false;
    note_test(d, fmax(stage_bound(&d->stage), count - wanted * bits));
    return true;
}

// Among e with the other ones of these roots, and with every other pi/turn
static bool is_the_one(near_state *n, decider *d, expr e, other_signs v, uint32_t roots) {
    expr list[MOST_VARIANTS];
    bool ever[MOST_VARIANTS] = {false}, only = true;
    const uint32_t count = variants_of(n->p, e, v, roots, list);
    if (count < 2 || !one_vanishes(d, count, list, ever) || !ever[0]) return false;
    arb_t value;
    arb_init(value);
    for (uint32_t i = 1; i < count && only; i++)
        only = !ever[i] || (near_value(n, list[i], value) && !arb_contains_zero(value));
    arb_clear(value);
    d->by_family |= only;
    return only;
}

// Small families first: in a large one more than one may vanish at the state.
static bool vanishes_in_family(near_state *n, decider *d, expr e) {
    other_signs v = {.turn = 1};
    find_roots(n->p, e, &v);
    for (int size = 1; size <= (int)v.roots; size++)
        for (uint32_t roots = 1; roots < 1u << v.roots; roots++)
            if (__builtin_popcount(roots) == size && is_the_one(n, d, e, v, roots)) return true;
    v.turn = modular_angles_of(n->p).turn;
    return v.turn > 1 && is_the_one(n, d, e, v, (1u << v.roots) - 1);
}

// --- factors, logarithms, angles -----------------------------------------------------------------

static bool a_factor_vanishes(near_state *n, expr e) {
    const normal_budget budget = normal_budget_default();
    expr number, rest, whole = normal_factored(n->p, e, EXPR_NONE, &budget);
    expr_split_coefficient(n->p, whole, &number, &rest);
    if (rest == EXPR_ZERO || number == EXPR_ZERO) return true;
    if (expr_kind_of(n->p, rest) != EXPR_PRODUCT) return rest != e && decide(n, rest);
    for (uint32_t i = 0; i < expr_operand_count(n->p, rest); i += 2)
        if (fmpq_sgn(expr_number_value(n->p, expr_operand(n->p, rest, i + 1))) > 0 &&
            decide(n, expr_operand(n->p, rest, i)))
            return true;
    return false;
}

// The least number that makes all coefficients of atan and log in the sum whole; 0:
// too large. Notes which there are.
static int64_t whole_scale(const pool *p, expr sum, bool *angles, bool *logarithms) {
    fmpz_t scale;
    fmpz_init_set_ui(scale, 1);
    *angles = *logarithms = false;
    for (uint32_t i = 1; expr_kind_of(p, sum) == EXPR_SUM && i < expr_operand_count(p, sum);
         i += 2) {
        const expr_kind kind = expr_kind_of(p, expr_operand(p, sum, i + 1));
        if (kind != EXPR_ATAN && kind != EXPR_LOG) continue;
        fmpz_lcm(scale, scale, fmpq_denref(expr_number_value(p, expr_operand(p, sum, i))));
        *angles |= kind == EXPR_ATAN;
        *logarithms |= kind == EXPR_LOG;
    }
    const int64_t value = fmpz_cmp_ui(scale, MOST_SCALE) <= 0 ? (int64_t)fmpz_get_ui(scale) : 0;
    fmpz_clear(scale);
    return value;
}

// The value is zero as far as numbers tell, so scale*e is within pi of 0.
static bool vanishes_as_angle_or_logarithm(near_state *n, expr e) {
    bool angles, logarithms;
    const int64_t scale = whole_scale(n->p, e, &angles, &logarithms);
    if (!scale || angles == logarithms) return false;
    const expr scaled = expr_mul(n->p, expr_int(n->p, scale), e);
    if (logarithms) return decide(n, expr_sub(n->p, near_exponential(n, scaled), EXPR_ONE));
    decider *d = n->decider;
    const bool zero = decide(n, near_sine(n, scaled));
    d->by_family |= zero;
    return zero;
}

// --- the whole -----------------------------------------------------------------------------------

bool is_too_long(pool *p, expr e) {
    uint32_t count;
    memory_free(expr_reachable(p, 1, &e, &count));
    return count > MOST_NODES;
}

// Does e, written for the state, vanish around it?
static bool decide_afresh(near_state *n, decider *d, expr e) {
    arb_t value;
    arb_init(value);
    const bool possible = near_value(n, e, value) && arb_contains_zero(value);
    arb_clear(value);
    if (!possible || is_too_long(n->p, e)) return false;
    if (is_constant(n->p, e)) {
        const normal_truth truth = constant_is_zero(n->p, e);
        if (truth != NORMAL_UNKNOWN) return truth == NORMAL_YES;
    }
    if (vanishes_in_field(d, e)) return true;
    if (d->depth > DEEPEST) return false;
    return vanishes_in_family(n, d, e) || vanishes_as_angle_or_logarithm(n, e) ||
           a_factor_vanishes(n, e);
}

bool decide(near_state *n, expr e) {
    decider *d = n->decider;
    if (e == EXPR_ZERO) return true;
    if (expr_is_number(n->p, e)) return false;
    for (uint32_t i = 0; i < d->failed_count; i++)
        if (d->failed[i] == e) return false;
    d->depth++;
    const bool zero = decide_afresh(n, d, e);
    d->depth--;
    if (!zero) model_push(d, failed, e);
    return zero;
}

void decider_clear(decider *d) {
    if (d->stage.eq) stage_free(&d->stage);
    memory_free(d->known);
    memory_free(d->failed);
}
