// An expression near one real state, from the inside out. Each rule is an
// identity where the signs used hold.
#include "prove/near.h"

#include "normal/normal.h"
#include "prove/range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MULTIPLE = 12, MOST_ARGUMENTS = 40, FACTOR_BITS = 96 };

void near_clear(near_state *n) {
    memory_free(n->signs);
    memory_free(n->arguments);
}

// --- signs ---------------------------------------------------------------------------------------

bool near_value(near_state *n, expr e, arb_t out) {
    equations_values(n->eq, n->at, 1, &e, out);
    return arb_is_finite(out);
}

// At the state; not noted.
static int sign_at(near_state *n, expr e) {
    arb_t value;
    arb_init(value);
    const bool finite = near_value(n, e, value);
    const int sign = finite ? arb_is_positive(value) - arb_is_negative(value) : 0;
    arb_clear(value);
    if (!sign) n->lost = true;
    return sign;
}

int near_sign(near_state *n, expr e) {
    const int known = structural_sign(n->p, e);
    if (known) return known;
    const int sign = sign_at(n, e);
    for (uint32_t i = 0; i < n->signs_count; i++)
        if (n->signs[i].of == e) return sign;
    if (sign) model_push(n, signs, ((sign_used){e, sign}));
    return sign;
}

static expr absolute(near_state *n, expr e) { return near_sign(n, e) < 0 ? expr_neg(n->p, e) : e; }

// --- factors -------------------------------------------------------------------------------------

typedef struct { // number * prod base^exponent
    expr number;
    uint32_t count;
    expr base[MOST_ARGUMENTS], exponent[MOST_ARGUMENTS];
} factors;

static bool take_factors(near_state *n, expr e, factors *out) {
    const normal_budget budget = normal_budget_default();
    expr rest = normal_factored(n->p, e, n->beside, &budget);
    *out = (factors){.number = EXPR_ONE};
    if (expr_is_number(n->p, rest)) {
        out->number = rest;
        return true;
    }
    expr_split_coefficient(n->p, rest, &out->number, &rest);
    if (expr_kind_of(n->p, rest) != EXPR_PRODUCT) {
        out->base[out->count] = rest, out->exponent[out->count++] = EXPR_ONE;
        return true;
    }
    if (expr_operand_count(n->p, rest) > 2 * MOST_ARGUMENTS) return false;
    for (uint32_t i = 0; i < expr_operand_count(n->p, rest); i += 2) {
        out->base[out->count] = expr_operand(n->p, rest, i);
        out->exponent[out->count++] = expr_operand(n->p, rest, i + 1);
    }
    return true;
}

// One irreducible factor that must be positive for the whole to have a value says nothing new.
static bool is_alone(const factors *f) { return f->count == 1 && f->exponent[0] == EXPR_ONE; }

// The factors with the signs that make them positive; false where the whole is negative.
static bool make_positive(near_state *n, factors *f) {
    int whole = structural_sign(n->p, f->number);
    for (uint32_t i = 0; i < f->count; i++) {
        const int sign = is_alone(f) ? sign_at(n, f->base[i]) : near_sign(n, f->base[i]);
        int64_t power;
        const bool odd = expr_is_integer(n->p, f->exponent[i], &power) && power % 2 != 0;
        if (sign < 0) f->base[i] = expr_neg(n->p, f->base[i]);
        if (sign < 0 && odd) whole = -whole;
    }
    if (structural_sign(n->p, f->number) < 0) f->number = expr_neg(n->p, f->number);
    if (whole <= 0) n->lost = true;
    return !n->lost;
}

// base^exponent for a fraction: sqrt(x^2*y) = abs(x)*sqrt(y)
static expr root_of(near_state *n, expr base, expr exponent) {
    factors f;
    if (!take_factors(n, base, &f) || !make_positive(n, &f)) return expr_pow(n->p, base, exponent);
    expr product = expr_pow(n->p, f.number, exponent);
    for (uint32_t i = 0; i < f.count; i++)
        product = expr_mul(n->p, product,
                           expr_pow(n->p, f.base[i], expr_mul(n->p, f.exponent[i], exponent)));
    return product;
}

