// Which signs an expression can have, from its form: an interval for every node below it.
#include "model/mechanics.h"

#include "expr/program.h"

#include <math.h>

typedef struct {
    double low, high;
    bool nonzero; // never 0, though an end of the interval may be
} range;

static const range ANYTHING = {-INFINITY, INFINITY, false};

static bool is_nonzero(range a) { return a.nonzero || a.low > 0 || a.high < 0; }

// A parameter has its stated value; one without has any, but none in particular.
static range range_of_symbol(const model *m, expr e) {
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        if (m->parameters[i].symbol != e) continue;
        const expr value = m->parameters[i].value;
        if (value == EXPR_NONE) return (range){-INFINITY, INFINITY, true};
        if (!expr_is_number(m->pool, value)) return ANYTHING;
        const int sign = fmpq_sgn(expr_number_value(m->pool, value));
        const double size = fabs(expr_value(m->pool, value, NULL));
        return (range){sign * size, sign * size, sign != 0};
    }
    return ANYTHING;
}

static range scaled(range a, double c) {
    if (c == 0) return (range){0, 0, false};
    return c > 0 ? (range){c * a.low, c * a.high, a.nonzero}
                 : (range){c * a.high, c * a.low, a.nonzero};
}

static range added(range a, range b) {
    const range sum = {a.low + b.low, a.high + b.high, false};
    const bool up = a.low >= 0 && b.low >= 0, down = a.high <= 0 && b.high <= 0;
    return (range){sum.low, sum.high, (up || down) && (is_nonzero(a) || is_nonzero(b))};
}

// One end of a product: 0 times anything is 0
static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static range multiplied(range a, range b) {
    const double end[4] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low),
                           times(a.high, b.high)};
    range product = {end[0], end[0], is_nonzero(a) && is_nonzero(b)};
    for (int i = 1; i < 4; i++)
        product.low = fmin(product.low, end[i]), product.high = fmax(product.high, end[i]);
    return product;
}

// a^exponent: of even powers and of roots the sign is known, of the others that of a
static range raised(range a, const fmpq *exponent) {
    const bool root = !fmpz_is_one(fmpq_denref(exponent)),
               even = fmpz_is_even(fmpq_numref(exponent));
    const bool divides = fmpq_sgn(exponent) < 0;
    const bool nonzero = divides || is_nonzero(a);
    if (root || even) return (range){0, INFINITY, nonzero};
    if (fmpq_is_one(exponent)) return a;
    return (range){a.low >= 0 ? 0 : -INFINITY, a.high <= 0 ? 0 : INFINITY, nonzero};
}

static range range_of_function(expr_kind kind, range a) {
    switch (kind) {
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TANH: return (range){-1, 1, false};
    case EXPR_EXP: return (range){0, INFINITY, true};
    case EXPR_COSH: return (range){1, INFINITY, true};
    case EXPR_ABS: return (range){0, INFINITY, is_nonzero(a)};
    default: return ANYTHING;
    }
}

static uint32_t position_of(const expr *node, uint32_t count, expr e) { // in index order
    uint32_t low = 0, high = count;
    while (low + 1 < high) {
        const uint32_t middle = (low + high) / 2;
        if (node[middle] <= e) low = middle;
        else high = middle;
    }
    return low;
}

static range range_of(const model *m, const expr *node, uint32_t count, const range *known,
                      uint32_t which) {
    const pool *p = m->pool;
    const expr e = node[which];
    const uint32_t operands = expr_operand_count(p, e);
    const expr_kind kind = expr_kind_of(p, e);
#define KNOWN(i) known[position_of(node, count, expr_operand(p, e, i))]
    range r = ANYTHING;
    if (kind == EXPR_SYMBOL) r = range_of_symbol(m, e);
    if (kind == EXPR_PI) r = (range){3, 4, true};
    if (kind == EXPR_NUMBER) {
        const double value = expr_value(m->pool, e, NULL);
        r = (range){value, value, fmpq_sgn(expr_number_value(p, e)) != 0};
    }
    if (kind == EXPR_SUM) {
        r = KNOWN(0);
        for (uint32_t i = 1; i + 1 < operands; i += 2)
            r = added(r, scaled(KNOWN(i + 1), KNOWN(i).low));
    }
    if (kind == EXPR_PRODUCT) {
        r = (range){1, 1, true};
        for (uint32_t i = 0; i < operands; i += 2)
            r = multiplied(r, raised(KNOWN(i), expr_number_value(p, expr_operand(p, e, i + 1))));
    }
    if (kind > EXPR_APPLY) r = range_of_function(kind, KNOWN(0));
#undef KNOWN
    return r;
}

possible_signs expr_possible_signs(const model *m, expr e) {
    uint32_t count;
    expr *node = expr_reachable(m->pool, 1, &e, &count);
    range *known = memory_array(range, count);
    for (uint32_t i = 0; i < count; i++) known[i] = range_of(m, node, count, known, i);
    const range r = known[position_of(node, count, e)];
    memory_free(node);
    memory_free(known);
    return (possible_signs){.zero = r.low <= 0 && r.high >= 0 && !r.nonzero,
                            .negative = r.low<0, .positive = r.high> 0};
}

bool expr_vanishes_nowhere(const model *m, expr e) { return !expr_possible_signs(m, e).zero; }
