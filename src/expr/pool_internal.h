// The pool's representation, for the files of this room only. Everybody else sees an expression as
// a number and asks through expr.h. Nodes are never moved or changed once they are interned, and
// operands stand before their users.
#ifndef HAMEL_EXPR_POOL_INTERNAL_H
#define HAMEL_EXPR_POOL_INTERNAL_H

#include "base/list.h"
#include "expr/expr.h"
#include "expr/matrix.h"

typedef struct {
    uint16_t kind;
    uint16_t reserved;
    uint32_t payload; // NUMBER: index into numbers; SYMBOL: into symbols; APPLY: into functions
    uint32_t first;   // operands[first .. first + count)
    uint32_t count;
    uint32_t hash;
} node;

typedef struct { // derivatives by one symbol, EXPR_NONE where unknown
    expr variable, *of;
    uint32_t count;
} partial_memo;

struct pool {
    context *ctx;
    node *nodes;
    uint32_t count, capacity;
    LIST(expr, operands);
    uint32_t *slots; // hash table of node indices + 1, open addressing
    uint32_t slot_count;
    LIST(fmpq, numbers);
    LIST(symbol, symbols);
    LIST(function, functions);
    LIST(struct spline *, splines); // of those that have data
    expr *time_derivative;          // memo of expr_ddt, EXPR_NONE where unknown
    uint32_t time_derivative_count;
    LIST(partial_memo, partials); // memo of expr_partial
    uint32_t partial;             // the one at work
    uint32_t *mark; // position + 1 in the traversal under way, valid where stamp == epoch
    uint32_t *stamp;
    uint32_t mark_capacity, epoch;
    LIST(eliminated_system, systems); // that matrix_solve() solved
    LIST(eliminated_node, eliminated);
};

expr pool_intern(pool *p, expr_kind kind, uint32_t payload, uint32_t count, const expr *operands);

static inline const node *node_at(const pool *p, expr e) { return &p->nodes[e]; }
static inline const expr *operands_of(const pool *p, expr e) {
    return p->operands + p->nodes[e].first;
}
static inline fmpq *number_at(const pool *p, expr e) { return &p->numbers[p->nodes[e].payload]; }

void pool_forget_partials(pool *p); // derivative.c

// Marks of the traversal under way, which pool_reachable() began: those of earlier ones are
// invalid.
static inline bool is_marked(const pool *p, expr e) {
    return e < p->mark_capacity && p->stamp[e] == p->epoch;
}
static inline uint32_t mark_of(const pool *p, expr e) { return p->mark[e]; }
static inline void set_mark(pool *p, expr e, uint32_t value) {
    p->stamp[e] = p->epoch;
    p->mark[e] = value;
}

// All nodes below the roots, operands first; their marks are their positions (traverse.c).
expr *pool_reachable(pool *p, uint32_t roots, const expr *root, bool (*skip)(const pool *p, expr e),
                     uint32_t *count);

#endif
