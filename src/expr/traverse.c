// Walking the DAG below some roots, and the questions that one walk answers.
#include "expr/pool_internal.h"

#include <stdlib.h>
#include <string.h>

// Start a traversal: marks of earlier ones become invalid.
static void begin_marks(pool *p) {
    if (p->mark_capacity < p->count) {
        memory_grow(p->mark, p->capacity);
        memory_grow(p->stamp, p->capacity);
        memset(p->stamp + p->mark_capacity, 0, sizeof(uint32_t) * (p->capacity - p->mark_capacity));
        p->mark_capacity = p->capacity;
    }
    if (++p->epoch == 0) { // stamps wrapped around
        memset(p->stamp, 0, sizeof(uint32_t) * p->mark_capacity);
        p->epoch = 1;
    }
}

// Depth-first search with an explicit stack; nodes come out operands first. Nodes for which skip()
// holds are left out, with everything below them that is reached in no other way.
expr *pool_reachable(pool *p, uint32_t roots, const expr *root, bool (*skip)(const pool *p, expr e),
                     uint32_t *count) {
    begin_marks(p);
    expr *found = NULL, *stack = NULL;
    uint32_t n = 0, capacity = 0, depth = 0, stack_capacity = 0;
    for (uint32_t i = 0; i < roots; i++) {
        if (is_marked(p, root[i]) || (skip && skip(p, root[i]))) continue;
        array_reserve(stack, depth, stack_capacity);
        stack[depth++] = root[i];
        // while a node is on the stack its mark is the next operand to look at
        set_mark(p, root[i], 0);
        while (depth) {
            const expr e = stack[depth - 1];
            const node *v = node_at(p, e);
            uint32_t next = mark_of(p, e);
            expr child = EXPR_NONE;
            for (; next < v->count && child == EXPR_NONE; next++) {
                const expr operand = p->operands[v->first + next];
                if (!is_marked(p, operand) && !(skip && skip(p, operand))) child = operand;
            }
            set_mark(p, e, next);
            if (child != EXPR_NONE) {
                array_reserve(stack, depth, stack_capacity);
                stack[depth++] = child;
                set_mark(p, child, 0);
            } else {
                array_reserve(found, n, capacity);
                set_mark(p, e, n);
                found[n++] = e;
                depth--;
            }
        }
    }
    memory_free(stack);
    budget_check_work(n / BUDGET_STEPS); // many visits may take little memory
    *count = n;
    return found;
}

static int by_index(const void *a, const void *b) {
    const expr x = *(const expr *)a, y = *(const expr *)b;
    return (x > y) - (x < y);
}

expr *expr_reachable(pool *p, uint32_t roots, const expr *root, uint32_t *count) {
    expr *found = pool_reachable(p, roots, root, NULL, count);
    if (*count) qsort(found, *count, sizeof(expr), by_index);
    for (uint32_t i = 0; i < *count; i++) set_mark(p, found[i], i);
    return found;
}

expr *expr_denominators(pool *p, uint32_t roots, const expr *root, uint32_t *count) {
    uint32_t n, capacity = 0;
    expr *nodes = expr_reachable(p, roots, root, &n), *base = NULL;
    *count = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (expr_kind_of(p, nodes[i]) != EXPR_PRODUCT) continue;
        for (uint32_t j = 0; j < expr_operand_count(p, nodes[i]); j += 2) {
            const expr exponent = expr_operand(p, nodes[i], j + 1);
            if (expr_is_number(p, exponent) && fmpq_sgn(expr_number_value(p, exponent)) >= 0)
                continue;
            array_reserve(base, *count, capacity);
            base[(*count)++] = expr_operand(p, nodes[i], j);
        }
    }
    memory_free(nodes);
    return base;
}

expr *expr_breaks(pool *p, uint32_t roots, const expr *root, uint32_t *count) {
    uint32_t n, capacity = 0;
    expr *nodes = expr_reachable(p, roots, root, &n), *at = NULL;
    *count = 0;
    for (uint32_t i = 0; i < n; i++) {
        const expr_kind kind = expr_kind_of(p, nodes[i]);
        if (kind != EXPR_ABS && kind != EXPR_SIGN && kind != EXPR_ATAN2) continue;
        expr e = expr_operand(p, nodes[i], 0);
        if (kind == EXPR_ATAN2) {
            const expr x = expr_operand(p, nodes[i], 1);
            e = expr_add(p, x, expr_sqrt(p, expr_add(p, expr_square(p, x), expr_square(p, e))));
        }
        array_reserve(at, *count, capacity);
        at[(*count)++] = e;
    }
    memory_free(nodes);
    return at;
}

