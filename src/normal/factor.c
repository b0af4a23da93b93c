// Polynomials as products of irreducible factors.
//
// Polynomials of mechanics are linear in something nearly always, and then one gcd decides: A*v + B
// = G*((A/G)*v + B/G), G = gcd(A, B), where the second factor is irreducible. Only what is linear
// in no variable goes to the general algorithm.
#include "normal/ring.h"

#include <flint/fmpz_mpoly_factor.h>

// longest polynomial that is factored; from longer ones only common monomials are drawn
enum { FACTOR_LENGTH = 120 };

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
    const expr inside =
        f->length > FACTOR_LENGTH ? rebuild_expanded(R, rest) : factor_primitive(R, rest);
    fmpz_mpoly_clear(content, R->ctx);
    fmpz_mpoly_clear(rest, R->ctx);
    return expr_mul(R->p, outside, inside);
}

expr factor_rebuild(ring *R, const fmpz_mpoly_t f) {
    if (f->length <= 1) return rebuild_expanded(R, f);
    for (uint32_t i = 0; i < R->factored_count; i++)
        if (fmpz_mpoly_equal(R->factored[i].polynomial, f, R->ctx)) return R->factored[i].factored;
    const expr e = factor_polynomial(R, f);
    array_reserve(R->factored, R->factored_count, R->factored_capacity);
    factored_polynomial *made = &R->factored[R->factored_count++];
    fmpz_mpoly_init(made->polynomial, R->ctx);
    fmpz_mpoly_set(made->polynomial, f, R->ctx);
    made->factored = e;
    return e;
}
