// Polynomials as products of irreducible factors.
//
// Polynomials of mechanics are linear in something nearly always, and then one gcd decides: A*v + B
// = G*((A/G)*v + B/G), G = gcd(A, B), where the second factor is irreducible. Only what is linear
// in no variable goes to the general algorithm.
//
// An irreducible polynomial is written in fewer words than its terms: by a root whose square is in
// it, by sums and differences of symbols, or by a shift that takes a term away. Numbers gain too:
// x1^2 - 2*x1*x2 + x2^2 loses the digits that (x1 - x2)^2 keeps when both are large.
#include "normal/ring.h"

#include <flint/fmpz_mpoly_factor.h>

// longest polynomial that is factored; from longer ones only common monomials are drawn
enum { FACTOR_LENGTH = 120 };
enum { FACTOR_BITS = 20000 }; // of all coefficients: prod(i in 1..100, 1 + i*x) takes seconds

// --- roots ---------------------------------------------------------------------------------------

// f = A + B*s with s^2 = top, where top divides A: f = s*((A/top)*s + B)
static expr draw_root(ring *R, const relation *r, const fmpz_mpoly_t f, const fmpz_mpoly_t top) {
    expr out = EXPR_NONE;
    fmpz_mpoly_t a, b, s;
    fmpz_mpoly_init(a, R->ctx), fmpz_mpoly_init(b, R->ctx), fmpz_mpoly_init(s, R->ctx);
    fmpz_mpoly_gen(s, r->variable, R->ctx);
    fmpz_mpoly_divrem(b, a, f, s, R->ctx);
    if (!fmpz_mpoly_is_zero(a, R->ctx) && fmpz_mpoly_divides(a, a, top, R->ctx)) {
        const generator *g = &R->generators[r->variable];
        const expr root = expr_pow(R->p, g->base, expr_rational(R->p, 1, (int64_t)g->root));
        fmpz_mpoly_mul(a, a, s, R->ctx);
        fmpz_mpoly_add(a, a, b, R->ctx);
        ring_contract_squares(R, a);
        out = expr_mul(R->p, root, factor_rebuild(R, a));
    }
    fmpz_mpoly_clear(a, R->ctx), fmpz_mpoly_clear(b, R->ctx), fmpz_mpoly_clear(s, R->ctx);
    return out;
}

// Both sides as the relations stand now: sines and cosines may have changed places since the root
// was met (fraction_orient, ring_contract_squares).
static expr by_root(ring *R, const relation *r, const fmpz_mpoly_t f) {
    expr out = EXPR_NONE;
    fmpz_mpoly_t own, top, scale;
    fmpz_mpoly_init(own, R->ctx), fmpz_mpoly_init(top, R->ctx), fmpz_mpoly_init(scale, R->ctx);
    fmpz_mpoly_set(own, f, R->ctx), fmpz_mpoly_set(top, r->top, R->ctx),
        fmpz_mpoly_one(scale, R->ctx);
    ring_reduce(R, own, scale);
    ring_reduce(R, top, scale);
    if (!R->over && fmpz_mpoly_is_one(scale, R->ctx)) out = draw_root(R, r, own, top);
    fmpz_mpoly_clear(own, R->ctx), fmpz_mpoly_clear(top, R->ctx), fmpz_mpoly_clear(scale, R->ctx);
    return out;
}

// x^2 + y^2 - l*r -> r*(r - l), r = sqrt(x^2 + y^2); EXPR_NONE if there is no such root
static expr regroup_by_root(ring *R, const fmpz_mpoly_t f) {
    expr out = EXPR_NONE;
    for (uint32_t i = 0; i < R->relations_count && out == EXPR_NONE; i++) {
        const relation *r = &R->relations[i];
        const bool square =
            r->partner < 0 && r->degree == 2 && fmpz_mpoly_is_one(r->bottom, R->ctx);
        if (square && r->top->length > 1) out = by_root(R, r, f);
    }
    return out;
}

