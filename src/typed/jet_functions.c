// Functions of jets: the Taylor coefficients of each at a ball, and where it has no value or no
// derivative.
#include "typed/jet.h"

#include <arb_poly.h>

static jet nothing(typed_finding *why, typed_status status, const char *reason) {
    why->status = status;
    why->reason = reason;
    return (jet){0};
}

// The composition, unless a coefficient is not finite.
static jet compose(const jet_context *c, const jet *u, arb_srcptr coefficient, typed_finding *why) {
    for (uint32_t j = 0; j <= jet_order(u); j++)
        if (!arb_is_finite(coefficient + j))
            return nothing(why, TYPED_TOO_WIDE,
                           "the argument is not known well enough for a finite value");
    return jet_compose(c, u, coefficient);
}

// --- powers --------------------------------------------------------------------------------------

// The coefficients of x^e at x = u0: binomial(e, j) u0^(e - j).
static jet rational_power(const jet_context *c, const jet *u, const fmpq_t e, typed_finding *why) {
    const uint32_t order = jet_order(u);
    const bool whole = fmpz_is_one(fmpq_denref(e));
    arb_ptr coefficient = _arb_vec_init(order + 1);
    arb_t binomial, power;
    fmpq_t rest;
    arb_init(binomial), arb_init(power), fmpq_init(rest);
    arb_one(binomial);
    fmpq_set(rest, e);
    for (uint32_t j = 0; j <= order; j++) {
        if (arb_is_zero(binomial)) break; // beyond the degree of x^n
        if (whole) arb_pow_fmpz(power, u->part, fmpq_numref(rest), c->precision);
        else if (arb_is_zero(u->part) && fmpq_sgn(rest) > 0) arb_zero(power);
        else arb_pow_fmpq(power, u->part, rest, c->precision);
        arb_mul(coefficient + j, binomial, power, c->precision);
        if (fmpq_is_zero(rest)) break;
        arb_t factor; // binomial(e, j + 1) = binomial(e, j) (e - j)/(j + 1)
        arb_init(factor);
        arb_set_fmpq(factor, rest, c->precision);
        arb_mul(binomial, binomial, factor, c->precision);
        arb_div_ui(binomial, binomial, j + 1, c->precision);
        arb_clear(factor);
        fmpq_sub_si(rest, rest, 1);
    }
    const jet r = compose(c, u, coefficient, why);
    _arb_vec_clear(coefficient, order + 1);
    arb_clear(binomial), arb_clear(power), fmpq_clear(rest);
    return r;
}

// Where u^e has a value, and as many derivatives as are asked for.
static bool power_exists(const jet *u, const fmpq_t e, typed_finding *why) {
    const bool whole = fmpz_is_one(fmpq_denref(e));
    if (whole && fmpq_sgn(e) >= 0) return true;
    if (jet_is_zero(u)) {
        if (fmpq_sgn(e) < 0) nothing(why, TYPED_UNDEFINED, "division by zero");
        else if (fmpq_cmp_ui(e, jet_order(u)) < 0)
            nothing(why, TYPED_UNDEFINED, "a root has no derivative at zero");
    } else if (whole) {
        if (arb_contains_zero(u->part))
            nothing(why, TYPED_TOO_WIDE, "a divisor cannot be told from zero");
    } else if (arb_is_negative(u->part)) {
        nothing(why, TYPED_UNDEFINED, "a negative number has no real root");
    } else if (!arb_is_positive(u->part)) {
        nothing(why, TYPED_TOO_WIDE, "the argument of a root cannot be told from zero");
    }
    return why->status == TYPED_OK;
}

static jet checked_power(const jet_context *c, const jet *u, const fmpq_t e, typed_finding *why) {
    return power_exists(u, e, why) ? rational_power(c, u, e, why) : (jet){0};
}

jet jet_inverse(const jet_context *c, const jet *u, typed_finding *why) {
    if (u->exact && u->numerator) return jet_rational(c, u->denominator, u->numerator);
    fmpq_t e;
    fmpq_init(e);
    fmpq_set_si(e, -1, 1);
    const jet r = checked_power(c, u, e, why);
    fmpq_clear(e);
    return r;
}

// The exponent as an exact number: written as one, or a ball that is one (a parameter of value 2).
static bool exact_exponent(const jet *a, fmpq_t e) {
    if (a->mask) return false;
    if (a->exact) fmpq_set_si(e, a->numerator, (ulong)a->denominator);
    else if (!arb_is_exact(a->part) || !arb_is_finite(a->part) ||
             arf_cmpabs_2exp_si(arb_midref(a->part), 4000) > 0 ||
             (!arb_is_zero(a->part) && arf_cmpabs_2exp_si(arb_midref(a->part), -4000) < 0))
        return false;
    else arf_get_fmpq(e, arb_midref(a->part));
    return true;
}

