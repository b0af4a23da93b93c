// Sums and products under construction, for sum.c and product.c, and how a sum enters a product.
//
// A sum is c0 + sum c_i t_i with distinct t_i in index order; a product is prod b_i^e_i with
// distinct b_i. Rules applied while building: numbers fold, like terms and like powers collect,
// c*sin(u)^2*R + c*cos(u)^2*R becomes c*R. Nothing is expanded: a product of sums stays one.
// Inner sums and products are merged into outer ones only while they are short, so that small
// expressions cancel and large ones keep their sharing.
#ifndef HAMEL_EXPR_BUILD_H
#define HAMEL_EXPR_BUILD_H

#include "expr/pool_internal.h"

enum {
    // longest inner sum that is merged into an outer one, or scaled term by term
    MERGE_LIMIT = 16,
    FACTOR_LIMIT = 64,    // longest inner product that is merged into an outer one
    TRIG_LIMIT = 64,      // longest sum searched for sin^2 + cos^2
    NUMBER_BITS = 1 << 20 // largest power of a number that is worked out
};

typedef struct { // a term c*t of a sum under construction, or a factor b^e of a product
    expr key;
    fmpq value;
} part;

typedef struct {
    part *items;
    uint32_t count, capacity;
} parts;

void parts_add(parts *list, expr key, const fmpq_t value);
void parts_free(parts *list);
// sort by key, add up the values of equal keys, drop zeros
void parts_collect(parts *list);

static inline uint32_t term_count(const node *n) { return (n->count - 1) / 2; }
static inline uint32_t factor_count(const node *n) { return n->count / 2; }

// add c*e to the sum under construction
void sum_gather(pool *p, parts *list, fmpq_t constant, const fmpq_t c, expr e);
expr sum_finish(pool *p, parts *list, fmpq_t constant); // releases both
expr sum_scale(pool *p, const fmpq_t c, expr e);        // c*e

// a sum as it stands in products, without its rational content
expr product_base(pool *p, expr e);

#endif