// What generators stand for changes while a polynomial is regrouped: kept, and put back.
static expr *copy_bases(const ring *R) {
    expr *own = memory_array(expr, R->generators_count + 1);
    for (uint32_t a = 0; a < R->generators_count; a++) own[a] = R->generators[a].base;
    return own;
}

static void restore_bases(ring *R, expr *own) {
    for (uint32_t a = 0; a < R->generators_count; a++) R->generators[a].base = own[a];
    memory_free(own);
}

// --- sums and differences ------------------------------------------------------------------------

// f depends on the symbols a and b through a + sign*b only: df/db = sign
// df/da, 1 or -1; 0 if it does not
static int sign_between(ring *R, const fmpz_mpoly_t f, const fmpz_mpoly_t df_da, slong b) {
    fmpz_mpoly_t df_db;
    fmpz_mpoly_init(df_db, R->ctx);
    fmpz_mpoly_derivative(df_db, f, b, R->ctx);
    int sign = fmpz_mpoly_equal(df_da, df_db, R->ctx) ? 1 : 0;
    fmpz_mpoly_neg(df_db, df_db, R->ctx);
    if (fmpz_mpoly_equal(df_da, df_db, R->ctx)) sign = -1;
    fmpz_mpoly_clear(df_db, R->ctx);
    return sign;
}

static bool is_symbol(const ring *R, slong i) {
    return R->generators[i].root == 1 && expr_kind_of(R->p, R->generators[i].base) == EXPR_SYMBOL;
}

// The symbol b > a that f holds in this way, and the sign; -1 if there is none.
static slong find_companion(ring *R, const fmpz_mpoly_t f, slong a, int *sign) {
    const slong degree = fmpz_mpoly_degree_si(f, a, R->ctx);
    slong found = -1;
    fmpz_mpoly_t df_da;
    fmpz_mpoly_init(df_da, R->ctx);
    fmpz_mpoly_derivative(df_da, f, a, R->ctx);
    for (slong b = a + 1; b < (slong)R->generators_count && found < 0; b++)
        if (fmpz_mpoly_degree_si(f, b, R->ctx) == degree && is_symbol(R, b) &&
            (*sign = sign_between(R, f, df_da, b)))
            found = b;
    fmpz_mpoly_clear(df_da, R->ctx);
    return found;
}

// f(a, b) = f(a + sign*b, 0): b leaves f, and the generator a stands for the sum
// from here on. False if a has no b.
static bool merge_one(ring *R, fmpz_mpoly_t f, slong a) {
    int sign;
    const slong b = find_companion(R, f, a, &sign);
    if (b < 0) return false;
    expr *base = &R->generators[a].base;
    const expr other = R->generators[b].base;
    *base = sign < 0 ? expr_sub(R->p, *base, other) : expr_add(R->p, *base, other);
    fmpz_t zero;
    fmpz_init(zero);
    fmpz_mpoly_evaluate_one_fmpz(f, f, b, zero, R->ctx);
    fmpz_clear(zero);
    return true;
}

// x^2 - 2*x*y + y^2 + z -> (x - y)^2 + z; EXPR_NONE if there is nothing of the kind
static expr regroup_by_sums(ring *R, const fmpz_mpoly_t f) {
    enum { LEAST_DEGREE = 2 }; // a*c - b*c is left to collect.c
    bool any = false;
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, R->ctx);
    fmpz_mpoly_set(g, f, R->ctx);
    expr *own = copy_bases(R);
    for (uint32_t a = 0; a < R->generators_count; a++) {
        if (!is_symbol(R, a) || fmpz_mpoly_degree_si(g, a, R->ctx) < LEAST_DEGREE) continue;
        while (merge_one(R, g, a)) any = true;
    }
    const expr out = any ? rebuild_expanded(R, g) : EXPR_NONE;
    restore_bases(R, own);
    fmpz_mpoly_clear(g, R->ctx);
    return out;
}

// --- shifts --------------------------------------------------------------------------------------

