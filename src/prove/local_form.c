// An expression near one real state, from the inside out. Each rule is an
// identity where the signs used hold.
#include "prove/local_form.h"

#include "normal/normal.h"
#include "prove/structural_sign.h"

#include <math.h>

enum { MOST_MULTIPLE = 12, MOST_ARGUMENTS = 40, FACTOR_BITS = 96, MOST_NODES = 3000 };

void local_form_clear(local_state *here) {
    memory_free(here->signs);
    memory_free(here->arguments);
}

// --- signs --------------------------------------------------------------------------------------

bool local_form_value(local_state *here, expr e, arb_t out) {
    equations_values(here->eq, here->at, 1, &e, out);
    return arb_is_finite(out);
}

// At the state; not noted.
static int sign_at(local_state *here, expr e) {
    arb_t value;
    arb_init(value);
    const bool finite = local_form_value(here, e, value);
    const int sign = finite ? arb_is_positive(value) - arb_is_negative(value) : 0;
    arb_clear(value);
    if (!sign) here->lost = true;
    return sign;
}

int local_form_sign(local_state *here, expr e) {
    const int known = structural_sign(here->p, e);
    if (known) return known;
    const int sign = sign_at(here, e);
    for (uint32_t i = 0; i < here->signs_count; i++)
        if (here->signs[i].of == e) return sign;
    if (sign) list_push(here, signs, ((sign_used){e, sign}));
    return sign;
}

static expr absolute(local_state *here, expr e) {
    return local_form_sign(here, e) < 0 ? expr_neg(here->p, e) : e;
}

// --- factors ------------------------------------------------------------------------------------

typedef struct { // number * prod base^exponent
    expr number;
    uint32_t count;
    expr base[MOST_ARGUMENTS], exponent[MOST_ARGUMENTS];
} factors;

static bool take_factors(local_state *here, expr e, factors *out) {
    const normal_budget budget = normal_budget_default();
    expr rest = normal_factored(here->p, e, here->beside, &budget);
    *out = (factors){.number = EXPR_ONE};
    if (expr_is_number(here->p, rest)) {
        out->number = rest;
        return true;
    }
    expr_split_coefficient(here->p, rest, &out->number, &rest);
    if (expr_kind_of(here->p, rest) != EXPR_PRODUCT) {
        out->base[out->count] = rest, out->exponent[out->count++] = EXPR_ONE;
        return true;
    }
    if (expr_operand_count(here->p, rest) > 2 * MOST_ARGUMENTS) return false;
    for (uint32_t i = 0; i < expr_operand_count(here->p, rest); i += 2) {
        out->base[out->count] = expr_operand(here->p, rest, i);
        out->exponent[out->count++] = expr_operand(here->p, rest, i + 1);
    }
    return true;
}

// One irreducible factor that must be positive for the whole to have a value says nothing new.
static bool is_alone(const factors *f) { return f->count == 1 && f->exponent[0] == EXPR_ONE; }

// The factors with the signs that make them positive; false where the whole is negative.
static bool make_positive(local_state *here, factors *f) {
    int whole = structural_sign(here->p, f->number);
    for (uint32_t i = 0; i < f->count; i++) {
        const int sign =
            is_alone(f) ? sign_at(here, f->base[i]) : local_form_sign(here, f->base[i]);
        int64_t power;
        const bool odd = expr_is_integer(here->p, f->exponent[i], &power) && power % 2 != 0;
        if (sign < 0) f->base[i] = expr_neg(here->p, f->base[i]);
        if (sign < 0 && odd) whole = -whole;
    }
    if (structural_sign(here->p, f->number) < 0) f->number = expr_neg(here->p, f->number);
    if (whole <= 0) here->lost = true;
    return !here->lost;
}

// base^exponent for a fraction: sqrt(x^2*y) = abs(x)*sqrt(y)
static expr root_of(local_state *here, expr base, expr exponent) {
    factors f;
    if (!take_factors(here, base, &f) || !make_positive(here, &f))
        return expr_pow(here->p, base, exponent);
    expr product = expr_pow(here->p, f.number, exponent);
    for (uint32_t i = 0; i < f.count; i++)
        product =
            expr_mul(here->p, product,
                     expr_pow(here->p, f.base[i], expr_mul(here->p, f.exponent[i], exponent)));
    return product;
}