// Powers of exact numbers stay exact while they are small: indices and ranges need them.
static bool small_power(const jet_context *c, const jet *base, const fmpq_t e, jet *r) {
    enum { MOST = 62 };
    if (!base->exact || !fmpz_is_one(fmpq_denref(e)) || fmpz_cmp_si(fmpq_numref(e), MOST) > 0 ||
        fmpz_cmp_si(fmpq_numref(e), -MOST) < 0)
        return false;
    const slong n = fmpz_get_si(fmpq_numref(e));
    if (n < 0 && !base->numerator) return false;
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_si(q, base->numerator, (ulong)base->denominator);
    fmpq_pow_si(q, q, n);
    *r = jet_fmpq(c, q);
    fmpq_clear(q);
    return true;
}

jet jet_power(const jet_context *c, const jet *base, const jet *exponent, typed_finding *why) {
    fmpq_t e;
    fmpq_init(e);
    jet r;
    if (exact_exponent(exponent, e)) {
        if (!small_power(c, base, e, &r)) r = checked_power(c, base, e, why);
    } else if (jet_is_zero(base) && !base->mask && !exponent->mask &&
               arb_is_positive(exponent->part)) {
        r = jet_rational(c, 0, 1);
    } else if (jet_is_zero(base) ||
               arb_is_nonpositive(base->part)) { // fine for integers, if the exponent is one
        const bool whole = !exponent->mask && arb_contains_int(exponent->part);
        r = nothing(why, whole ? TYPED_TOO_WIDE : TYPED_UNDEFINED,
                    "a power with a variable exponent needs a positive base");
    } else { // b^v = exp(v log b)
        r = jet_function(c, EXPR_LOG, base, why);
        if (why->status == TYPED_OK) {
            const jet product = jet_mul(c, exponent, &r);
            r = jet_function(c, EXPR_EXP, &product, why);
        }
    }
    fmpq_clear(e);
    return r;
}

jet jet_sqrt(const jet_context *c, const jet *u, typed_finding *why) {
    if (u->exact && u->numerator >= 0) { // of a square: exact
        const ulong p = n_sqrt((ulong)u->numerator), q = n_sqrt((ulong)u->denominator);
        if (p * p == (ulong)u->numerator && q * q == (ulong)u->denominator)
            return jet_rational(c, (int64_t)p, (int64_t)q);
    }
    fmpq_t half;
    fmpq_init(half);
    fmpq_set_si(half, 1, 2);
    const jet r = checked_power(c, u, half, why);
    fmpq_clear(half);
    return r;
}

// --- elementary functions ------------------------------------------------------------------------

// tanh = 1 - 2/(exp(2x) + 1)
static void tanh_series(arb_poly_t f, const arb_poly_t x, slong length, slong precision) {
    arb_poly_t twice;
    arb_poly_init(twice);
    arb_poly_add(twice, x, x, precision);
    arb_poly_exp_series(f, twice, length, precision);
    arb_poly_one(twice);
    arb_poly_add_series(f, f, twice, length, precision);
    arb_poly_inv_series(f, f, length, precision);
    arb_poly_scalar_mul_2exp_si(f, f, 1);
    arb_poly_sub_series(f, twice, f, length, precision);
    arb_poly_clear(twice);
}

static void taylor(arb_poly_t f, expr_kind kind, const arb_poly_t x, slong length,
                   slong precision) {
    switch (kind) {
    case EXPR_SIN: arb_poly_sin_series(f, x, length, precision); break;
    case EXPR_COS: arb_poly_cos_series(f, x, length, precision); break;
    case EXPR_TAN: arb_poly_tan_series(f, x, length, precision); break;
    case EXPR_ASIN: arb_poly_asin_series(f, x, length, precision); break;
    case EXPR_ACOS: arb_poly_acos_series(f, x, length, precision); break;
    case EXPR_ATAN: arb_poly_atan_series(f, x, length, precision); break;
    case EXPR_SINH: arb_poly_sinh_series(f, x, length, precision); break;
    case EXPR_COSH: arb_poly_cosh_series(f, x, length, precision); break;
    case EXPR_TANH: tanh_series(f, x, length, precision); break;
    case EXPR_EXP: arb_poly_exp_series(f, x, length, precision); break;
    default: arb_poly_log_series(f, x, length, precision); break;
    }
}

static jet smooth(const jet_context *c, expr_kind kind, const jet *u, typed_finding *why) {
    const slong length = (slong)jet_order(u) + 1;
    arb_poly_t x, f; // x = u0 + variable
    arb_poly_init(x), arb_poly_init(f);
    arb_poly_set_coeff_arb(x, 0, u->part);
    if (length > 1) arb_poly_set_coeff_si(x, 1, 1);
    taylor(f, kind, x, length, c->precision);
    arb_ptr coefficient = _arb_vec_init(length);
    for (slong j = 0; j < length; j++) arb_poly_get_coeff_arb(coefficient + j, f, j);
    const jet r = compose(c, u, coefficient, why);
    _arb_vec_clear(coefficient, length);
    arb_poly_clear(x), arb_poly_clear(f);
    return r;
}

