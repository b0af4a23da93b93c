// Arithmetic of ranges, rounded outward by a few units of the last place.
#include "execute/ranges.h"

#include <float.h>

// The C library's functions are off by less than 4 units of the last place.
static inline range outward(double lo, double hi) {
    static const double PART = 4 * DBL_EPSILON;
    if (fabs(lo) <= DBL_MAX && fabs(hi) <= DBL_MAX)
        return (range){lo - PART * fabs(lo) - DBL_MIN, hi + PART * fabs(hi) + DBL_MIN};
    if (isnan(lo) || isnan(hi)) return EVERYTHING;
    return (range){fmin(lo, DBL_MAX), fmax(hi, -DBL_MAX)};
}

range range_add(range a, range b) { return outward(a.lo + b.lo, a.hi + b.hi); }
static range difference(range a, range b) { return outward(a.lo - b.hi, a.hi - b.lo); }
static range negative(range a) { return (range){-a.hi, -a.lo}; }

// 0 times a bound that is not known is 0: the bound itself is never taken.
static double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

// Of two numbers, where fmin() and fmax() would be calls
static inline double lower(double a, double b) { return a < b ? a : b; }
static inline double higher(double a, double b) { return a > b ? a : b; }

static inline bool is_finite(range a) { return fabs(a.lo) <= DBL_MAX && fabs(a.hi) <= DBL_MAX; }

