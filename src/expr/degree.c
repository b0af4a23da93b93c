// The degree of an expression as a polynomial in some of its symbols, bounded from its structure.
#include "expr/pool_internal.h"

static uint32_t product_degree(const pool *p, expr e, const uint32_t *degree) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < node_at(p, e)->count; i += 2) {
        const uint32_t base = degree[mark_of(p, operands_of(p, e)[i])];
        int64_t exponent = 0;
        if (!base) continue;
        if (!expr_is_integer(p, operands_of(p, e)[i + 1], &exponent) || exponent < 0 ||
            exponent >= EXPR_NOT_POLYNOMIAL)
            return EXPR_NOT_POLYNOMIAL;
        sum += base * (uint32_t)exponent;
        if (sum >= EXPR_NOT_POLYNOMIAL) return EXPR_NOT_POLYNOMIAL;
    }
    return sum;
}

static uint32_t node_degree(const pool *p, expr e, const uint32_t *degree) {
    const node *n = node_at(p, e);
    uint32_t largest = 0;
    if (n->kind == EXPR_PRODUCT) return product_degree(p, e, degree);
    for (uint32_t i = 0; i < n->count; i++) {
        const uint32_t d = degree[mark_of(p, operands_of(p, e)[i])];
        if (d > largest) largest = d;
    }
    return n->kind == EXPR_SUM || !largest ? largest : EXPR_NOT_POLYNOMIAL;
}

uint32_t expr_degree(pool *p, expr e, uint32_t count, const expr *symbols, const uint32_t *weight) {
    uint32_t n;
    expr *nodes = pool_reachable(p, 1, &e, NULL, &n);
    uint32_t *degree = memory_zeros(uint32_t, n);
    for (uint32_t i = 0; i < count; i++)
        if (is_marked(p, symbols[i])) degree[mark_of(p, symbols[i])] = weight ? weight[i] : 1;
    for (uint32_t i = 0; i < n; i++)
        if (node_at(p, nodes[i])->count) degree[i] = node_degree(p, nodes[i], degree);
    const uint32_t result = degree[n - 1]; // operands first: the root is last
    memory_free(degree);
    memory_free(nodes);
    return result;
}
