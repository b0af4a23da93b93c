// Derivatives. Backwards, by reverse accumulation: one sweep from the outputs to the leaves gives
// all partial derivatives. Every node v below the outputs gets an adjoint  v^ = sum over users u of
// u^ * du/dv;  nodes are listed operands first, so a sweep from the end has all contributions to v
// in hand when it reaches v. Forwards: of all nodes with respect to time or to one symbol (both
// remembered in the pool), or along a direction given for some symbols.
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

// Products of more factors than this are differentiated by halves, (u v)' = u' v + u v', which
// writes each factor down some log(n) times instead of n times.
enum { HALVED = 32 };

// The factors first .. last - 1 of a product
static expr some_factors(pool *p, expr e, uint32_t first, uint32_t last) {
    expr *factor = memory_array(expr, last - first);
    for (uint32_t i = first; i < last; i++)
        factor[i - first] = expr_pow(p, operands_of(p, e)[2 * i], operands_of(p, e)[2 * i + 1]);
    const expr product = expr_product(p, last - first, factor);
    memory_free(factor);
    return product;
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

// The same for the factors first .. last - 1 of a long product, whose others are in adj.
static void long_product_rule(sweep *s, expr e, uint32_t first, uint32_t last, expr adj) {
    pool *p = s->p;
    if (last - first == 1) {
        const expr base = operands_of(p, e)[2 * first], exponent = operands_of(p, e)[2 * first + 1];
        if (!s->wanted[mark_of(p, base)]) return;
        const expr lower = expr_pow(p, base, expr_sub(p, exponent, EXPR_ONE));
        contribute(s, base, expr_product(p, 3, (expr[]){adj, exponent, lower}));
        return;
    }
    const uint32_t middle = first + (last - first) / 2;
    long_product_rule(s, e, first, middle, expr_mul(p, adj, some_factors(p, e, middle, last)));
    long_product_rule(s, e, middle, last, expr_mul(p, adj, some_factors(p, e, first, middle)));
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
static expr operand_derivative(pool *p, expr e, uint32_t i) {
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
        if (n.count / 2 > HALVED) long_product_rule(s, e, 0, n.count / 2, adj);
        else product_rule(s, e, adj);
    } else {
        for (uint32_t i = 0; i < n.count; i++) {
            const expr operand = operands_of(p, e)[i];
            if (s->wanted[mark_of(p, operand)])
                contribute(s, operand, expr_mul(p, adj, operand_derivative(p, e, i)));
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

// --- forwards ------------------------------------------------------------------------------------

typedef struct { // how to find the derivative of an operand that was already dealt with
    expr (*lookup)(const void *data, const pool *p, expr operand);
    const void *data;
} tangents;

static expr tangent_of(const tangents *known, const pool *p, expr e) {
    return known->lookup(known->data, p, e);
}

// The derivative of the factors first .. last - 1 of a long product, by halves.
static expr long_product_tangent(pool *p, expr e, uint32_t first, uint32_t last,
                                 const tangents *known) {
    if (last - first == 1) {
        const expr base = operands_of(p, e)[2 * first], exponent = operands_of(p, e)[2 * first + 1],
                   d = tangent_of(known, p, base);
        if (d == EXPR_ZERO) return EXPR_ZERO;
        const expr lower = expr_pow(p, base, expr_sub(p, exponent, EXPR_ONE));
        return expr_product(p, 3, (expr[]){exponent, lower, d});
    }
    const uint32_t middle = first + (last - first) / 2;
    const expr left = long_product_tangent(p, e, first, middle, known),
               right = long_product_tangent(p, e, middle, last, known);
    return expr_add(p, expr_mul(p, left, some_factors(p, e, middle, last)),
                    expr_mul(p, right, some_factors(p, e, first, middle)));
}

// The derivative of a node with operands, from those of its operands.
static expr node_tangent(pool *p, expr e, const tangents *known) {
    const node n = *node_at(p, e);
    if (n.kind == EXPR_PRODUCT && n.count / 2 > HALVED)
        return long_product_tangent(p, e, 0, n.count / 2, known);
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
            terms[kept++] = expr_mul(p, operand_derivative(p, e, i), d);
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

// --- by one symbol -------------------------------------------------------------------------------

enum { MOST_REMEMBERED = 1 << 23 }; // derivatives by all symbols, 32 MB

static expr remembered_partial(const void *data, const pool *p, expr e) {
    (void)data;
    const partial_memo *m = &p->partials[p->partial];
    return e < m->count ? m->of[e] : EXPR_NONE;
}

static bool is_remembered_partial(const pool *p, expr e) {
    return remembered_partial(NULL, p, e) != EXPR_NONE;
}

static void remember_partial(pool *p, expr e, expr d) {
    partial_memo *m = &p->partials[p->partial];
    if (e >= m->count) {
        const uint32_t count = p->capacity > e ? p->capacity : e + 1;
        memory_grow(m->of, count);
        for (uint32_t i = m->count; i < count; i++) m->of[i] = EXPR_NONE;
        m->count = count;
    }
    m->of[e] = d;
}

void pool_forget_partials(pool *p) {
    for (uint32_t i = 0; i < p->partials_count; i++) memory_free(p->partials[i].of);
    p->partials_count = 0;
}

static void begin_partial(pool *p, expr variable) {
    uint64_t held = 0;
    for (uint32_t i = 0; i < p->partials_count; i++) held += p->partials[i].count;
    if (held > MOST_REMEMBERED) pool_forget_partials(p);
    p->partial = 0;
    while (p->partial < p->partials_count && p->partials[p->partial].variable != variable)
        p->partial++;
    if (p->partial < p->partials_count) return;
    list_push(p, partials, (partial_memo){.variable = variable});
}

expr expr_partial(pool *p, expr f, expr variable) {
    uint32_t count;
    begin_partial(p, variable);
    expr *nodes = pool_reachable(p, 1, &f, is_remembered_partial, &count);
    const tangents known = {remembered_partial, NULL};
    for (uint32_t i = 0; i < count; i++)
        remember_partial(p, nodes[i],
                         node_at(p, nodes[i])->count ? node_tangent(p, nodes[i], &known)
                         : nodes[i] == variable      ? EXPR_ONE
                                                     : EXPR_ZERO);
    memory_free(nodes);
    return remembered_partial(NULL, p, f);
}