// --- exponentials and logarithms ----------------------------------------------------------------

static expr logarithm(pool *p, expr of) { return expr_function(p, EXPR_LOG, &of); }

// log of a positive whole number, by its primes
static expr log_of_whole(pool *p, const fmpz *n) {
    expr sum = EXPR_ZERO;
    fmpz_factor_t primes;
    fmpz_factor_init(primes);
    budget_hold(); // FLINT's tree of primes must not be left half made; this is short
    if (fmpz_bits(n) <= FACTOR_BITS) fmpz_factor(primes, n);
    else _fmpz_factor_append(primes, n, 1);
    budget_release();
    for (slong i = 0; i < primes->num; i++) {
        fmpq_t prime;
        fmpq_init(prime);
        fmpq_set_fmpz(prime, primes->p + i);
        const expr term =
            expr_mul(p, expr_int(p, (int64_t)primes->exp[i]), logarithm(p, expr_number(p, prime)));
        sum = expr_add(p, sum, term);
        fmpq_clear(prime);
    }
    fmpz_factor_clear(primes);
    return sum;
}

static expr log_of_number(pool *p, expr number) {
    fmpq_t q;
    fmpq_init(q);
    fmpq_set(q, expr_number_value(p, number));
    const expr difference =
        expr_sub(p, log_of_whole(p, fmpq_numref(q)), log_of_whole(p, fmpq_denref(q)));
    fmpq_clear(q);
    return difference;
}

// Are the two equal wherever the constraints hold around the state?
static bool is_same(local_state *here, expr u, expr other) {
    const expr difference = expr_sub(here->p, u, other);
    arb_t gap;
    arb_init(gap);
    const bool zero = local_form_value(here, difference, gap) && arb_contains_zero(gap);
    arb_clear(gap);
    return zero && here->vanishes(here, difference);
}

// The half of a whole number that is nearest to the value: 0, 1, -1/2 ..
static expr nearest_half(local_state *here, expr u) {
    arb_t value;
    arb_init(value);
    double twice = 0;
    if (local_form_value(here, u, value)) twice = 2 * ball_middle(value);
    arb_clear(value);
    return fabs(twice) < 1e15 ? expr_rational(here->p, (int64_t)llround(twice), 2) : EXPR_ZERO;
}

// An argument met before that is equal to u on the constraints, or the simple number that u is
// there; else u itself.
static expr argument_of(local_state *here, expr u) {
    if (expr_is_number(here->p, u)) return u;
    for (uint32_t i = 0; i < here->arguments_count; i++)
        if (here->arguments[i] == u) return u;
    for (uint32_t i = 0; i < here->arguments_count; i++)
        if (is_same(here, u, here->arguments[i])) return here->arguments[i];
    const expr number = nearest_half(here, u);
    if (is_same(here, u, number)) return number;
    if (here->arguments_count < MOST_ARGUMENTS) list_push(here, arguments, u);
    return u;
}

static expr log_of(local_state *here, expr of) {
    factors f;
    of = argument_of(here, of);
    if (!take_factors(here, of, &f) || !make_positive(here, &f)) return logarithm(here->p, of);
    expr sum = log_of_number(here->p, f.number);
    for (uint32_t i = 0; i < f.count; i++) {
        const expr b = f.base[i];
        const expr log = expr_is_number(here->p, b)             ? log_of_number(here->p, b)
                         : expr_kind_of(here->p, b) == EXPR_EXP ? expr_operand(here->p, b, 0)
                                                                : logarithm(here->p, b);
        sum = expr_add(here->p, sum, expr_mul(here->p, f.exponent[i], log));
    }
    return sum;
}

static expr expanded(local_state *here, expr e) {
    const normal_budget budget = normal_budget_default();
    return normal_expand(here->p, e, &budget);
}

