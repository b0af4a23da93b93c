// Zero around a real state. There the statement is written without abs, sign and the like
// (local_form.h) and tested in F_p. What is left are signs of roots that F_p does not know, and
// inverse functions:
//  - one of several vanishes: if at every random point one of the expressions e_1 .. e_m is zero,
//    their product is zero, and on a connected piece, where they are analytic, one of them is zero.
//    At a real state of the piece all but e_1 are certainly not zero: so e_1 is. The e_i are e with
//    other signs of its roots and another pi.
//  - exp(e) = 1 proves e = 0; sin(e) = 0 proves that e is a multiple of pi, the same on the whole
//    piece, and a value within pi of 0 tells which.
#include "prove/decider.h"

#include "normal/normal.h"
#include "prove/algebraic.h"

#include <math.h>

enum { MOST_VARIED_ROOTS = 4, MOST_VARIANTS = 64, DEEPEST = 4, MOST_SCALE = 24 };

// --- random points ------------------------------------------------------------------------------

// A modular test for expressions with whatever angles there are by now.
static bool have_test(decider *d) {
    const modular_angles angles = modular_angles_of(d->motion->system->pool);
    if (d->test.eq && d->test.motion.angles.denominator == angles.denominator &&
        d->test.motion.angles.turn == angles.turn)
        return d->test.usable;
    if (d->test.eq) modular_test_free(&d->test);
    modular_test_create(&d->test, d->motion->system, d->motion->eq, d->motion->freedom);
    d->test.condition = d->condition, d->test.condition_count = d->condition_count;
    return d->test.usable;
}

static void note_test(decider *d, double bound) {
    d->bound = d->trials ? fmax(d->bound, bound) : bound;
    if (d->test.needed > d->trials) d->trials = d->test.needed;
}

static bool vanishes_in_field(decider *d, expr e) {
    for (uint32_t i = 0; i < d->known_count; i++)
        if (d->known[i].e == e) return d->known[i].zero;
    if (!have_test(d)) return false;
    modular_test_prepare(&d->test, 1, &e);
    const bool zero = modular_test_run(&d->test, 1, &e) == TEST_ZERO;
    if (zero) note_test(d, modular_test_bound(&d->test));
    list_push(d, known, ((tested_one){e, zero}));
    return zero;
}

// --- one of several -----------------------------------------------------------------------------

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

static expr vary(pool *p, expr e, expr *operand, void *data) {
    const other_signs *v = data;
    expr result = EXPR_ONE;
    switch (expr_kind_of(p, e)) {
    case EXPR_PRODUCT:
        for (uint32_t i = 0; i < expr_operand_count(p, e); i += 2) {
            result = expr_mul(p, result, expr_pow(p, operand[i], operand[i + 1]));
            for (uint32_t k = 0; k < v->roots; k++)
                if ((v->flipped >> k & 1) && v->root[k] == expr_operand(p, e, i) &&
                    is_even_root(p, operand[i + 1]))
                    result = expr_neg(p, result);
        }
        return result;
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN: operand[0] = with_other_pi(p, operand[0], v->pi); // fall through
    default: return expr_with_operands(p, e, operand);
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
            count = add_variant(expr_rebuild(p, e, vary, &v), out, count);
        }
    }
    return count;
}

// At enough random points, is one of them zero? Marks which ever are.
static bool one_vanishes(decider *d, uint32_t count, const expr *e, bool *ever) {
    mp_limb_t value[MOST_VARIANTS];
    if (!have_test(d)) return false;
    modular_test_prepare(&d->test, count, e);
    if (!d->test.needed) return false;
    uint32_t done = 0;
    // the product's degree is `count` times as large, and which of them vanish is chosen afterwards
    const double bits = d->test.motion.trial_bits - log2(count);
    const uint32_t wanted = (uint32_t)fmax(d->test.needed, ceil((104 + count) / fmax(bits, 2)));
    for (uint32_t i = 0; done < wanted && i < wanted * POINTS_PER_TRIAL; i++) {
        modular_state *x = modular_test_point(&d->test, i);
        if (!x) return false;
        if (!modular_test_admits(&d->test, x) ||
            modular_values(&d->test.motion, x, count, e, value) != MODULAR_OK)
            continue;
        bool any = false;
        for (uint32_t j = 0; j < count; j++) any |= !value[j], ever[j] |= !value[j];
        if (!any) return false;
        done++;
    }
    if (done < wanted) return false;
    note_test(d, fmax(modular_test_bound(&d->test), count - wanted * bits));
    return true;
}

