// Rebuilding an expression from the bottom up with a change at some nodes.
#include "normal/walk.h"
#include "normal/nodes.h"

#include <stdlib.h>

// The node e over new operands.
static expr with_operands(pool *p, expr e, const expr *operands) {
    const expr_kind kind = expr_kind_of(p, e);
    const uint32_t n = expr_operand_count(p, e);
    if (kind == EXPR_APPLY) return expr_apply(p, expr_function_index(p, e), n, operands);
    if (kind == EXPR_POWER) return expr_pow(p, operands[0], operands[1]);
    if (kind != EXPR_SUM && kind != EXPR_PRODUCT) return expr_function(p, kind, operands);
    expr *parts = memory_array(expr, n / 2 + 1);
    uint32_t m = 0;
    if (kind == EXPR_SUM) parts[m++] = operands[0];
    for (uint32_t i = m; i < n; i += 2)
        parts[m++] = kind == EXPR_SUM ? expr_mul(p, operands[i], operands[i + 1])
                                      : expr_pow(p, operands[i], operands[i + 1]);
    const expr result = kind == EXPR_SUM ? expr_sum(p, m, parts) : expr_product(p, m, parts);
    memory_free(parts);
    return result;
}

expr walk_rebuild(pool *p, expr e, node_change *change, void *data) {
    uint32_t count, widest = 0;
    expr *nodes = expr_reachable(p, 1, &e, &count);
    expr *now = memory_array(expr, count), *operands = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t n = expr_operand_count(p, nodes[i]);
        if (n > widest) memory_grow(operands, widest = n);
        bool changed = false;
        for (uint32_t j = 0; j < n; j++) {
            const expr old = expr_operand(p, nodes[i], j);
            operands[j] = now[node_position(nodes, count, old)];
            changed = changed || operands[j] != old;
        }
        now[i] =
            change(p, nodes[i], changed ? with_operands(p, nodes[i], operands) : nodes[i], data);
    }
    e = now[count - 1]; // the root has the largest index
    memory_free(now);
    memory_free(operands);
    memory_free(nodes);
    return e;
}