// The coefficient of a^n in f.
static void coefficient_of_power(ring *R, fmpz_mpoly_t out, const fmpz_mpoly_t f, slong a,
                                 slong n) {
    const ulong exponent = (ulong)n;
    fmpz_mpoly_get_coeff_vars_ui(out, f, &a, &exponent, 1, R->ctx);
}

// Numbers and parameters only.
static bool is_fixed(const ring *R, const fmpz_mpoly_t f) {
    for (uint32_t i = 0; i < R->generators_count; i++)
        if (!R->generators[i].parameter && fmpz_mpoly_degree_si(f, i, R->ctx) > 0) return false;
    return true;
}

// f = c_n a^n + c_(n-1) a^(n-1) + ..: the shift/scale = c_(n-1)/(n c_n) that takes the
// second term away, in lowest terms. False if there is no second term, or the quotient
// is no polynomial in parameters.
static bool find_shift(ring *R, const fmpz_mpoly_t f, slong a, slong n, fmpz_mpoly_t shift,
                       fmpz_t scale) {
    fmpz_mpoly_t first;
    fmpz_t content;
    fmpz_mpoly_init(first, R->ctx), fmpz_init(content);
    coefficient_of_power(R, first, f, a, n);
    coefficient_of_power(R, shift, f, a, n - 1);
    _fmpz_vec_content(content, first->coeffs, first->length);
    fmpz_mpoly_scalar_divexact_fmpz(first, first, content, R->ctx);
    fmpz_mul_si(scale, content, n);
    const bool found = !fmpz_mpoly_is_zero(shift, R->ctx) &&
                       fmpz_mpoly_divides(shift, shift, first, R->ctx) && is_fixed(R, shift);
    if (found) {
        _fmpz_vec_content(content, shift->coeffs, shift->length);
        fmpz_gcd(content, content, scale);
        fmpz_mpoly_scalar_divexact_fmpz(shift, shift, content, R->ctx);
        fmpz_divexact(scale, scale, content);
    }
    fmpz_mpoly_clear(first, R->ctx), fmpz_clear(content);
    return found;
}

// out = scale^n f((u - shift)/scale) = sum_k c_k (u - shift)^k scale^(n - k), where a
// now stands for u: by Horner's rule
static void shift_polynomial(ring *R, fmpz_mpoly_t out, const fmpz_mpoly_t f, slong a, slong n,
                             const fmpz_mpoly_t shift, const fmpz_t scale) {
    fmpz_mpoly_t step, c;
    fmpz_t power;
    fmpz_mpoly_init(step, R->ctx), fmpz_mpoly_init(c, R->ctx), fmpz_init_set_ui(power, 1);
    fmpz_mpoly_gen(step, a, R->ctx);
    fmpz_mpoly_sub(step, step, shift, R->ctx);
    fmpz_mpoly_zero(out, R->ctx);
    for (slong k = n; k >= 0; k--) {
        coefficient_of_power(R, c, f, a, k);
        fmpz_mpoly_scalar_mul_fmpz(c, c, power, R->ctx);
        fmpz_mpoly_mul(out, out, step, R->ctx);
        fmpz_mpoly_add(out, out, c, R->ctx);
        fmpz_mul(power, power, scale);
    }
    fmpz_mpoly_clear(step, R->ctx), fmpz_mpoly_clear(c, R->ctx), fmpz_clear(power);
}

// f(a) -> g(u) with f = g/divisor, u = scale*a + shift, where that leaves fewer
// terms: a then stands for u.
static bool shift_one(ring *R, fmpz_mpoly_t f, slong a, fmpz_t divisor) {
    enum { DEGREE_LIMIT = 12 };
    const slong n = fmpz_mpoly_degree_si(f, a, R->ctx);
    if (n < 2 || n > DEGREE_LIMIT || R->generators[a].root != 1) return false;
    fmpz_mpoly_t shift, g;
    fmpz_t scale;
    fmpz_mpoly_init(shift, R->ctx), fmpz_mpoly_init(g, R->ctx), fmpz_init(scale);
    bool shorter = false;
    if (find_shift(R, f, a, n, shift, scale)) {
        shift_polynomial(R, g, f, a, n, shift, scale);
        shorter = g->length < f->length;
    }
    if (shorter) {
        expr *base = &R->generators[a].base;
        *base = expr_add(R->p, expr_mul(R->p, rebuild_integer(R->p, scale), *base),
                         rebuild_expanded(R, shift));
        fmpz_mpoly_swap(f, g, R->ctx);
        fmpz_pow_ui(scale, scale, (ulong)n);
        fmpz_mul(divisor, divisor, scale);
    }
    fmpz_mpoly_clear(shift, R->ctx), fmpz_mpoly_clear(g, R->ctx), fmpz_clear(scale);
    return shorter;
}

