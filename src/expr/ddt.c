// Forward derivatives: of all nodes with respect to time (remembered in the pool), or along a
// direction given for some symbols.
#include "expr/pool_internal.h"

typedef struct { // how to find the derivative of an operand that was already dealt with
    expr (*lookup)(const void *data, const pool *p, expr operand);
    const void *data;
} tangents;

static expr tangent_of(const tangents *known, const pool *p, expr e) {
    return known->lookup(known->data, p, e);
}

// The derivative of a node with operands, from those of its operands.
static expr node_tangent(pool *p, expr e, const tangents *known) {
    const node n = *node_at(p, e);
    expr *terms = memory_array(expr, n.count);
    uint32_t kept = 0;
    const bool pairs = n.kind == EXPR_SUM || n.kind == EXPR_PRODUCT;
    const uint32_t first = n.kind == EXPR_SUM ? 2 : 0; // c0, c1, t1, c2, t2 ...
    for (uint32_t i = first; i < n.count; i += pairs ? 2 : 1) {
        const expr operand = operands_of(p, e)[i], d = tangent_of(known, p, operand);
        if (d == EXPR_ZERO) continue;
        if (n.kind == EXPR_SUM) {
            terms[kept++] = expr_mul(p, operands_of(p, e)[i - 1], d);
        } else if (n.kind == EXPR_PRODUCT) { // exponent * product / operand * d
            const expr exponent = operands_of(p, e)[i + 1];
            terms[kept++] =
                expr_product(p, 4, (expr[]){exponent, e, expr_pow(p, operand, EXPR_MINUS_ONE), d});
        } else {
            terms[kept++] = expr_mul(p, expr_operand_derivative(p, e, i), d);
        }
    }
    const expr result = kept ? expr_sum(p, kept, terms) : EXPR_ZERO;
    memory_free(terms);
    return result;
}

// --- along a direction ---------------------------------------------------------------------------

static expr lookup_marked(const void *data, const pool *p, expr operand) {
    return ((const expr *)data)[mark_of(p, operand)];
}

void expr_pushforward(pool *p, uint32_t variables, const expr *variable, const expr *direction,
                      uint32_t functions, const expr *f, expr *out) {
    uint32_t count;
    expr *nodes = pool_reachable(p, functions, f, NULL, &count);
    expr *tangent = memory_zeros(expr, count); // EXPR_ZERO
    for (uint32_t i = 0; i < variables; i++)
        if (is_marked(p, variable[i])) tangent[mark_of(p, variable[i])] = direction[i];
    const tangents known = {lookup_marked, tangent};
    for (uint32_t i = 0; i < count; i++)
        if (node_at(p, nodes[i])->count) tangent[i] = node_tangent(p, nodes[i], &known);
    for (uint32_t i = 0; i < functions; i++) out[i] = tangent[mark_of(p, f[i])];
    memory_free(tangent);
    memory_free(nodes);
}

// --- in time -------------------------------------------------------------------------------------

static expr remembered(const void *data, const pool *p, expr e) {
    (void)data;
    return e < p->time_derivative_count ? p->time_derivative[e] : EXPR_NONE;
}

static void remember(pool *p, expr e, expr d) {
    if (e >= p->time_derivative_count) {
        const uint32_t count = p->capacity > e ? p->capacity : e + 1;
        memory_grow(p->time_derivative, count);
        for (uint32_t i = p->time_derivative_count; i < count; i++)
            p->time_derivative[i] = EXPR_NONE;
        p->time_derivative_count = count;
    }
    p->time_derivative[e] = d;
}

static expr leaf_rate(pool *p, expr e) {
    const symbol *s = expr_as_symbol(p, e);
    if (!s) return EXPR_ZERO;
    switch (s->role) {
    case ROLE_TIME: return EXPR_ONE;
    case ROLE_PARAMETER:
    case ROLE_LOCAL: return EXPR_ZERO;
    default: return expr_symbol_derivative(p, e);
    }
}

static bool is_remembered(const pool *p, expr e) { return remembered(NULL, p, e) != EXPR_NONE; }

expr expr_ddt(pool *p, expr f) {
    uint32_t count;
    expr *nodes = pool_reachable(p, 1, &f, is_remembered, &count);
    const tangents known = {remembered, NULL};
    for (uint32_t i = 0; i < count; i++)
        remember(p, nodes[i],
                 node_at(p, nodes[i])->count ? node_tangent(p, nodes[i], &known)
                                             : leaf_rate(p, nodes[i]));
    memory_free(nodes);
    return remembered(NULL, p, f);
}
