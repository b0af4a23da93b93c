// Pairs of items that occur in several bags become nodes of their own, the most frequent first.
#include "expr/pool_internal.h"
#include "expr/share_internal.h"

#include <stdlib.h>

enum { LONGEST_BAG = 40, MOST_PAIRS = 2000000, MOST_ROUNDS = 60 };

typedef struct { // in a product (a^wa * b^wb); in a sum a + ratio*b, up to a common factor
    uint32_t a, b;
    expr wa, wb;
    uint32_t bag;
} pair;

typedef struct {
    uint32_t start, count; // a run of equal pairs in the sorted list
} group;

static pair make_pair(working *w, expr_kind kind, uint32_t bag, item x, item y) {
    pair q = {x.key, y.key, x.weight, y.weight, bag};
    if (kind == EXPR_SUM) {
        q.wb = expr_div(w->p, y.weight, x.weight);
        q.wa = EXPR_ONE;
    }
    return q;
}

static int compare_pairs(const void *u, const void *v) {
    const pair *x = u, *y = v;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    if (x->wa != y->wa) return x->wa < y->wa ? -1 : 1;
    if (x->wb != y->wb) return x->wb < y->wb ? -1 : 1;
    return (x->bag > y->bag) - (x->bag < y->bag);
}

static bool same_pair(const pair *x, const pair *y) { return x->a == y->a && x->b == y->b && x->wa == y->wa && x->wb == y->wb; }

static int compare_groups(const void *u, const void *v) {
    const group *x = u, *y = v;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

static pair *list_pairs(working *w, expr_kind kind, uint32_t *count) {
    pair *list = NULL;
    uint32_t n = 0, capacity = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const part_node *b = &w->nodes[i];
        if (b->kind != kind || !b->uses || b->count < 2 || b->count > LONGEST_BAG) continue;
        for (uint32_t j = 0; j < b->count; j++) {
            for (uint32_t k = j + 1; k < b->count && n < MOST_PAIRS; k++) {
                array_reserve(list, n, capacity);
                list[n] = make_pair(w, kind, i, w->nodes[i].items[j], w->nodes[i].items[k]);
                n++;
                b = &w->nodes[i];
            }
        }
    }
    *count = n;
    return list;
}

// The weight under which the pair still stands in its bag; EXPR_NONE if it was broken up meanwhile.
static expr still_there(working *w, expr_kind kind, const pair *q) {
    const part_node *b = &w->nodes[q->bag];
    expr wa = EXPR_NONE, wb = EXPR_NONE;
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->items[i].key == q->a) wa = b->items[i].weight;
        if (b->items[i].key == q->b) wb = b->items[i].weight;
    }
    if (wa == EXPR_NONE || wb == EXPR_NONE) return EXPR_NONE;
    if (kind == EXPR_PRODUCT) return wa == q->wa && wb == q->wb ? EXPR_ONE : EXPR_NONE;
    return expr_mul(w->p, wa, q->wb) == wb ? wa : EXPR_NONE;
}

static void replace_in_bag(working *w, const pair *q, uint32_t node, expr weight) {
    part_node *b = &w->nodes[q->bag];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->count; i++)
        if (b->items[i].key != q->a && b->items[i].key != q->b) b->items[kept++] = b->items[i];
    b->count = kept;
    bag_add(w, q->bag, node, weight);
    bag_sort(w, q->bag);
}

// A bag that is exactly the pair serves as the shared node; otherwise a new one is made.
static bool share_group(working *w, expr_kind kind, const pair *list, group g) {
    uint32_t present = 0, whole = UINT32_MAX;
    for (uint32_t i = 0; i < g.count; i++) {
        const expr weight = still_there(w, kind, &list[g.start + i]);
        if (weight == EXPR_NONE) continue;
        present++;
        if (w->nodes[list[g.start + i].bag].count == 2 && weight == EXPR_ONE) whole = list[g.start + i].bag;
    }
    if (present < 2) return false;
    const pair first = list[g.start];
    uint32_t node = whole;
    if (node == UINT32_MAX) {
        node = bag_create(w, kind);
        bag_add(w, node, first.a, first.wa);
        bag_add(w, node, first.b, first.wb);
        bag_sort(w, node);
        w->nodes[node].uses = 1;
    }
    for (uint32_t i = 0; i < g.count; i++) {
        const pair *q = &list[g.start + i];
        if (q->bag == node) continue;
        const expr weight = still_there(w, kind, q);
        if (weight != EXPR_NONE) replace_in_bag(w, q, node, weight);
    }
    return true;
}

void share_pairs(working *w, expr_kind kind) {
    bool progress = true;
    for (int round = 0; round < MOST_ROUNDS && progress; round++) {
        progress = false;
        count_uses(w);
        uint32_t count;
        pair *list = list_pairs(w, kind, &count);
        if (count) qsort(list, count, sizeof(pair), compare_pairs);
        group *groups = NULL;
        uint32_t group_count = 0, capacity = 0;
        for (uint32_t i = 0, j; i < count; i = j) {
            for (j = i + 1; j < count && same_pair(&list[i], &list[j]); j++) {}
            if (j - i < 2) continue;
            array_reserve(groups, group_count, capacity);
            groups[group_count++] = (group){i, j - i};
        }
        if (group_count) qsort(groups, group_count, sizeof(group), compare_groups);
        for (uint32_t i = 0; i < group_count; i++) progress = share_group(w, kind, list, groups[i]) || progress;
        free(list);
        free(groups);
    }
}
