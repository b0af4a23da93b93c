// Simultaneous substitution: rebuild what lies above the replaced nodes, share the rest.
#include "expr/pool_internal.h"

// The node e with operands replaced by image[position of operand].
static expr with_images(pool *p, expr e, const expr *image) {
    const uint32_t count = node_at(p, e)->count;
    expr *operand = memory_array(expr, count);
    for (uint32_t i = 0; i < count; i++) operand[i] = image[mark_of(p, operands_of(p, e)[i])];
    const expr result = expr_with_operands(p, e, operand);
    memory_free(operand);
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
            image[i] = node_at(p, nodes[i])->count ? with_images(p, nodes[i], image) : nodes[i];
    for (uint32_t i = 0; i < roots; i++) out[i] = image[mark_of(p, in[i])];
    memory_free(image);
    memory_free(nodes);
}

expr expr_replace(pool *p, expr root, uint32_t count, const expr *from, const expr *to) {
    expr result;
    expr_substitute(p, count, from, to, 1, &root, &result);
    return result;
}

expr expr_at_zero(pool *p, expr root, uint32_t count, const expr *symbols) {
    expr *zero = memory_zeros(expr, count);
    const expr result = expr_replace(p, root, count, symbols, zero);
    memory_free(zero);
    return result;
}