// x^2 - 200*x + 10001 -> (x - 100)^2 + 1; EXPR_NONE if that takes no term away
static expr regroup_by_shifts(ring *R, const fmpz_mpoly_t f) {
    bool any = false;
    fmpz_mpoly_t g;
    fmpz_t divisor;
    fmpz_mpoly_init(g, R->ctx), fmpz_init_set_ui(divisor, 1);
    fmpz_mpoly_set(g, f, R->ctx);
    expr *own = copy_bases(R);
    for (uint32_t a = 0; a < R->generators_count; a++) any = shift_one(R, g, a, divisor) || any;
    const expr out =
        any ? expr_div(R->p, rebuild_expanded(R, g), rebuild_integer(R->p, divisor)) : EXPR_NONE;
    restore_bases(R, own);
    fmpz_mpoly_clear(g, R->ctx), fmpz_clear(divisor);
    return out;
}

// --- factors -------------------------------------------------------------------------------------

// One irreducible factor: by a root of it, which is likely to cancel, or else the
// shortest of what is offered.
static expr rebuild_factor(ring *R, const fmpz_mpoly_t f) {
    const expr by_root = regroup_by_root(R, f);
    if (by_root != EXPR_NONE) return by_root;
    const expr plain = rebuild_expanded(R, f);
    if (f->length < 3) return plain;
    contest c = {.best = plain, .weight = expr_weight(R->p, plain)};
    contest_consider(R->p, &c, regroup_by_shifts(R, f));
    if (f->length < 4) return c.best;
    contest_consider(R->p, &c, regroup_by_sums(R, f));
    const uint32_t groups = collect_group_count(R, f, COLLECT_MOVING);
    if (groups > 1 && groups < (uint32_t)f->length)
        contest_consider(R->p, &c, collect_rebuild(R, f, COLLECT_MOVING, c.weight));
    return c.best;
}

// The variable of degree 1 that stands in the fewest terms, and their number; -1 if there is none.
static slong find_linear(const ring *R, const fmpz_mpoly_t f, slong *least) {
    const slong nvars = fmpz_mpoly_ctx_nvars(R->ctx);
    ulong *exponents = memory_array(ulong, nvars);
    slong *terms = memory_zeros(slong, nvars), best = -1;
    bool *nonlinear = memory_zeros(bool, nvars);
    for (slong i = 0; i < f->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, f, i, R->ctx);
        for (slong j = 0; j < nvars; j++) {
            terms[j] += exponents[j] > 0;
            nonlinear[j] = nonlinear[j] || exponents[j] > 1;
        }
    }
    for (slong j = 0; j < nvars; j++)
        if (terms[j] && !nonlinear[j] && (best < 0 || terms[j] < terms[best])) best = j;
    if (best >= 0) *least = terms[best];
    memory_free(exponents), memory_free(terms), memory_free(nonlinear);
    return best;
}

