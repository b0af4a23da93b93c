// Small structural shortenings that polynomials do not see: tangents, and common factors of
// sums that are better not expanded.
#include "normal/ring.h"

static expr factor_at(pool *p, expr product, uint32_t i) {
    return expr_pow(p, expr_operand(p, product, i), expr_operand(p, product, i + 1));
}

// The exponent of the factor f(u) of a product as a small integer; 0 if it has none.
static int64_t exponent_of(const pool *p, expr product, expr_kind f, expr u) {
    for (uint32_t i = 0; i < expr_operand_count(p, product); i += 2) {
        const expr base = expr_operand(p, product, i);
        int64_t e;
        if (expr_kind_of(p, base) == f && expr_operand(p, base, 0) == u &&
            expr_is_integer(p, expr_operand(p, product, i + 1), &e))
            return e;
    }
    return 0;
}

// sin(u)^a / cos(u)^b: the smaller of a and b becomes a power of tan(u). No 1/tan(u) for
// cos(u)/sin(u), which has a value at pi/2.
static expr merge_tangent(pool *p, expr now) {
    if (expr_kind_of(p, now) != EXPR_PRODUCT) return now;
    for (uint32_t i = 0; i < expr_operand_count(p, now); i += 2) {
        const expr base = expr_operand(p, now, i);
        if (expr_kind_of(p, base) != EXPR_COS) continue;
        const expr u = expr_operand(p, base, 0);
        const int64_t a = exponent_of(p, now, EXPR_SIN, u), b = -exponent_of(p, now, EXPR_COS, u);
        if (a <= 0 || b <= 0) continue;
        const expr ratio = expr_div(p, base, expr_function(p, EXPR_SIN, &u)),
                   tangent = expr_function(p, EXPR_TAN, &u);
        const expr power = expr_int(p, a < b ? a : b);
        return merge_tangent(
            p, expr_product(p, 3,
                            (expr[]){now, expr_pow(p, ratio, power), expr_pow(p, tangent, power)}));
    }
    return now;
}

static expr rebuild_tangent(pool *p, expr node, expr *operand, void *data) {
    (void)data;
    return merge_tangent(p, expr_with_operands(p, node, operand));
}

expr polish_tangents(pool *p, expr e) { return expr_rebuild(p, e, rebuild_tangent, NULL); }

// --- common factors ------------------------------------------------------------------------------

// Does `term` hold base^e with e of the same sign and at least the size of *exponent?
// If less, *exponent shrinks to it.
static bool shares(const pool *p, expr term, expr base, fmpq_t exponent) {
    fmpq_t found;
    fmpq_init(found);
    if (term == base) {
        fmpq_one(found);
    } else if (expr_kind_of(p, term) == EXPR_PRODUCT) {
        for (uint32_t i = 0; i < expr_operand_count(p, term); i += 2)
            if (expr_operand(p, term, i) == base)
                fmpq_set(found, expr_number_value(p, expr_operand(p, term, i + 1)));
    }
    const bool same = fmpq_sgn(found) * fmpq_sgn(exponent) > 0;
    if (same &&
        (fmpq_sgn(found) > 0 ? fmpq_cmp(found, exponent) < 0 : fmpq_cmp(found, exponent) > 0))
        fmpq_set(exponent, found);
    fmpq_clear(found);
    return same;
}

// The product of what all terms of a sum have in common.
static expr common_of_sum(pool *p, expr sum) {
    const uint32_t n = expr_operand_count(p, sum);
    const expr first = expr_operand(p, sum, 2);
    if (n < 5 || expr_operand(p, sum, 0) != EXPR_ZERO) return EXPR_ONE;
    const bool product = expr_kind_of(p, first) == EXPR_PRODUCT;
    expr common = EXPR_ONE;
    fmpq_t exponent;
    fmpq_init(exponent);
    for (uint32_t i = 0; i < (product ? expr_operand_count(p, first) : 1); i += 2) {
        const expr base = product ? expr_operand(p, first, i) : first;
        if (product) fmpq_set(exponent, expr_number_value(p, expr_operand(p, first, i + 1)));
        else fmpq_one(exponent);
        bool shared = true;
        for (uint32_t j = 4; j < n && shared; j += 2)
            shared = shares(p, expr_operand(p, sum, j), base, exponent);
        if (shared) common = expr_mul(p, common, expr_pow(p, base, expr_number(p, exponent)));
    }
    fmpq_clear(exponent);
    return common;
}

static expr draw_out(pool *p, expr sum) {
    const expr common = common_of_sum(p, sum);
    if (common == EXPR_ONE) return sum;
    const uint32_t n = expr_operand_count(p, sum) / 2;
    expr *terms = memory_array(expr, n);
    for (uint32_t i = 0; i < n; i++)
        terms[i] = expr_mul(p, expr_operand(p, sum, 2 * i + 1),
                            expr_div(p, expr_operand(p, sum, 2 * i + 2), common));
    const expr result = expr_mul(p, common, expr_sum(p, n, terms));
    memory_free(terms);
    return result;
}

expr polish_common_factors(pool *p, expr e) {
    if (expr_kind_of(p, e) == EXPR_SUM) return draw_out(p, e);
    if (expr_kind_of(p, e) != EXPR_PRODUCT) return e;
    expr result = EXPR_ONE;
    for (uint32_t i = 0; i < expr_operand_count(p, e); i += 2) {
        const expr base = expr_operand(p, e, i);
        const bool sum = expr_kind_of(p, base) == EXPR_SUM &&
                         expr_is_integer(p, expr_operand(p, e, i + 1), NULL);
        const expr factor =
            sum ? expr_pow(p, draw_out(p, base), expr_operand(p, e, i + 1)) : factor_at(p, e, i);
        result = expr_mul(p, result, factor);
    }
    return result;
}