// Among e with the other ones of these roots, and with every other pi/turn
static bool is_the_one(local_state *here, decider *d, expr e, other_signs v, uint32_t roots) {
    expr list[MOST_VARIANTS];
    bool ever[MOST_VARIANTS] = {false}, only = true;
    const uint32_t count = variants_of(here->p, e, v, roots, list);
    if (count < 2 || !one_vanishes(d, count, list, ever) || !ever[0]) return false;
    arb_t value;
    arb_init(value);
    for (uint32_t i = 1; i < count && only; i++)
        only = !ever[i] || (local_form_value(here, list[i], value) && !arb_contains_zero(value));
    arb_clear(value);
    d->by_family |= only;
    return only;
}

// Small families first: in a large one more than one may vanish at the state.
static bool vanishes_in_family(local_state *here, decider *d, expr e) {
    other_signs v = {.turn = 1};
    find_roots(here->p, e, &v);
    for (int size = 1; size <= (int)v.roots; size++)
        for (uint32_t roots = 1; roots < 1u << v.roots; roots++)
            if (__builtin_popcount(roots) == size && is_the_one(here, d, e, v, roots)) return true;
    v.turn = modular_angles_of(here->p).turn;
    return v.turn > 1 && is_the_one(here, d, e, v, (1u << v.roots) - 1);
}

// --- factors, logarithms, angles ----------------------------------------------------------------

static bool a_factor_vanishes(local_state *here, expr e) {
    const normal_budget budget = normal_budget_default();
    expr number, rest, whole = normal_factored(here->p, e, EXPR_NONE, &budget);
    expr_split_coefficient(here->p, whole, &number, &rest);
    if (rest == EXPR_ZERO || number == EXPR_ZERO) return true;
    if (expr_kind_of(here->p, rest) != EXPR_PRODUCT)
        return rest != e && decider_vanishes(here, rest);
    for (uint32_t i = 0; i < expr_operand_count(here->p, rest); i += 2)
        if (fmpq_sgn(expr_number_value(here->p, expr_operand(here->p, rest, i + 1))) > 0 &&
            decider_vanishes(here, expr_operand(here->p, rest, i)))
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
static bool vanishes_as_angle_or_logarithm(local_state *here, expr e) {
    bool angles, logarithms;
    const int64_t scale = whole_scale(here->p, e, &angles, &logarithms);
    if (!scale || angles == logarithms) return false;
    const expr scaled = expr_mul(here->p, expr_int(here->p, scale), e);
    if (logarithms)
        return decider_vanishes(here,
                                expr_sub(here->p, local_form_exponential(here, scaled), EXPR_ONE));
    decider *d = here->decider;
    const bool zero = decider_vanishes(here, local_form_sine(here, scaled));
    d->by_family |= zero;
    return zero;
}

// --- the whole ----------------------------------------------------------------------------------

// Does e, written for the state, vanish around it?
static bool decide_afresh(local_state *here, decider *d, expr e) {
    arb_t value;
    arb_init(value);
    const bool possible = local_form_value(here, e, value) && arb_contains_zero(value);
    arb_clear(value);
    if (!possible || local_form_is_too_long(here->p, e)) return false;
    const normal_truth constant = algebraic_is_zero(here->p, e);
    if (constant != NORMAL_UNKNOWN) return constant == NORMAL_YES;
    if (vanishes_in_field(d, e)) return true;
    if (d->depth > DEEPEST) return false;
    return vanishes_in_family(here, d, e) || vanishes_as_angle_or_logarithm(here, e) ||
           a_factor_vanishes(here, e);
}

bool decider_vanishes(local_state *here, expr e) {
    decider *d = here->decider;
    if (e == EXPR_ZERO) return true;
    if (expr_is_number(here->p, e)) return false;
    for (uint32_t i = 0; i < d->failed_count; i++)
        if (d->failed[i] == e) return false;
    d->depth++;
    const bool zero = decide_afresh(here, d, e);
    d->depth--;
    if (!zero) list_push(d, failed, e);
    return zero;
}

void decider_clear(decider *d) {
    if (d->test.eq) modular_test_free(&d->test);
    memory_free(d->known);
    memory_free(d->failed);
}