// f = A*v + B, neither zero: common = gcd(A, B).
static void linear_common(ring *R, const fmpz_mpoly_t f, slong v, fmpz_mpoly_t common) {
    ulong *exponents = memory_array(ulong, fmpz_mpoly_ctx_nvars(R->ctx));
    fmpz_mpoly_t part[2];
    fmpz_mpoly_init(part[0], R->ctx), fmpz_mpoly_init(part[1], R->ctx);
    for (slong i = 0; i < f->length; i++) { // order is kept within each part
        fmpz_mpoly_get_term_exp_ui(exponents, f, i, R->ctx);
        const int with = exponents[v] > 0;
        exponents[v] = 0;
        fmpz_mpoly_push_term_fmpz_ui(part[with], f->coeffs + i, exponents, R->ctx);
    }
    if (!fmpz_mpoly_gcd(common, part[0], part[1], R->ctx)) fmpz_mpoly_one(common, R->ctx);
    fmpz_mpoly_clear(part[0], R->ctx), fmpz_mpoly_clear(part[1], R->ctx);
    memory_free(exponents);
}

static expr factor_generally(ring *R, const fmpz_mpoly_t f) {
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_factor_init(factors, R->ctx);
    expr e = EXPR_NONE;
    if (fmpz_mpoly_factor(factors, f, R->ctx)) {
        e = rebuild_integer(R->p, factors->constant);
        for (slong i = 0; i < factors->num; i++) {
            const expr base = rebuild_factor(R, factors->poly + i);
            e = expr_mul(R->p, e, expr_pow(R->p, base, rebuild_integer(R->p, factors->exp + i)));
        }
    }
    fmpz_mpoly_factor_clear(factors, R->ctx);
    return e == EXPR_NONE ? rebuild_expanded(R, f) : e;
}

// f without monomial factors; it is used up.
static expr factor_primitive(ring *R, fmpz_mpoly_t f) {
    expr e = EXPR_ONE;
    fmpz_mpoly_t common;
    fmpz_mpoly_init(common, R->ctx);
    while (!fmpz_mpoly_is_fmpz(f, R->ctx)) {
        slong terms = 0;
        const slong v = find_linear(R, f, &terms);
        if (v < 0) {
            e = expr_mul(R->p, e, factor_generally(R, f));
            fmpz_mpoly_one(f, R->ctx);
            break;
        }
        // A is a monomial, and no monomial divides f
        if (terms == 1) fmpz_mpoly_one(common, R->ctx);
        else linear_common(R, f, v, common);
        fmpz_mpoly_divides(f, f, common, R->ctx);
        e = expr_mul(R->p, e, rebuild_factor(R, f));
        fmpz_mpoly_swap(f, common, R->ctx);
    }
    e = expr_mul(R->p, rebuild_expanded(R, f), e); // the number that is left
    fmpz_mpoly_clear(common, R->ctx);
    return e;
}

static expr factor_polynomial(ring *R, const fmpz_mpoly_t f) {
    fmpz_mpoly_t content, rest;
    fmpz_mpoly_init(content, R->ctx);
    fmpz_mpoly_init(rest, R->ctx);
    fmpz_mpoly_term_content(content, f, R->ctx);
    fmpz_mpoly_divides(rest, f, content, R->ctx);
    const expr outside = rebuild_expanded(R, content);
    const slong bits = f->length * FLINT_ABS(fmpz_mpoly_max_bits(rest));
    const expr inside = f->length > FACTOR_LENGTH || bits > FACTOR_BITS ? rebuild_expanded(R, rest)
                                                                        : factor_primitive(R, rest);
    fmpz_mpoly_clear(content, R->ctx);
    fmpz_mpoly_clear(rest, R->ctx);
    return expr_mul(R->p, outside, inside);
}

expr factor_rebuild(ring *R, const fmpz_mpoly_t f) {
    if (f->length <= 1) return rebuild_expanded(R, f);
    for (uint32_t i = 0; i < R->factored_count; i++)
        if (fmpz_mpoly_equal(R->factored[i].polynomial, f, R->ctx)) return R->factored[i].factored;
    const expr e = factor_polynomial(R, f);
    list_push(R, factored, (factored_polynomial){.factored = e});
    factored_polynomial *made = &R->factored[R->factored_count - 1];
    fmpz_mpoly_init(made->polynomial, R->ctx);
    fmpz_mpoly_set(made->polynomial, f, R->ctx);
    return e;
}
