// The working form of a program while common parts are looked for: sums and products as bags of (node, number).
#ifndef HAMEL_EXPR_SHARE_INTERNAL_H
#define HAMEL_EXPR_SHARE_INTERNAL_H

#include "expr/share.h"

typedef struct {
    uint32_t key;  // node of the working form
    expr weight;   // a NUMBER: coefficient in a sum, exponent in a product
} item;

typedef struct {
    expr_kind kind;
    uint32_t payload;
    expr node;       // of the pool, for kinds other than SUM and PRODUCT
    item *items;     // SUM, PRODUCT: the bag, sorted by key; others: operands with weight 1
    uint32_t count, capacity;
    uint32_t uses;
} part_node;

typedef struct {
    pool *p;
    part_node *nodes;
    uint32_t count, capacity;
    uint32_t *outputs;
    uint32_t output_count;
    uint32_t one; // the node of the number 1: the constant of a sum is a multiple of it
} working;

void bag_add(working *w, uint32_t node, uint32_t key, expr weight);
void bag_sort(working *w, uint32_t node);
uint32_t bag_create(working *w, expr_kind kind);
void count_uses(working *w);

void split_powers(working *w);                    // b^(p/q) in products become shared nodes with weight +-1
void share_pairs(working *w, expr_kind kind);     // pairs that occur in several bags become nodes of their own
void factor_sums(working *w);                     // a*b + a*c = a*(b + c)

#endif
