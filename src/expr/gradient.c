// Partial derivatives by reverse accumulation: one sweep from the outputs to
// the leaves gives all of them.
//
// Every node v below the outputs gets an adjoint  v^ = sum over users u of  u^ *
// du/dv. Nodes are listed operands first, so a sweep from the end has all
// contributions to v in hand when it reaches v.
#include "expr/pool_internal.h"

#include <string.h>

typedef struct { // contributions to the adjoint of one node, as a linked list
    expr value;
    uint32_t next;
} contribution;

typedef struct {
    pool *p;
    expr *nodes; // reachable, operands first
    uint32_t count;
    uint32_t *head; // by position: first contribution + 1
    bool *wanted;   // does the node lead to a variable?
    contribution *items;
    uint32_t item_count, item_capacity;
    expr *gather; // scratch for summing
    uint32_t gather_capacity;
} sweep;

static void contribute(sweep *s, expr target, expr value) {
    const uint32_t at = mark_of(s->p, target);
    if (!s->wanted[at] || value == EXPR_ZERO) return;
    array_reserve(s->items, s->item_count, s->item_capacity);
    s->items[s->item_count] = (contribution){value, s->head[at]};
    s->head[at] = ++s->item_count;
}

static expr adjoint(sweep *s, uint32_t at) {
    uint32_t n = 0;
    for (uint32_t i = s->head[at]; i; i = s->items[i - 1].next) {
        array_reserve(s->gather, n, s->gather_capacity);
        s->gather[n++] = s->items[i - 1].value;
    }
    return n ? expr_sum(s->p, n, s->gather) : EXPR_ZERO;
}

// d/db_i of prod b_j^e_j  =  e_i * b_i^(e_i - 1) * the other factors.
static void product_rule(sweep *s, expr e, expr adj) {
    pool *p = s->p;
    const uint32_t count = node_at(p, e)->count;
    for (uint32_t i = 0; i < count; i += 2) {
        const expr base = operands_of(p, e)[i], exponent = operands_of(p, e)[i + 1];
        if (!s->wanted[mark_of(p, base)]) continue;
        const expr d =
            expr_product(p, 4, (expr[]){adj, exponent, e, expr_pow(p, base, EXPR_MINUS_ONE)});
        contribute(s, base, d);
    }
}

// f'(u) for the elementary functions of one argument, given f = f(u).
static expr derivative_of(pool *p, expr_kind kind, expr f, expr u) {
    const expr one = EXPR_ONE;
    switch (kind) {
    case EXPR_SIN: return expr_function(p, EXPR_COS, &u);
    case EXPR_COS: return expr_neg(p, expr_function(p, EXPR_SIN, &u));
    case EXPR_TAN: return expr_add(p, one, expr_square(p, f));
    case EXPR_ASIN: return expr_div(p, one, expr_sqrt(p, expr_sub(p, one, expr_square(p, u))));
    case EXPR_ACOS:
        return expr_neg(p, expr_div(p, one, expr_sqrt(p, expr_sub(p, one, expr_square(p, u)))));
    case EXPR_ATAN: return expr_div(p, one, expr_add(p, one, expr_square(p, u)));
    case EXPR_SINH: return expr_function(p, EXPR_COSH, &u);
    case EXPR_COSH: return expr_function(p, EXPR_SINH, &u);
    case EXPR_TANH: return expr_sub(p, one, expr_square(p, f));
    case EXPR_EXP: return f;
    case EXPR_LOG: return expr_div(p, one, u);
    case EXPR_ABS: return expr_function(p, EXPR_SIGN, &u);
    default: return EXPR_ZERO; // sign: constant away from 0
    }
}

