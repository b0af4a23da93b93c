// The order people write in: numbers, parameters, coordinates, multipliers, brackets, velocities,
// accelerations, functions inside a product; accelerations, constants, velocities, positions,
// multipliers inside a sum, with the constants behind all others when they are only subtracted.
#include "print/expression_internal.h"

#include <math.h>
#include <stdlib.h>

// --- factors -------------------------------------------------------------------------------------

enum {
    RANK_NUMBER,
    RANK_PI,
    RANK_PARAMETER,
    RANK_TIME,
    RANK_GIVEN,
    RANK_COORDINATE,
    RANK_MULTIPLIER,
    RANK_NAMED,
    RANK_ABSTRACT, // a(z)*y': an abstract function is a coefficient
    RANK_SUM,
    RANK_MOVING,                        // velocities and accelerations by their level
    RANK_FUNCTION = RANK_MOVING + 1001, // levels end at 1000
    RANK_MOVING_SUM,
    RANK_MOVING_FUNCTION,
    RANK_VARIATION
};

static int symbol_rank(const symbol *s, const node_facts *f) {
    if (f->level > 0) return RANK_MOVING + f->level;
    switch (s->role) {
    case ROLE_TIME: return RANK_TIME;
    case ROLE_GIVEN: return RANK_GIVEN;
    case ROLE_COORDINATE: return RANK_COORDINATE;
    case ROLE_MULTIPLIER: return RANK_MULTIPLIER;
    case ROLE_VARIATION:
    case ROLE_TRANSPOSE: return RANK_VARIATION;
    default: return RANK_PARAMETER;
    }
}

// v*cos(theta), (J + m*a^2)*w', sin(theta)*(x' + y'), x'*sqrt(1 + y^2): a root of a sum is written
// as a function.
static int factor_rank(const printer *pr, const factor *f) {
    const expr e = f->base;
    const symbol *s = expr_as_symbol(pr->p, e);
    const node_facts *facts = printer_facts(pr, e);
    if (expr_is_number(pr->p, e)) return RANK_NUMBER;
    if (expr_kind_of(pr->p, e) == EXPR_PI) return RANK_PI;
    if (s) return symbol_rank(s, facts);
    if (printer_name_of(pr, e)) return RANK_NAMED;
    if (expr_kind_of(pr->p, e) == EXPR_APPLY && facts->level <= 0) return RANK_ABSTRACT;
    if (expr_kind_of(pr->p, e) != EXPR_SUM || !fmpz_is_one(fmpq_denref(f->exponent)))
        return facts->level > 0 ? RANK_MOVING_FUNCTION : RANK_FUNCTION;
    return facts->level > 0 ? RANK_MOVING_SUM : RANK_SUM;
}

static int compare_factors(const printer *pr, const factor *a, const factor *b) {
    const int x = factor_rank(pr, a), y = factor_rank(pr, b);
    return x != y ? (x > y) - (x < y) : expr_compare(pr->p, a->base, b->base);
}

uint32_t print_order_factors(const printer *pr, expr e, factor *out) {
    if (expr_kind_of(pr->p, e) != EXPR_PRODUCT || printer_name_of(pr, e)) {
        out[0] = (factor){e, expr_number_value(pr->p, EXPR_ONE)};
        return 1;
    }
    const uint32_t n = expr_operand_count(pr->p, e) / 2;
    for (uint32_t i = 0; i < n; i++) { // insertion: products are short
        const factor f = {expr_operand(pr->p, e, 2 * i),
                          expr_number_value(pr->p, expr_operand(pr->p, e, 2 * i + 1))};
        uint32_t j = i;
        for (; j > 0 && compare_factors(pr, &out[j - 1], &f) > 0; j--) out[j] = out[j - 1];
        out[j] = f;
    }
    return n;
}

// --- terms ---------------------------------------------------------------------------------------

static int term_rank(const term_item *t) {
    enum { NUMBERS, PARAMETERS, MOVING, POSITIONS, MULTIPLIERS, LAST_PARAMETERS, LAST_NUMBERS };
    if (t->term == EXPR_ONE) return t->constants_last ? LAST_NUMBERS : NUMBERS;
    const node_facts *f = printer_facts(t->pr, t->term);
    if (f->level >= 2) return -f->level;
    if (f->multiplier) return MULTIPLIERS;
    if (f->constant) return t->constants_last ? LAST_PARAMETERS : PARAMETERS;
    return f->level == 1 ? MOVING : POSITIONS;
}

// 1 + y^2, A - B + 2*B*cos(phi)^2, but x^2 + y^2 - l^2
static bool only_subtracts_constants(const term_item *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const term_item *t = &items[i];
        const bool constant = t->term == EXPR_ONE || printer_facts(t->pr, t->term)->constant;
        if (constant && !print_shows_minus(t->pr, t->coefficient, t->term)) return false;
    }
    return true;
}

static double degree(const term_item *t) {
    double sum = 0;
    for (uint32_t i = 0; i < t->factor_count; i++) {
        const fmpq *e = t->factors[i].exponent;
        if (!expr_is_number(t->pr->p, t->factors[i].base))
            sum += fabs(fmpz_get_d(fmpq_numref(e)) / fmpz_get_d(fmpq_denref(e)));
    }
    return sum;
}

static int compare_terms(const void *left, const void *right) {
    const term_item *a = left, *b = right;
    const int x = term_rank(a), y = term_rank(b);
    if (x != y) return x < y ? -1 : 1;
    const double c = degree(a), d = degree(b);
    if (c < d || c > d) return c < d ? -1 : 1;
    for (uint32_t i = 0; i < a->factor_count && i < b->factor_count; i++) {
        const int bases = compare_factors(a->pr, &a->factors[i], &b->factors[i]);
        if (bases) return bases;
        const int exponents = fmpq_cmp(a->factors[i].exponent, b->factors[i].exponent);
        if (exponents) return -exponents; // x^2 before x*y
    }
    if (a->factor_count != b->factor_count) return a->factor_count < b->factor_count ? -1 : 1;
    return 0;
}

// Stable enough: different terms of one sum never compare equal.
void print_order_terms(term_item *items, uint32_t count) {
    const bool constants_last = only_subtracts_constants(items, count);
    for (uint32_t i = 0; i < count; i++) items[i].constants_last = constants_last;
    qsort(items, count, sizeof *items, compare_terms);
    for (uint32_t i = 0; i < count; i++) { // lead with a plus if there is one
        if (print_shows_minus(items[i].pr, items[i].coefficient, items[i].term)) continue;
        const term_item first = items[i];
        for (; i > 0; i--) items[i] = items[i - 1];
        items[0] = first;
        return;
    }
}
