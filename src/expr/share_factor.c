// Common factors of the terms of a sum: a*b + a*c = a*(b + c), 2*x + 2*y = 2*(x + y).
#include "expr/pool_internal.h"
#include "expr/share_internal.h"

#include <stdlib.h>

typedef struct {
    uint32_t key;
    expr weight;
    uint32_t count;
} candidate;

// The factors of a term: those of its product if nobody else needs that product, or the term itself.
static uint32_t factors_of(const working *w, uint32_t term, const item **list, item *self) {
    const part_node *n = &w->nodes[term];
    if (n->kind == EXPR_PRODUCT && n->uses == 1 && n->count > 1) {
        *list = n->items;
        return n->count;
    }
    *self = (item){term, EXPR_ONE};
    *list = self;
    return 1;
}

static bool is_worth_it(const working *w, uint32_t key) { return w->nodes[key].kind != EXPR_NUMBER; }

// The factor that most terms of the sum share.
static candidate best_factor(const working *w, uint32_t sum) {
    candidate best = {0, EXPR_ONE, 1};
    const part_node *s = &w->nodes[sum];
    candidate *seen = NULL;
    uint32_t count = 0, capacity = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const item *factor;
        item self;
        const uint32_t n = factors_of(w, s->items[i].key, &factor, &self);
        for (uint32_t j = 0; j < n && is_worth_it(w, factor[j].key); j++) {
            uint32_t at = 0;
            while (at < count && (seen[at].key != factor[j].key || seen[at].weight != factor[j].weight)) at++;
            if (at == count) {
                array_reserve(seen, count, capacity);
                seen[count++] = (candidate){factor[j].key, factor[j].weight, 0};
            }
            seen[at].count++;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        if (seen[i].count > best.count || (seen[i].count == best.count && best.count > 1 && seen[i].key < best.key)) best = seen[i];
    free(seen);
    return best;
}

// term / factor as a node; the product of the term is not used by anyone else, so it is taken apart.
static uint32_t quotient(working *w, uint32_t term, const candidate *f) {
    if (term == f->key) return w->one;
    part_node *n = &w->nodes[term];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->items[i].key != f->key) n->items[kept++] = n->items[i];
    n->count = kept;
    return n->count == 1 && n->items[0].weight == EXPR_ONE ? n->items[0].key : term;
}

static bool holds(const working *w, uint32_t term, const candidate *f) {
    const item *factor;
    item self;
    const uint32_t n = factors_of(w, term, &factor, &self);
    for (uint32_t i = 0; i < n; i++)
        if (factor[i].key == f->key && factor[i].weight == f->weight) return true;
    return false;
}

// Move the terms that hold the factor into an inner sum; returns the inner sum.
static uint32_t take_out(working *w, uint32_t sum, const candidate *f) {
    const uint32_t inner = bag_create(w, EXPR_SUM), product = bag_create(w, EXPR_PRODUCT);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->nodes[sum].count; i++) {
        const item t = w->nodes[sum].items[i];
        if (!holds(w, t.key, f)) {
            w->nodes[sum].items[kept++] = t;
            continue;
        }
        bag_add(w, inner, quotient(w, t.key, f), t.weight);
    }
    w->nodes[sum].count = kept;
    bag_add(w, product, f->key, f->weight);
    bag_add(w, product, inner, EXPR_ONE);
    bag_sort(w, inner);
    bag_sort(w, product);
    w->nodes[inner].uses = w->nodes[product].uses = 1;
    bag_add(w, sum, product, EXPR_ONE);
    bag_sort(w, sum);
    return inner;
}

static bool is_unit(expr weight) { return weight == EXPR_ONE || weight == EXPR_MINUS_ONE; }

// c*x + c*y - c*z = c*(x + y - z)
static void group_coefficients(working *w, uint32_t sum) {
    for (uint32_t i = 0; i < w->nodes[sum].count; i++) {
        const expr c = w->nodes[sum].items[i].weight, minus = expr_neg(w->p, c);
        uint32_t same = 0;
        for (uint32_t j = 0; j < w->nodes[sum].count; j++)
            same += w->nodes[sum].items[j].weight == c || w->nodes[sum].items[j].weight == minus;
        if (is_unit(c) || same < 2 || same == w->nodes[sum].count) continue;
        const uint32_t inner = bag_create(w, EXPR_SUM);
        uint32_t kept = 0;
        for (uint32_t j = 0; j < w->nodes[sum].count; j++) {
            const item t = w->nodes[sum].items[j];
            if (t.weight == c || t.weight == minus) bag_add(w, inner, t.key, t.weight == c ? EXPR_ONE : EXPR_MINUS_ONE);
            else w->nodes[sum].items[kept++] = t;
        }
        w->nodes[sum].count = kept;
        bag_sort(w, inner);
        w->nodes[inner].uses = 1;
        bag_add(w, sum, inner, c);
        bag_sort(w, sum);
        i = UINT32_MAX; // start over
    }
}

// All terms have the coefficient +-c: the sum becomes c times an inner sum, which is then worked on.
static uint32_t take_content(working *w, uint32_t sum) {
    part_node *s = &w->nodes[sum];
    if (s->count < 2 || is_unit(s->items[0].weight)) return sum;
    const expr c = s->items[0].weight, minus = expr_neg(w->p, c);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->items[i].weight != c && s->items[i].weight != minus) return sum;
    const uint32_t inner = bag_create(w, EXPR_SUM);
    for (uint32_t i = 0; i < w->nodes[sum].count; i++) {
        const item t = w->nodes[sum].items[i];
        bag_add(w, inner, t.key, t.weight == c ? EXPR_ONE : EXPR_MINUS_ONE);
    }
    bag_sort(w, inner);
    w->nodes[inner].uses = 1;
    w->nodes[sum].count = 0;
    bag_add(w, sum, inner, c);
    return inner;
}

void factor_sums(working *w) {
    enum { LONGEST_SUM = 400 };
    count_uses(w);
    for (uint32_t i = 0; i < w->count; i++) { // inner sums are appended and get their turn
        if (w->nodes[i].kind != EXPR_SUM || !w->nodes[i].uses || w->nodes[i].count > LONGEST_SUM) continue;
        const uint32_t sum = take_content(w, i);
        for (;;) {
            const candidate f = best_factor(w, sum);
            if (f.count < 2) break;
            take_out(w, sum, &f);
        }
        group_coefficients(w, sum);
    }
}