// The partial derivative of node e with respect to its i-th operand, for nodes that
// are neither sums nor products.
expr expr_operand_derivative(pool *p, expr e, uint32_t i) {
    const node n = *node_at(p, e);
    const expr u = operands_of(p, e)[0];
    if (n.kind == EXPR_APPLY) {
        const uint32_t partial = pool_function_partial(p, n.payload, i);
        expr *arguments = memory_array(expr, n.count);
        memcpy(arguments, operands_of(p, e), sizeof(expr) * n.count);
        const expr d = expr_apply(p, partial, n.count, arguments);
        memory_free(arguments);
        return d;
    }
    if (n.kind == EXPR_POWER) { // b^x: x*b^(x-1), log(b)*b^x
        const expr x = operands_of(p, e)[1];
        if (i == 0) return expr_mul(p, x, expr_div(p, e, u));
        return expr_mul(p, expr_function(p, EXPR_LOG, &u), e);
    }
    if (n.kind == EXPR_ATAN2) { // atan2(y, x): (x, -y)/(x^2 + y^2)
        const expr x = operands_of(p, e)[1], r2 = expr_add(p, expr_square(p, u), expr_square(p, x));
        return expr_div(p, i == 0 ? x : expr_neg(p, u), r2);
    }
    return derivative_of(p, (expr_kind)n.kind, e, u);
}

static void distribute(sweep *s, expr e, expr adj) {
    pool *p = s->p;
    const node n = *node_at(p, e);
    if (n.kind == EXPR_SUM) {
        for (uint32_t i = 1; i < n.count; i += 2) {
            const expr c = operands_of(p, e)[i], t = operands_of(p, e)[i + 1];
            if (s->wanted[mark_of(p, t)]) contribute(s, t, expr_mul(p, c, adj));
        }
    } else if (n.kind == EXPR_PRODUCT) {
        product_rule(s, e, adj);
    } else {
        for (uint32_t i = 0; i < n.count; i++) {
            const expr operand = operands_of(p, e)[i];
            if (s->wanted[mark_of(p, operand)])
                contribute(s, operand, expr_mul(p, adj, expr_operand_derivative(p, e, i)));
        }
    }
}

// A node is wanted if it is a variable or one of its operands is.
static void mark_wanted(sweep *s, uint32_t variables, const expr *variable) {
    for (uint32_t i = 0; i < variables; i++)
        if (is_marked(s->p, variable[i])) s->wanted[mark_of(s->p, variable[i])] = true;
    for (uint32_t i = 0; i < s->count; i++) {
        const node *n = node_at(s->p, s->nodes[i]);
        for (uint32_t j = 0; j < n->count && !s->wanted[i]; j++)
            s->wanted[i] = s->wanted[mark_of(s->p, s->p->operands[n->first + j])];
    }
}

void expr_pullback(pool *p, uint32_t outputs, const expr *output, const expr *seed,
                   uint32_t variables, const expr *variable, expr *out) {
    sweep s = {.p = p};
    s.nodes = pool_reachable(p, outputs, output, NULL, &s.count);
    s.head = memory_zeros(uint32_t, s.count);
    s.wanted = memory_zeros(bool, s.count);
    mark_wanted(&s, variables, variable);
    for (uint32_t i = 0; i < outputs; i++) contribute(&s, output[i], seed[i]);
    for (uint32_t i = s.count; i-- > 0;) {
        if (!s.head[i] || node_at(p, s.nodes[i])->kind == EXPR_SYMBOL) continue;
        distribute(&s, s.nodes[i], adjoint(&s, i));
    }
    for (uint32_t i = 0; i < variables; i++)
        out[i] = variable[i] < p->mark_capacity && is_marked(p, variable[i])
                     ? adjoint(&s, mark_of(p, variable[i]))
                     : EXPR_ZERO;
    memory_free(s.nodes);
    memory_free(s.head);
    memory_free(s.wanted);
    memory_free(s.items);
    memory_free(s.gather);
}

void expr_gradient(pool *p, expr f, uint32_t variables, const expr *variable, expr *out) {
    const expr one = EXPR_ONE;
    expr_pullback(p, 1, &f, &one, variables, variable, out);
}

expr expr_diff(pool *p, expr f, expr variable) {
    expr d;
    expr_gradient(p, f, 1, &variable, &d);
    return d;
}

void expr_jacobian(pool *p, uint32_t functions, const expr *f, uint32_t variables,
                   const expr *variable, expr *out) {
    for (uint32_t i = 0; i < functions; i++)
        expr_gradient(p, f[i], variables, variable, out + (size_t)i * variables);
}