// exp(c1*log(b1) + .. + rest) = b1^c1 .. exp(rest) for numbers c
static expr power_of(local_state *here, expr of) {
    pool *p = here->p;
    expr rest = EXPR_ZERO, product = EXPR_ONE;
    const bool sum = expr_kind_of(p, of) == EXPR_SUM;
    if (!sum && expr_kind_of(p, of) == EXPR_LOG) return expr_operand(p, of, 0);
    for (uint32_t i = 0; sum && i < expr_operand_count(p, of); i += i ? 2 : 1) {
        const expr c = expr_operand(p, of, i), term = i ? expr_operand(p, of, i + 1) : EXPR_ONE;
        if (expr_kind_of(p, term) == EXPR_LOG)
            product = expr_mul(p, product, expr_pow(p, expr_operand(p, term, 0), c));
        else rest = expr_add(p, rest, expr_mul(p, c, term));
    }
    if (!sum) rest = of;
    return expr_mul(p, product, expr_function(p, EXPR_EXP, &rest));
}

static expr exp_of(local_state *here, expr of) {
    return power_of(here, expanded(here, argument_of(here, of)));
}

static expr hyperbolic(local_state *here, expr_kind kind, expr of) {
    pool *p = here->p;
    const expr up = exp_of(here, of), down = expr_div(p, EXPR_ONE, up);
    const expr sine = expr_mul(p, EXPR_HALF, expr_sub(p, up, down)),
               cosine = expr_mul(p, EXPR_HALF, expr_add(p, up, down));
    return kind == EXPR_SINH ? sine : kind == EXPR_COSH ? cosine : expr_div(p, sine, cosine);
}

// --- circular functions and their inverses ------------------------------------------------------

typedef struct {
    expr cosine, sine;
} direction;

static direction turned(pool *p, direction a, direction b) {
    return (direction){expr_sub(p, expr_mul(p, a.cosine, b.cosine), expr_mul(p, a.sine, b.sine)),
                       expr_add(p, expr_mul(p, a.sine, b.cosine), expr_mul(p, a.cosine, b.sine))};
}

// cos and sin of atan(u)/2 or atan(u): |atan(u)| < pi/2, so both cosines are positive
static direction direction_of(local_state *here, expr u, bool half) {
    pool *p = here->p;
    const expr length = root_of(here, expr_add(p, EXPR_ONE, expr_square(p, u)), EXPR_HALF);
    direction d = {expr_div(p, EXPR_ONE, length), expr_div(p, u, length)};
    if (!half) return d;
    const expr cosine =
        root_of(here, expr_mul(p, EXPR_HALF, expr_add(p, EXPR_ONE, d.cosine)), EXPR_HALF);
    return (direction){cosine, expr_div(p, d.sine, expr_mul(p, EXPR_TWO, cosine))};
}

// c*atan(u) for c a small multiple of 1/2, turned onto `to`; false for another c.
static bool turn_by(local_state *here, expr c, expr u, direction *to) {
    int64_t times = 0;
    const bool whole = expr_is_integer(here->p, c, &times);
    if (!whole && !expr_is_integer(here->p, expr_mul(here->p, EXPR_TWO, c), &times)) return false;
    if (times > MOST_MULTIPLE || times < -MOST_MULTIPLE) return false;
    direction d = direction_of(here, u, !whole);
    if (times < 0) d.sine = expr_neg(here->p, d.sine), times = -times;
    for (int64_t i = 0; i < times; i++) *to = turned(here->p, *to, d);
    return true;
}

static expr sine_of(local_state *here, expr of, expr_kind kind) {
    pool *p = here->p;
    expr rest = EXPR_ZERO;
    direction d = {EXPR_ONE, EXPR_ZERO};
    const bool sum = expr_kind_of(p, of) == EXPR_SUM;
    for (uint32_t i = 0; i < (sum ? expr_operand_count(p, of) : 1); i += i ? 2 : 1) {
        const expr c = sum ? expr_operand(p, of, i) : EXPR_ONE;
        const expr term = !sum ? of : i ? expr_operand(p, of, i + 1) : EXPR_ONE;
        if (expr_kind_of(p, term) != EXPR_ATAN || !turn_by(here, c, expr_operand(p, term, 0), &d))
            rest = expr_add(p, rest, expr_mul(p, c, term));
    }
    d = turned(p, d,
               (direction){expr_function(p, EXPR_COS, &rest), expr_function(p, EXPR_SIN, &rest)});
    return kind == EXPR_SIN ? d.sine : kind == EXPR_COS ? d.cosine : expr_div(p, d.sine, d.cosine);
}

