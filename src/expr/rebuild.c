// Rebuilding an expression from the bottom up, with a change at some nodes; and substitution, which
// rebuilds what lies above the replaced nodes and shares the rest.
#include "expr/node_position.h"
#include "expr/pool_internal.h"

#include <string.h>

expr expr_with_operands(pool *p, expr e, const expr *operand) {
    const expr_kind kind = expr_kind_of(p, e);
    const uint32_t n = expr_operand_count(p, e);
    bool same = true;
    for (uint32_t i = 0; i < n && same; i++) same = operand[i] == expr_operand(p, e, i);
    if (same) return e;
    if (kind == EXPR_APPLY) return expr_apply(p, expr_function_index(p, e), n, operand);
    if (kind == EXPR_POWER) return expr_pow(p, operand[0], operand[1]);
    if (kind != EXPR_SUM && kind != EXPR_PRODUCT) return expr_function(p, kind, operand);
    expr *parts = memory_array(expr, n / 2 + 1); // c0 + c1*t1 + ..,  b1^e1 * b2^e2 ..
    uint32_t count = 0;
    if (kind == EXPR_SUM) parts[count++] = operand[0];
    for (uint32_t i = count; i < n; i += 2)
        parts[count++] = kind == EXPR_SUM ? expr_mul(p, operand[i], operand[i + 1])
                                          : expr_pow(p, operand[i], operand[i + 1]);
    const expr result =
        kind == EXPR_SUM ? expr_sum(p, count, parts) : expr_product(p, count, parts);
    memory_free(parts);
    return result;
}

void expr_rebuild_all(pool *p, uint32_t roots, expr *e, node_builder *build, void *data) {
    uint32_t count, widest = 0;
    expr *nodes = expr_reachable(p, roots, e, &count);
    expr *image = memory_array(expr, count + 1), *operand = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t n = expr_operand_count(p, nodes[i]);
        if (n > widest) memory_grow(operand, widest = n);
        for (uint32_t j = 0; j < n; j++)
            operand[j] = image[node_position(nodes, count, expr_operand(p, nodes[i], j))];
        image[i] = build(p, nodes[i], operand, data);
    }
    for (uint32_t i = 0; i < roots; i++) e[i] = image[node_position(nodes, count, e[i])];
    memory_free(image);
    memory_free(operand);
    memory_free(nodes);
}

expr expr_rebuild(pool *p, expr e, node_builder *build, void *data) {
    expr_rebuild_all(p, 1, &e, build, data);
    return e;
}

// --- substitution --------------------------------------------------------------------------------

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
    budget_check_work(count / BUDGET_STEPS);
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

// Put into one another, definitions reach twice as deep with each pass.
void expr_resolve(pool *p, uint32_t count, const expr *from, expr *to) {
    expr *before = memory_array(expr, count);
    for (bool changed = count > 0; changed && !p->ctx->exhausted;) {
        memcpy(before, to, sizeof(expr) * count);
        expr_substitute(p, count, from, to, count, to, to);
        changed = memcmp(before, to, sizeof(expr) * count) != 0;
    }
    memory_free(before);
}