// --- exponentials and logarithms -----------------------------------------------------------------

static expr logarithm(pool *p, expr of) { return expr_function(p, EXPR_LOG, &of); }

// log of a positive whole number, by its primes
static expr log_of_whole(pool *p, const fmpz *n) {
    expr sum = EXPR_ZERO;
    fmpz_factor_t primes;
    fmpz_factor_init(primes);
    if (fmpz_bits(n) <= FACTOR_BITS) fmpz_factor(primes, n);
    else _fmpz_factor_append(primes, n, 1);
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

// Is u the other one, wherever the constraints hold around the state?
static bool is_same(near_state *n, expr u, expr other) {
    const expr difference = expr_sub(n->p, u, other);
    arb_t gap;
    arb_init(gap);
    const bool zero = near_value(n, difference, gap) && arb_contains_zero(gap);
    arb_clear(gap);
    return zero && n->vanishes(n, difference);
}

// The half of a whole number that is nearest to the value: 0, 1, -1/2 ..
static expr nearest_half(near_state *n, expr u) {
    arb_t value;
    arb_init(value);
    double twice = 0;
    if (near_value(n, u, value)) twice = 2 * arf_get_d(arb_midref(value), ARF_RND_NEAR);
    arb_clear(value);
    return fabs(twice) < 1e15 ? expr_rational(n->p, (int64_t)llround(twice), 2) : EXPR_ZERO;
}

// The same argument for what is the same on the constraints, and a simple
// number where it is one there.
static expr argument_of(near_state *n, expr u) {
    if (expr_is_number(n->p, u)) return u;
    for (uint32_t i = 0; i < n->arguments_count; i++)
        if (n->arguments[i] == u) return u;
    for (uint32_t i = 0; i < n->arguments_count; i++)
        if (is_same(n, u, n->arguments[i])) return n->arguments[i];
    const expr number = nearest_half(n, u);
    if (is_same(n, u, number)) return number;
    if (n->arguments_count < MOST_ARGUMENTS) model_push(n, arguments, u);
    return u;
}

static expr log_of(near_state *n, expr of) {
    factors f;
    of = argument_of(n, of);
    if (!take_factors(n, of, &f) || !make_positive(n, &f)) return logarithm(n->p, of);
    expr sum = log_of_number(n->p, f.number);
    for (uint32_t i = 0; i < f.count; i++) {
        const expr b = f.base[i];
        const expr log = expr_is_number(n->p, b)             ? log_of_number(n->p, b)
                         : expr_kind_of(n->p, b) == EXPR_EXP ? expr_operand(n->p, b, 0)
                                                             : logarithm(n->p, b);
        sum = expr_add(n->p, sum, expr_mul(n->p, f.exponent[i], log));
    }
    return sum;
}

static expr expanded(near_state *n, expr e) {
    const normal_budget budget = normal_budget_default();
    return normal_expand(n->p, e, &budget);
}

// exp(c1*log(b1) + .. + rest) = b1^c1 .. exp(rest) for numbers c
static expr power_of(near_state *n, expr of) {
    pool *p = n->p;
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

static expr exp_of(near_state *n, expr of) { return power_of(n, expanded(n, argument_of(n, of))); }

static expr hyperbolic(near_state *n, expr_kind kind, expr of) {
    pool *p = n->p;
    const expr up = exp_of(n, of), down = expr_div(p, EXPR_ONE, up);
    const expr sine = expr_mul(p, EXPR_HALF, expr_sub(p, up, down)),
               cosine = expr_mul(p, EXPR_HALF, expr_add(p, up, down));
    return kind == EXPR_SINH ? sine : kind == EXPR_COSH ? cosine : expr_div(p, sine, cosine);
}

// --- circular functions and their inverses -------------------------------------------------------

typedef struct {
    expr cosine, sine;
} direction;

static direction turned(pool *p, direction a, direction b) {
    return (direction){expr_sub(p, expr_mul(p, a.cosine, b.cosine), expr_mul(p, a.sine, b.sine)),
                       expr_add(p, expr_mul(p, a.sine, b.cosine), expr_mul(p, a.cosine, b.sine))};
}

// cos and sin of atan(u)/2 or atan(u): |atan(u)| < pi/2, so both cosines are positive
static direction direction_of(near_state *n, expr u, bool half) {
    pool *p = n->p;
    const expr length = root_of(n, expr_add(p, EXPR_ONE, expr_square(p, u)), EXPR_HALF);
    direction d = {expr_div(p, EXPR_ONE, length), expr_div(p, u, length)};
    if (!half) return d;
    const expr cosine =
        root_of(n, expr_mul(p, EXPR_HALF, expr_add(p, EXPR_ONE, d.cosine)), EXPR_HALF);
    return (direction){cosine, expr_div(p, d.sine, expr_mul(p, EXPR_TWO, cosine))};
}

// c*atan(u) for c a small multiple of 1/2, turned onto `to`; false for another c.
static bool turn_by(near_state *n, expr c, expr u, direction *to) {
    int64_t times = 0;
    const bool whole = expr_is_integer(n->p, c, &times);
    if (!whole && !expr_is_integer(n->p, expr_mul(n->p, EXPR_TWO, c), &times)) return false;
    if (times > MOST_MULTIPLE || times < -MOST_MULTIPLE) return false;
    direction d = direction_of(n, u, !whole);
    if (times < 0) d.sine = expr_neg(n->p, d.sine), times = -times;
    for (int64_t i = 0; i < times; i++) *to = turned(n->p, *to, d);
    return true;
}

static expr sine_of(near_state *n, expr of, expr_kind kind) {
    pool *p = n->p;
    expr rest = EXPR_ZERO;
    direction d = {EXPR_ONE, EXPR_ZERO};
    const bool sum = expr_kind_of(p, of) == EXPR_SUM;
    for (uint32_t i = 0; i < (sum ? expr_operand_count(p, of) : 1); i += i ? 2 : 1) {
        const expr c = sum ? expr_operand(p, of, i) : EXPR_ONE;
        const expr term = !sum ? of : i ? expr_operand(p, of, i + 1) : EXPR_ONE;
        if (expr_kind_of(p, term) != EXPR_ATAN || !turn_by(n, c, expr_operand(p, term, 0), &d))
            rest = expr_add(p, rest, expr_mul(p, c, term));
    }
    d = turned(p, d,
               (direction){expr_function(p, EXPR_COS, &rest), expr_function(p, EXPR_SIN, &rest)});
    return kind == EXPR_SIN ? d.sine : kind == EXPR_COS ? d.cosine : expr_div(p, d.sine, d.cosine);
}

static expr circular(near_state *n, expr_kind kind, expr of) {
    return sine_of(n, expanded(n, argument_of(n, of)), kind);
}

static expr arctangent(near_state *n, expr u) {
    u = argument_of(n, u);
    return expr_function(n->p, EXPR_ATAN, &u);
}

static expr half_turn(pool *p, int64_t count) {
    return expr_mul(p, expr_rational(p, count, 2), expr_pi(p));
}

// asin(u) = atan(u/sqrt(1 - u^2)), asin(1) = pi/2
static expr arcsine(near_state *n, expr u) {
    pool *p = n->p;
    if (u == EXPR_ONE || u == EXPR_MINUS_ONE) return half_turn(p, u == EXPR_ONE ? 1 : -1);
    const expr cosine = root_of(n, expr_sub(p, EXPR_ONE, expr_square(p, u)), EXPR_HALF);
    return arctangent(n, expr_div(p, u, cosine));
}

// atan2(y, x) = atan(y/x), and sign(y)*pi more for x < 0
static expr angle_of(near_state *n, expr y, expr x) {
    const expr angle = arctangent(n, expr_div(n->p, y, x));
    if (near_sign(n, x) > 0) return angle;
    return expr_add(n->p, angle, half_turn(n->p, 2 * near_sign(n, y)));
}

// --- the whole -----------------------------------------------------------------------------------

static expr near_function(near_state *n, expr e, const expr *operand) {
    pool *p = n->p;
    const expr u = operand[0];
    switch (expr_kind_of(p, e)) {
    case EXPR_POWER: return exp_of(n, expr_mul(p, operand[1], log_of(n, u)));
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN: return circular(n, expr_kind_of(p, e), u);
    case EXPR_ASIN: return arcsine(n, u);
    case EXPR_ACOS: return expr_sub(p, half_turn(p, 1), arcsine(n, u));
    case EXPR_ATAN: return arctangent(n, u);
    case EXPR_ATAN2: return angle_of(n, u, operand[1]);
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH: return hyperbolic(n, expr_kind_of(p, e), u);
    case EXPR_EXP: return exp_of(n, u);
    case EXPR_LOG: return log_of(n, u);
    case EXPR_ABS: return absolute(n, u);
    case EXPR_SIGN: return expr_int(p, near_sign(n, u));
    default: return e;
    }
}

// Sums, products and abstract functions over new operands
static expr near_node(pool *p, expr e, uint32_t count, expr *operand, void *data) {
    near_state *n = data;
    expr result = EXPR_ZERO;
    switch (expr_kind_of(p, e)) {
    case EXPR_SUM:
        result = operand[0];
        for (uint32_t i = 1; i < count; i += 2)
            result = expr_add(p, result, expr_mul(p, operand[i], operand[i + 1]));
        return result;
    case EXPR_PRODUCT:
        result = EXPR_ONE;
        for (uint32_t i = 0; i < count; i += 2) {
            const bool whole = fmpz_is_one(fmpq_denref(expr_number_value(p, operand[i + 1])));
            const expr power = whole ? expr_pow(p, operand[i], operand[i + 1])
                                     : root_of(n, operand[i], operand[i + 1]);
            result = expr_mul(p, result, power);
        }
        return result;
    case EXPR_APPLY:
        for (uint32_t i = 0; i < count; i++) operand[i] = argument_of(n, operand[i]);
        return expr_apply(p, expr_function_index(p, e), count, operand);
    default: return near_function(n, e, operand);
    }
}

static int by_index(const void *a, const void *b) {
    const expr x = *(const expr *)a, y = *(const expr *)b;
    return (x > y) - (x < y);
}

expr rebuild_nodes(pool *p, expr e, node_builder *build, void *data) {
    uint32_t count;
    expr *nodes = expr_reachable(p, 1, &e, &count), *image = memory_array(expr, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t operands = expr_operand_count(p, nodes[i]);
        expr *operand = memory_array(expr, operands + 1);
        for (uint32_t j = 0; j < operands; j++) {
            const expr wanted = expr_operand(p, nodes[i], j);
            const expr *found = bsearch(&wanted, nodes, count, sizeof(expr), by_index);
            operand[j] = image[found - nodes];
        }
        image[i] = operands ? build(p, nodes[i], operands, operand, data) : nodes[i];
        memory_free(operand);
    }
    const expr result = image[count - 1]; // operands come first, so the root is last
    memory_free(image);
    memory_free(nodes);
    return result;
}

expr near_form(near_state *n, expr e) { return rebuild_nodes(n->p, e, near_node, n); }

expr near_sine(near_state *n, expr e) { return sine_of(n, expanded(n, e), EXPR_SIN); }
expr near_exponential(near_state *n, expr e) { return power_of(n, expanded(n, e)); }