static expr circular(local_state *here, expr_kind kind, expr of) {
    return sine_of(here, expanded(here, argument_of(here, of)), kind);
}

static expr arctangent(local_state *here, expr u) {
    u = argument_of(here, u);
    return expr_function(here->p, EXPR_ATAN, &u);
}

static expr half_turn(pool *p, int64_t count) {
    return expr_mul(p, expr_rational(p, count, 2), expr_pi(p));
}

// asin(u) = atan(u/sqrt(1 - u^2)), asin(1) = pi/2
static expr arcsine(local_state *here, expr u) {
    pool *p = here->p;
    if (u == EXPR_ONE || u == EXPR_MINUS_ONE) return half_turn(p, u == EXPR_ONE ? 1 : -1);
    const expr cosine = root_of(here, expr_sub(p, EXPR_ONE, expr_square(p, u)), EXPR_HALF);
    return arctangent(here, expr_div(p, u, cosine));
}

// atan2(y, x) = atan(y/x), and sign(y)*pi more for x < 0
static expr angle_of(local_state *here, expr y, expr x) {
    const expr angle = arctangent(here, expr_div(here->p, y, x));
    if (local_form_sign(here, x) > 0) return angle;
    return expr_add(here->p, angle, half_turn(here->p, 2 * local_form_sign(here, y)));
}

// --- the whole ----------------------------------------------------------------------------------

static expr local_function(local_state *here, expr e, const expr *operand) {
    pool *p = here->p;
    const expr u = operand[0];
    switch (expr_kind_of(p, e)) {
    case EXPR_POWER: return exp_of(here, expr_mul(p, operand[1], log_of(here, u)));
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN: return circular(here, expr_kind_of(p, e), u);
    case EXPR_ASIN: return arcsine(here, u);
    case EXPR_ACOS: return expr_sub(p, half_turn(p, 1), arcsine(here, u));
    case EXPR_ATAN: return arctangent(here, u);
    case EXPR_ATAN2: return angle_of(here, u, operand[1]);
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH: return hyperbolic(here, expr_kind_of(p, e), u);
    case EXPR_EXP: return exp_of(here, u);
    case EXPR_LOG: return log_of(here, u);
    case EXPR_ABS: return absolute(here, u);
    case EXPR_SIGN: return expr_int(p, local_form_sign(here, u));
    default: return e;
    }
}

// Products and abstract functions over new operands; sums need nothing
static expr local_node(pool *p, expr e, expr *operand, void *data) {
    local_state *here = data;
    const uint32_t count = expr_operand_count(p, e);
    expr result = EXPR_ONE;
    switch (expr_kind_of(p, e)) {
    case EXPR_NUMBER:
    case EXPR_SYMBOL:
    case EXPR_SUM: return expr_with_operands(p, e, operand);
    case EXPR_PRODUCT:
        for (uint32_t i = 0; i < count; i += 2) {
            const bool whole = fmpz_is_one(fmpq_denref(expr_number_value(p, operand[i + 1])));
            const expr power = whole ? expr_pow(p, operand[i], operand[i + 1])
                                     : root_of(here, operand[i], operand[i + 1]);
            result = expr_mul(p, result, power);
        }
        return result;
    case EXPR_APPLY:
        for (uint32_t i = 0; i < count; i++) operand[i] = argument_of(here, operand[i]);
        return expr_with_operands(p, e, operand);
    default: return count ? local_function(here, e, operand) : e;
    }
}

bool local_form_is_too_long(pool *p, expr e) {
    uint32_t count;
    memory_free(expr_reachable(p, 1, &e, &count));
    return count > MOST_NODES;
}

expr local_form(local_state *here, expr e) { return expr_rebuild(here->p, e, local_node, here); }

expr local_form_sine(local_state *here, expr e) {
    return sine_of(here, expanded(here, e), EXPR_SIN);
}
expr local_form_exponential(local_state *here, expr e) { return power_of(here, expanded(here, e)); }
