// The length of an expression on paper: what "shortest form" means.
#include "normal/normal.h"
#include "normal/nodes.h"

#include <stdlib.h>

enum { SYMBOL_WEIGHT = 2, FUNCTION_WEIGHT = 3, OPERATOR_WEIGHT = 1, BRACKET_WEIGHT = 1, ROOT_WEIGHT = 2 };

static uint32_t plus(uint32_t a, uint32_t b) { return a > UINT32_MAX - b ? UINT32_MAX : a + b; }

static uint32_t integer_weight(const fmpz_t n) { return (uint32_t)(1 + fmpz_bits(n) / 4); } // roughly its digits

static uint32_t number_weight(const fmpq *q) {
    const uint32_t top = integer_weight(fmpq_numref(q));
    return fmpz_is_one(fmpq_denref(q)) ? top : top + OPERATOR_WEIGHT + integer_weight(fmpq_denref(q));
}

// Do all coefficients of a sum have one denominator > 1? It is then printed once, behind brackets.
static bool has_common_denominator(const pool *p, expr e) {
    const fmpz *d = fmpq_denref(expr_number_value(p, expr_operand(p, e, 1)));
    if (fmpz_is_one(d) || expr_operand_count(p, e) < 5) return false;
    for (uint32_t i = 0; i < expr_operand_count(p, e); i += i ? 2 : 1)
        if ((i || expr_operand(p, e, 0) != EXPR_ZERO) &&
            !fmpz_equal(d, fmpq_denref(expr_number_value(p, expr_operand(p, e, i)))))
            return false;
    return true;
}

// c0 + c1*t1 + ...: a coefficient +-1 costs its sign only, which the operator pays.
static uint32_t sum_weight(const pool *p, expr e, const uint32_t *weights, const expr *nodes, uint32_t count) {
    const uint32_t n = expr_operand_count(p, e);
    const bool has_constant = expr_operand(p, e, 0) != EXPR_ZERO, common = has_common_denominator(p, e);
    uint32_t total = has_constant ? number_weight(expr_number_value(p, expr_operand(p, e, 0))) : 0;
    bool positive = has_constant && fmpq_sgn(expr_number_value(p, expr_operand(p, e, 0))) > 0;
    for (uint32_t i = 1; i < n; i += 2) {
        const expr c = expr_operand(p, e, i), t = expr_operand(p, e, i + 1);
        total = plus(total, weights[node_position(nodes, count, t)]);
        if (i > 1 || has_constant) total = plus(total, OPERATOR_WEIGHT);
        if (expr_kind_of(p, t) == EXPR_SUM) total = plus(total, BRACKET_WEIGHT);
        if (common)
            total = plus(total, fmpz_is_pm1(fmpq_numref(expr_number_value(p, c))) ? 0 : 2 * OPERATOR_WEIGHT);
        else if (c != EXPR_ONE && c != EXPR_MINUS_ONE)
            total = plus(total, number_weight(expr_number_value(p, c)) + OPERATOR_WEIGHT);
        positive = positive || fmpq_sgn(expr_number_value(p, c)) > 0;
    }
    if (common) total = plus(total, BRACKET_WEIGHT + 2 * OPERATOR_WEIGHT);
    return positive ? total : plus(total, OPERATOR_WEIGHT); // the leading minus
}

// What an exponent adds to its base: nothing for +-1, a root sign for +-1/2.
static uint32_t exponent_weight(const fmpq *e) {
    if (fmpz_is_one(fmpq_denref(e))) return fmpz_is_pm1(fmpq_numref(e)) ? 0 : integer_weight(fmpq_numref(e));
    if (fmpz_is_pm1(fmpq_numref(e)) && fmpz_equal_ui(fmpq_denref(e), 2)) return ROOT_WEIGHT;
    return BRACKET_WEIGHT + number_weight(e);
}

static uint32_t product_weight(const pool *p, expr e, const uint32_t *weights, const expr *nodes, uint32_t count) {
    const uint32_t n = expr_operand_count(p, e);
    uint32_t total = OPERATOR_WEIGHT * (n / 2 - 1), below = 0;
    for (uint32_t i = 0; i < n; i += 2) {
        const expr base = expr_operand(p, e, i);
        const fmpq *exponent = expr_number_value(p, expr_operand(p, e, i + 1));
        const bool bracketed = expr_kind_of(p, base) == EXPR_SUM && exponent_weight(exponent) != ROOT_WEIGHT;
        total = plus(total, weights[node_position(nodes, count, base)]);
        total = plus(total, exponent_weight(exponent) + (bracketed ? BRACKET_WEIGHT : 0));
        below += fmpq_sgn(exponent) < 0;
    }
    if (below > 1) total = plus(total, BRACKET_WEIGHT);
    if (below == n / 2) total = plus(total, OPERATOR_WEIGHT + 1); // "1/"
    return total;
}

static uint32_t node_weight(const pool *p, expr e, const uint32_t *weights, const expr *nodes, uint32_t count) {
    switch (expr_kind_of(p, e)) {
    case EXPR_NUMBER: return number_weight(expr_number_value(p, e)) + (fmpq_sgn(expr_number_value(p, e)) < 0);
    case EXPR_SYMBOL:
    case EXPR_PI: return SYMBOL_WEIGHT;
    case EXPR_SUM: return sum_weight(p, e, weights, nodes, count);
    case EXPR_PRODUCT: return product_weight(p, e, weights, nodes, count);
    default: break;
    }
    uint32_t total = FUNCTION_WEIGHT;
    for (uint32_t i = 0; i < expr_operand_count(p, e); i++)
        total = plus(total, weights[node_position(nodes, count, expr_operand(p, e, i))]);
    return total;
}

uint32_t expr_weight(pool *p, expr e) {
    uint32_t count;
    expr *nodes = expr_reachable(p, 1, &e, &count);
    uint32_t *weights = memory_resize(NULL, sizeof(uint32_t) * count);
    for (uint32_t i = 0; i < count; i++) weights[i] = node_weight(p, nodes[i], weights, nodes, count);
    const uint32_t result = weights[count - 1]; // the root has the largest index of all
    free(weights);
    free(nodes);
    return result;
}