static jet logarithm(const jet_context *c, const jet *u, typed_finding *why) {
    if (jet_is_zero(u) || arb_is_nonpositive(u->part))
        return nothing(why, TYPED_UNDEFINED, "a logarithm needs a positive number");
    if (!arb_is_positive(u->part))
        return nothing(why, TYPED_TOO_WIDE, "the argument of a logarithm cannot be told from zero");
    return smooth(c, EXPR_LOG, u, why);
}

// asin and acos: [-1, 1], with derivatives inside only.
static jet inverse_circular(const jet_context *c, expr_kind kind, const jet *u,
                            typed_finding *why) {
    arb_t size;
    arb_init(size);
    arb_abs(size, u->part);
    arb_sub_si(size, size, 1, c->precision);
    jet r = {0};
    const bool end = u->exact ? u->denominator == 1 && (u->numerator == 1 || u->numerator == -1)
                              : arb_is_zero(size);
    if (arb_is_positive(size))
        r = nothing(why, TYPED_UNDEFINED, "the argument must lie between -1 and 1");
    else if (end && u->mask)
        r = nothing(why, TYPED_UNDEFINED, "there is no derivative at the ends of [-1, 1]");
    else if (!end && arb_contains_zero(size))
        r = nothing(why, TYPED_TOO_WIDE, "the argument cannot be told from the ends of [-1, 1]");
    else r = smooth(c, kind, u, why);
    arb_clear(size);
    return r;
}

// abs and sign: u is exactly 0, or has a sign, or its ball is too wide to tell.
static jet by_sign(const jet_context *c, expr_kind kind, const jet *u, typed_finding *why) {
    const bool is_abs = kind == EXPR_ABS;
    if (jet_is_zero(u)) {
        if (!u->mask) return jet_rational(c, 0, 1);
        return nothing(why, TYPED_UNDEFINED,
                       is_abs ? "an absolute value has no derivative at zero"
                              : "a sign has no derivative at zero");
    }
    if (!arb_is_nonzero(u->part)) return nothing(why, TYPED_TOO_WIDE, "a sign cannot be told");
    const bool negative = arb_is_negative(u->part);
    if (!is_abs) return jet_rational(c, negative ? -1 : 1, 1);
    return negative ? jet_neg(c, u) : *u;
}

jet jet_function(const jet_context *c, expr_kind kind, const jet *u, typed_finding *why) {
    switch (kind) {
    case EXPR_LOG: return logarithm(c, u, why);
    case EXPR_ASIN:
    case EXPR_ACOS: return inverse_circular(c, kind, u, why);
    case EXPR_ABS:
    case EXPR_SIGN: return by_sign(c, kind, u, why);
    default: return smooth(c, kind, u, why);
    }
}

jet jet_extremum(const jet_context *c, const jet *a, const jet *b, bool largest,
                 typed_finding *why) {
    const jet gap = jet_sub(c, a, b);
    if (jet_is_zero(&gap)) {
        if (!gap.mask) return *a;
        return nothing(why, TYPED_UNDEFINED,
                       "min and max have no derivative where their arguments are equal");
    }
    if (!arb_is_nonzero(gap.part))
        return nothing(why, TYPED_TOO_WIDE, "the smaller of two cannot be told");
    return arb_is_positive(gap.part) == largest ? *a : *b;
}

// atan2(y, x) = atan2(y0, x0) + atan(z), z = (y x0 - x y0)/(x x0 + y y0): the angle from (x0, y0)
// to (x, y).
jet jet_atan2(const jet_context *c, const jet *y, const jet *x, typed_finding *why) {
    const bool on_axis = jet_is_zero(y), left = arb_is_negative(x->part);
    if (on_axis && jet_is_zero(x)) return nothing(why, TYPED_UNDEFINED, "atan2(0, 0) has no value");
    if (on_axis && left && y->mask)
        return nothing(why, TYPED_UNDEFINED, "atan2 jumps at the negative x-axis");
    if (!on_axis && arb_contains_zero(y->part) && !arb_is_positive(x->part))
        return nothing(why, TYPED_TOO_WIDE, "atan2 is too near its jump or (0, 0)");
    jet angle = jet_ball(c, x->part);
    arb_atan2(angle.part, y->part, x->part, c->precision);
    if (on_axis && arb_is_positive(x->part)) angle = jet_rational(c, 0, 1);
    if (!arb_is_finite(angle.part)) return nothing(why, TYPED_TOO_WIDE, "atan2 is too near (0, 0)");
    if (!(x->mask | y->mask)) return angle;
    const jet x0 = jet_ball(c, x->part), y0 = jet_ball(c, y->part);
    const jet yx = jet_mul(c, y, &x0), xy = jet_mul(c, x, &y0), xx = jet_mul(c, x, &x0),
              yy = jet_mul(c, y, &y0);
    jet across = jet_sub(c, &yx, &xy), along = jet_add(c, &xx, &yy);
    along = jet_inverse(c, &along, why);
    if (why->status != TYPED_OK) return angle;
    jet z = jet_mul(c, &across, &along);
    arb_zero(z.part);
    z = jet_function(c, EXPR_ATAN, &z, why);
    return why->status == TYPED_OK ? jet_add(c, &angle, &z) : angle;
}