static bool has_branches(expr_kind kind) {
    switch (kind) {
    case EXPR_ABS:
    case EXPR_SIGN:
    case EXPR_ASIN:
    case EXPR_ACOS:
    case EXPR_ATAN:
    case EXPR_ATAN2:
    case EXPR_LOG:
    case EXPR_POWER: return true;
    default: return false;
    }
}

expr *expr_branches(pool *p, uint32_t roots, const expr *root, uint32_t *count) {
    uint32_t n, capacity = 0;
    expr *nodes = expr_reachable(p, roots, root, &n), *argument = NULL;
    *count = 0;
    for (uint32_t i = 0; i < n; i++) {
        const bool is_product = expr_kind_of(p, nodes[i]) == EXPR_PRODUCT;
        if (!is_product && !has_branches(expr_kind_of(p, nodes[i]))) continue;
        for (uint32_t j = 0; j < expr_operand_count(p, nodes[i]); j += is_product ? 2 : 1) {
            int64_t power; // of a whole one there are no branches
            if (is_product && expr_is_integer(p, expr_operand(p, nodes[i], j + 1), &power))
                continue;
            array_reserve(argument, *count, capacity);
            argument[(*count)++] = expr_operand(p, nodes[i], j);
        }
    }
    memory_free(nodes);
    return argument;
}

bool expr_any_depends_on(pool *p, uint32_t roots, const expr *root, uint32_t count,
                         const expr *symbols) {
    uint32_t n;
    expr *nodes = pool_reachable(p, roots, root, NULL, &n);
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++) found = is_marked(p, symbols[i]);
    memory_free(nodes);
    return found;
}

void expr_occurrences(pool *p, uint32_t roots, const expr *root, uint32_t count,
                      const expr *symbols, bool *occurs) {
    uint32_t n;
    expr *nodes = pool_reachable(p, roots, root, NULL, &n);
    for (uint32_t i = 0; i < count; i++) occurs[i] = is_marked(p, symbols[i]);
    memory_free(nodes);
}

bool expr_depends_on(pool *p, expr root, uint32_t count, const expr *symbols) {
    return expr_any_depends_on(p, 1, &root, count, symbols);
}

int expr_order(pool *p, expr e) {
    uint32_t n;
    expr *nodes = pool_reachable(p, 1, &e, NULL, &n);
    int order = -1;
    for (uint32_t i = 0; i < n; i++) {
        const symbol *s = expr_as_symbol(p, nodes[i]);
        if (s && s->role == ROLE_COORDINATE && (int)s->order > order) order = (int)s->order;
    }
    memory_free(nodes);
    return order;
}

bool expr_depends_on_time(pool *p, expr e) {
    uint32_t n;
    expr *nodes = pool_reachable(p, 1, &e, NULL, &n);
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++) {
        const symbol *s = expr_as_symbol(p, nodes[i]);
        found = s && (s->role == ROLE_TIME || s->role == ROLE_GIVEN);
    }
    memory_free(nodes);
    return found;
}

// --- the degree as a polynomial in some symbols, bounded from the structure ----------------------

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

// --- order for printing --------------------------------------------------------------------------

static int compare_symbols(const symbol *a, const symbol *b) {
    if (a->role != b->role) return a->role < b->role ? -1 : 1;
    if (a->base != b->base) return a->base < b->base ? -1 : 1; // order of declaration
    return (a->order > b->order) - (a->order < b->order);
}

int expr_compare(const pool *p, expr a, expr b) {
    enum { DEPTH = 200 }; // below this, index order decides
    for (int depth = 0; depth < DEPTH; depth++) {
        if (a == b) return 0;
        const node *x = node_at(p, a), *y = node_at(p, b);
        if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
        if (x->kind == EXPR_NUMBER) return fmpq_cmp(number_at(p, a), number_at(p, b));
        if (x->kind == EXPR_SYMBOL)
            return compare_symbols(&p->symbols[x->payload], &p->symbols[y->payload]);
        if (x->kind == EXPR_APPLY && x->payload != y->payload)
            return x->payload < y->payload ? -1 : 1;
        const expr *u = operands_of(p, a), *v = operands_of(p, b);
        uint32_t i = 0;
        while (i < x->count && i < y->count && u[i] == v[i]) i++;
        if (i == x->count || i == y->count) return x->count < y->count ? -1 : 1;
        a = u[i], b = v[i];
    }
    return a < b ? -1 : 1;
}
