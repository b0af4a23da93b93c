// The order people write in: numbers, parameters, coordinates, functions, velocities, accelerations inside a product;
// accelerations, numbers, parameters, velocities, positions, multipliers inside a sum.
#include "print/expression_internal.h"

#include <math.h>
#include <stdlib.h>

// --- factors
// -------------------------------------------------------------------------------------------------------------------

static int factor_rank(const printer *w, expr e) {
    enum { NUMBERS, CONSTANTS, PARAMETERS, TIME, GIVEN, COORDINATES, MULTIPLIERS, SUMS, FUNCTIONS, MOVING };
    const symbol *s = expr_as_symbol(w->p, e);
    const node_facts *f = printer_facts(w, e);
    if (f->level > 0) return MOVING + 2 * f->level + !s;
    if (expr_is_number(w->p, e)) return NUMBERS;
    if (expr_kind_of(w->p, e) == EXPR_PI) return CONSTANTS;
    if (!s) return expr_kind_of(w->p, e) == EXPR_SUM ? SUMS : FUNCTIONS;
    switch (s->role) {
    case ROLE_TIME: return TIME;
    case ROLE_GIVEN: return GIVEN;
    case ROLE_COORDINATE: return COORDINATES;
    case ROLE_MULTIPLIER: return MULTIPLIERS;
    case ROLE_VARIATION:
    case ROLE_TRANSPOSE: return MOVING + 100;
    default: return PARAMETERS;
    }
}

static int compare_bases(const printer *w, expr a, expr b) {
    const int x = factor_rank(w, a), y = factor_rank(w, b);
    return x != y ? (x > y) - (x < y) : expr_compare(w->p, a, b);
}

uint32_t order_factors(const printer *w, expr e, factor *out) {
    if (expr_kind_of(w->p, e) != EXPR_PRODUCT || printer_name_of(w, e)) {
        out[0] = (factor){e, expr_number_value(w->p, EXPR_ONE)};
        return 1;
    }
    const uint32_t n = expr_operand_count(w->p, e) / 2;
    for (uint32_t i = 0; i < n; i++) { // insertion: products are short
        const factor f = {expr_operand(w->p, e, 2 * i), expr_number_value(w->p, expr_operand(w->p, e, 2 * i + 1))};
        uint32_t j = i;
        for (; j > 0 && compare_bases(w, out[j - 1].base, f.base) > 0; j--) out[j] = out[j - 1];
        out[j] = f;
    }
    return n;
}

// --- terms
// -----------------------------------------------------------------------------------------------------------------------

static int term_rank(const term_item *t) {
    enum { NUMBERS, PARAMETERS, MOVING, POSITIONS, MULTIPLIERS };
    if (t->term == EXPR_ONE) return NUMBERS;
    const node_facts *f = printer_facts(t->w, t->term);
    if (f->level >= 2) return -f->level;
    if (f->multiplier) return MULTIPLIERS;
    if (f->constant) return PARAMETERS;
    return f->level == 1 ? MOVING : POSITIONS;
}

static double degree(const term_item *t) {
    double sum = 0;
    for (uint32_t i = 0; i < t->factor_count; i++) {
        const fmpq *e = t->factors[i].exponent;
        if (!expr_is_number(t->w->p, t->factors[i].base))
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
        const int bases = compare_bases(a->w, a->factors[i].base, b->factors[i].base);
        if (bases) return bases;
        const int exponents = fmpq_cmp(a->factors[i].exponent, b->factors[i].exponent);
        if (exponents) return -exponents; // x^2 before x*y
    }
    if (a->factor_count != b->factor_count) return a->factor_count < b->factor_count ? -1 : 1;
    return 0;
}

// Stable enough: different terms of one sum never compare equal.
void order_terms(term_item *items, uint32_t count) {
    qsort(items, count, sizeof *items, compare_terms);
    for (uint32_t i = 0; i < count; i++) { // lead with a plus if there is one
        if (shows_minus(items[i].w, items[i].coefficient, items[i].term)) continue;
        const term_item first = items[i];
        for (; i > 0; i--) items[i] = items[i - 1];
        items[0] = first;
        return;
    }
}