range range_mul(range a, range b) {
    if (is_finite(a) && is_finite(b)) {
        const double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
        return outward(lower(lower(p, q), lower(r, s)), higher(higher(p, q), higher(r, s)));
    }
    const double p = product(a.lo, b.lo), q = product(a.lo, b.hi), r = product(a.hi, b.lo),
                 s = product(a.hi, b.hi);
    return outward(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

range range_square(range a) {
    const double least = range_least(a), most = range_size(a);
    const range out = outward(least * least, most * most);
    return (range){fmax(out.lo, 0), out.hi};
}

static range quotient(range a, range b) {
    if (range_has_zero(b)) return EVERYTHING;
    return range_mul(a, outward(1 / b.hi, 1 / b.lo));
}

// --- functions -----------------------------------------------------------------------------------

static range rising(double (*f)(double), range a) { return outward(f(a.lo), f(a.hi)); }

// Is there a whole number k with lo <= offset + k period <= hi?
static bool meets(range a, double offset, double period) {
    const double k = ceil((a.lo - offset) / period - 1e-9);
    return offset + k * period <= a.hi + 1e-9 * (1 + fabs(a.hi));
}

static range wave(double (*f)(double), range a, double highest) {
    if (!(range_width(a) < 2 * M_PI) || range_size(a) > 1e6) return (range){-1, 1};
    const double p = f(a.lo), q = f(a.hi);
    const range out = outward(fmin(p, q), fmax(p, q));
    return (range){meets(a, highest + M_PI, 2 * M_PI) ? -1 : fmax(out.lo, -1),
                   meets(a, highest, 2 * M_PI) ? 1 : fmin(out.hi, 1)};
}

static range tangent(range a) {
    if (!(range_width(a) < M_PI) || range_size(a) > 1e6 || meets(a, M_PI / 2, M_PI))
        return EVERYTHING;
    return rising(tan, a);
}

static range root(range a) {
    if (!(a.lo >= 0)) return EVERYTHING;
    const range out = rising(sqrt, a);
    return (range){fmax(out.lo, 0), out.hi};
}

static range logarithm(range a) { return a.lo > 0 ? rising(log, a) : EVERYTHING; }
static range inside_one(double (*f)(double), range a) {
    if (!(a.lo >= -1 && a.hi <= 1)) return EVERYTHING;
    const double p = f(a.lo), q = f(a.hi);
    return outward(fmin(p, q), fmax(p, q));
}

static range cosh_of(range a) { return outward(cosh(range_least(a)), cosh(range_size(a))); }

static range absolute(range a) { return (range){range_least(a), range_size(a)}; }

static range power(range a, range b) {
    if (a.lo > 0) return range_apply(TAPE_EXP, range_mul(b, logarithm(a)), b);
    if (b.lo != b.hi || b.lo != nearbyint(b.lo)) {
        if (!(a.lo >= 0 && b.lo > 0)) return EVERYTHING;
        return (range){0, fmax(outward(0, pow(a.hi, b.lo)).hi, outward(0, pow(a.hi, b.hi)).hi)};
    }
    if (b.lo < 0) return quotient(range_of(1), power(a, negative(b)));
    if (fmod(b.lo, 2) != 0) return outward(pow(a.lo, b.lo), pow(a.hi, b.lo));
    return outward(pow(range_least(a), b.lo), pow(range_size(a), b.lo));
}

// atan2 has its branch on x <= 0, y = 0, and no value at the origin.
static range angle(range y, range x) {
    if (range_has_zero(y) && x.lo <= 0) return (range){-M_PI - 1e-15, M_PI + 1e-15};
    const double p = atan2(y.lo, x.lo), q = atan2(y.lo, x.hi), r = atan2(y.hi, x.lo),
                 s = atan2(y.hi, x.hi);
    return outward(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

static double sign_of(double x) { return (x > 0) - (x < 0); }

range range_apply(tape_operation operation, range a, range b) {
    switch (operation) {
    case TAPE_ADD: return range_add(a, b);
    case TAPE_SUB: return difference(a, b);
    case TAPE_MUL: return range_mul(a, b);
    case TAPE_DIV: return quotient(a, b);
    case TAPE_NEG: return negative(a);
    case TAPE_SQRT: return root(a);
    case TAPE_POW: return power(a, b);
    case TAPE_SIN: return wave(sin, a, M_PI / 2);
    case TAPE_COS: return wave(cos, a, 0);
    case TAPE_TAN: return tangent(a);
    case TAPE_ASIN: return inside_one(asin, a);
    case TAPE_ACOS: return inside_one(acos, a);
    case TAPE_ATAN: return rising(atan, a);
    case TAPE_ATAN2: return angle(a, b);
    case TAPE_SINH: return rising(sinh, a);
    case TAPE_COSH: return cosh_of(a);
    case TAPE_TANH: return rising(tanh, a);
    case TAPE_EXP: return outward(exp(a.lo), exp(a.hi));
    case TAPE_LOG: return logarithm(a);
    case TAPE_ABS: return absolute(a);
    case TAPE_SIGN: return (range){sign_of(a.lo), sign_of(a.hi)};
    case TAPE_SOLVED:
    case TAPE_KINDS: break;
    }
    return EVERYTHING;
}

// --- rates ---------------------------------------------------------------------------------------

static range one_plus_square(range a) { return range_add(range_of(1), range_square(a)); }
static range one_less_square(range a) { return difference(range_of(1), range_square(a)); }

// F'(a), F(a) = r
static range slope(tape_operation operation, range a, range r) {
    switch (operation) {
    case TAPE_NEG: return range_of(-1);
    case TAPE_SQRT: return quotient(range_of(0.5), r);
    case TAPE_SIN: return range_apply(TAPE_COS, a, a);
    case TAPE_COS: return negative(range_apply(TAPE_SIN, a, a));
    case TAPE_TAN: return one_plus_square(r);
    case TAPE_ASIN: return quotient(range_of(1), root(one_less_square(a)));
    case TAPE_ACOS: return quotient(range_of(-1), root(one_less_square(a)));
    case TAPE_ATAN: return quotient(range_of(1), one_plus_square(a));
    case TAPE_SINH: return cosh_of(a);
    case TAPE_COSH: return rising(sinh, a);
    case TAPE_TANH: return one_less_square(r);
    case TAPE_EXP: return r;
    case TAPE_LOG: return quotient(range_of(1), a);
    case TAPE_ABS: return (range){a.lo > 0 ? 1 : -1, a.hi < 0 ? -1 : 1};
    case TAPE_SIGN: return range_has_zero(a) ? EVERYTHING : range_of(0);
    default: return EVERYTHING;
    }
}

range range_rate(tape_operation operation, range a, range b, range r, range da, range db) {
    switch (operation) {
    case TAPE_ADD: return range_add(da, db);
    case TAPE_SUB: return difference(da, db);
    case TAPE_MUL: return range_add(range_mul(da, b), range_mul(a, db));
    case TAPE_DIV: return quotient(difference(da, range_mul(r, db)), b); // (a' - r b') / b
    case TAPE_POW:
        if (db.lo == 0 && db.hi == 0) { // b a^(b-1) a'
            const range below =
                power(a, b.lo == b.hi ? range_of(b.lo - 1) : difference(b, range_of(1)));
            return range_mul(range_mul(b, below), da);
        }
        // r (b' log a + b a'/a)
        return range_mul(r, range_add(range_mul(db, logarithm(a)), range_mul(b, quotient(da, a))));
    case TAPE_ATAN2: // (x y' - y x') / (x^2 + y^2), a = y, b = x
        if (range_has_zero(a) && b.lo <= 0) return EVERYTHING;
        return quotient(difference(range_mul(b, da), range_mul(a, db)),
                        range_add(range_square(a), range_square(b)));
    case TAPE_SOLVED:
    case TAPE_KINDS: return EVERYTHING;
    default: return range_mul(slope(operation, a, r), da);
    }
}
