// Simultaneous substitution: rebuild what lies above the replaced nodes, share the rest.
#include "expr/pool_internal.h"

#include <stdlib.h>
#include <string.h>

// The node e with operands replaced by image[position of operand].
static expr rebuild(pool *p, expr e, const expr *image) {
    const node n = *node_at(p, e);
    expr *ops = memory_array(expr, n.count);
    bool same = true;
    for (uint32_t i = 0; i < n.count; i++) {
        const expr operand = operands_of(p, e)[i];
        ops[i] = image[mark_of(p, operand)];
        same = same && ops[i] == operand;
    }
    expr result = e;
    if (!same) switch (n.kind) {
        case EXPR_SUM: {
            uint32_t terms = 0;
            expr *term = memory_array(expr, n.count);
            term[terms++] = ops[0];
            for (uint32_t i = 1; i < n.count; i += 2)
                term[terms++] = expr_mul(p, ops[i], ops[i + 1]);
            result = expr_sum(p, terms, term);
            memory_free(term);
            break;
        }
        case EXPR_PRODUCT: {
            for (uint32_t i = 0; i < n.count; i += 2) ops[i / 2] = expr_pow(p, ops[i], ops[i + 1]);
            result = expr_product(p, n.count / 2, ops);
            break;
        }
        case EXPR_POWER: result = expr_pow(p, ops[0], ops[1]); break;
        case EXPR_APPLY: result = expr_apply(p, n.payload, n.count, ops); break;
        default: result = expr_function(p, (expr_kind)n.kind, ops);
        }
    memory_free(ops);
    return result;
}

void expr_substitute(pool *p, uint32_t count, const expr *from, const expr *to, uint32_t roots,
                     const expr *in, expr *out) {
    uint32_t n;
    expr *nodes = pool_reachable(p, roots, in, NULL, &n);
    expr *image = memory_array(expr, n);
    for (uint32_t i = 0; i < n; i++) image[i] = EXPR_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (is_marked(p, from[i])) image[mark_of(p, from[i])] = to[i];
    for (uint32_t i = 0; i < n; i++)
        if (image[i] == EXPR_NONE)
            image[i] = node_at(p, nodes[i])->count ? rebuild(p, nodes[i], image) : nodes[i];
    for (uint32_t i = 0; i < roots; i++) out[i] = image[mark_of(p, in[i])];
    memory_free(image);
    memory_free(nodes);
}

expr expr_replace(pool *p, expr root, uint32_t count, const expr *from, const expr *to) {
    expr result;
    expr_substitute(p, count, from, to, 1, &root, &result);
    return result;
}
