// Elementary functions: exact values at 0 and at multiples of pi/6 and pi/4, parity, shifts by
// pi/2; everything else stays a node.
#include "expr/pool_internal.h"

#include <assert.h>

// Split u = turns*pi/2 + rest with 0 <= remainder: the multiple of pi in u, as a rational.
static void split_pi(pool *p, expr u, fmpq_t multiple, expr *rest) {
    fmpq_zero(multiple);
    *rest = u;
    const expr pi = expr_pi(p);
    if (u == pi) {
        fmpq_one(multiple);
        *rest = EXPR_ZERO;
        return;
    }
    const node *n = node_at(p, u);
    if (n->kind != EXPR_SUM) return;
    for (uint32_t i = 1; i < n->count; i += 2) {
        if (operands_of(p, u)[i + 1] != pi) continue;
        fmpq_set(multiple, number_at(p, operands_of(p, u)[i]));
        const expr number = expr_number(p, multiple);
        *rest = expr_sub(p, u, expr_mul(p, number, pi));
        return;
    }
}

// Is the first coefficient of u negative? Then f(u) is written with -u.
static bool leads_negative(const pool *p, expr u) {
    const node *n = node_at(p, u);
    if (n->kind == EXPR_NUMBER) return fmpq_sgn(number_at(p, u)) < 0;
    return n->kind == EXPR_SUM && fmpq_sgn(number_at(p, operands_of(p, u)[1])) < 0;
}

// sin(k*pi/12) for k = 0..6 where it is a square root of a rational: squares
// of the sine times 4, or -1.
static const int four_sine_squared[7] = {0, -1, 1, 2, 3, -1, 4};

// sin((half_turns + 2*eighths/...)...): value of sin(twelfths*pi/12), or
// EXPR_NONE when it needs nested roots.
static expr sine_of_twelfths(pool *p, int twelfths) {
    twelfths = ((twelfths % 24) + 24) % 24;
    const bool negative = twelfths >= 12;
    twelfths %= 12;
    const int square = four_sine_squared[twelfths <= 6 ? twelfths : 12 - twelfths];
    if (square < 0) return EXPR_NONE;
    const expr value = expr_div(p, expr_sqrt(p, expr_int(p, square)), EXPR_TWO);
    return negative ? expr_neg(p, value) : value;
}

// sin or cos of u with multiples of pi/2 taken out; cosine = 1 for cos.
static expr circular(pool *p, expr u, int cosine) {
    fmpq_t multiple;
    fmpq_init(multiple);
    expr rest;
    split_pi(p, u, multiple, &rest);
    expr result = EXPR_NONE;
    if (!fmpq_is_zero(multiple)) {
        fmpz_t n, m;
        fmpz_init(n), fmpz_init(m);
        if (rest == EXPR_ZERO) { // a number: sin(k*pi/12)
            fmpz_mul_ui(n, fmpq_numref(multiple), 12);
            if (fmpz_divisible(n, fmpq_denref(multiple))) {
                fmpz_divexact(n, n, fmpq_denref(multiple));
                result = sine_of_twelfths(p, (int)fmpz_fdiv_ui(n, 24) + 6 * cosine);
            }
        }
        fmpz_mul_ui(n, fmpq_numref(multiple), 2);
        // shift by quarter turns
        if (result == EXPR_NONE && fmpz_divisible(n, fmpq_denref(multiple))) {
            fmpz_divexact(n, n, fmpq_denref(multiple));
            // sin(x + quarter*pi/2)
            const unsigned quarter = ((unsigned)fmpz_fdiv_ui(n, 4) + (unsigned)cosine) % 4;
            result = circular(p, rest, (int)(quarter % 2));
            if (quarter >= 2) result = expr_neg(p, result);
        }
        fmpz_clear(n), fmpz_clear(m);
    }
    fmpq_clear(multiple);
    if (result != EXPR_NONE) return result;
    if (u == EXPR_ZERO) return cosine ? EXPR_ONE : EXPR_ZERO;
    if (leads_negative(p, u)) {
        const expr minus = expr_neg(p, u);
        const expr f = pool_intern(p, cosine ? EXPR_COS : EXPR_SIN, 0, 1, &minus);
        return cosine ? f : expr_neg(p, f);
    }
    return pool_intern(p, cosine ? EXPR_COS : EXPR_SIN, 0, 1, &u);
}

// An odd function that vanishes at 0.
static expr odd(pool *p, expr_kind kind, expr u) {
    if (u == EXPR_ZERO) return EXPR_ZERO;
    if (!leads_negative(p, u)) return pool_intern(p, kind, 0, 1, &u);
    const expr minus = expr_neg(p, u);
    return expr_neg(p, pool_intern(p, kind, 0, 1, &minus));
}

// An even function with the given value at 0.
static expr even(pool *p, expr_kind kind, expr u, expr at_zero) {
    if (u == EXPR_ZERO) return at_zero;
    const expr argument = leads_negative(p, u) ? expr_neg(p, u) : u;
    return pool_intern(p, kind, 0, 1, &argument);
}

static expr absolute(pool *p, expr u) {
    if (expr_is_number(p, u)) return fmpq_sgn(number_at(p, u)) < 0 ? expr_neg(p, u) : u;
    return even(p, EXPR_ABS, u, EXPR_ZERO);
}

static expr sign(pool *p, expr u) {
    if (expr_is_number(p, u)) return expr_int(p, fmpq_sgn(number_at(p, u)));
    return odd(p, EXPR_SIGN, u);
}

expr expr_function(pool *p, expr_kind kind, const expr *arguments) {
    const expr u = arguments[0];
    switch (kind) {
    case EXPR_SIN: return circular(p, u, 0);
    case EXPR_COS: return circular(p, u, 1);
    case EXPR_TAN:
    case EXPR_ASIN:
    case EXPR_ATAN:
    case EXPR_SINH:
    case EXPR_TANH: return odd(p, kind, u);
    case EXPR_COSH: return even(p, kind, u, EXPR_ONE);
    case EXPR_EXP: return u == EXPR_ZERO ? EXPR_ONE : pool_intern(p, kind, 0, 1, &u);
    case EXPR_LOG: return u == EXPR_ONE ? EXPR_ZERO : pool_intern(p, kind, 0, 1, &u);
    case EXPR_ABS: return absolute(p, u);
    case EXPR_SIGN: return sign(p, u);
    case EXPR_ACOS: return u == EXPR_ONE ? EXPR_ZERO : pool_intern(p, kind, 0, 1, &u);
    case EXPR_ATAN2: return pool_intern(p, kind, 0, 2, arguments);
    default: assert(kind == EXPR_SIN); return EXPR_ZERO; // not an elementary function
    }
}

// min(a,b) = (a + b - |a - b|)/2, max likewise: one non-smooth function is enough.
static expr extremum(pool *p, expr a, expr b, expr sign) {
    const expr gap = expr_sub(p, a, b);
    const expr size = expr_mul(p, sign, expr_function(p, EXPR_ABS, &gap));
    return expr_mul(p, EXPR_HALF, expr_sum(p, 3, (expr[]){a, b, size}));
}
expr expr_min(pool *p, expr a, expr b) { return extremum(p, a, b, EXPR_MINUS_ONE); }
expr expr_max(pool *p, expr a, expr b) { return extremum(p, a, b, EXPR_ONE); }
