// Powers as nodes of their own: b^(p/q) becomes (b^(1/q))^p, the root and the power shared by all products that need them.
#include "expr/pool_internal.h"
#include "expr/share_internal.h"

#include <stdlib.h>

typedef struct { // base^exponent has node `made`
    uint32_t base;
    expr exponent;
    uint32_t made;
} power;

typedef struct {
    power *items;
    uint32_t count, capacity;
    uint32_t *first; // by base: index + 1 of its newest power
    uint32_t *next;
    uint32_t next_capacity;
} powers;

static void register_power(powers *t, uint32_t base, expr exponent, uint32_t made, uint32_t bases) {
    uint32_t count = t->count;
    array_reserve(t->items, t->count, t->capacity);
    array_reserve(t->next, count, t->next_capacity);
    t->items[t->count] = (power){base, exponent, made};
    t->next[t->count] = base < bases ? t->first[base] : 0;
    t->count++;
    if (base < bases) t->first[base] = t->count;
}

static uint32_t power_node(working *w, powers *t, uint32_t base, expr exponent, uint32_t bases) {
    if (exponent == EXPR_ONE) return base;
    for (uint32_t i = base < bases ? t->first[base] : 0; i; i = t->next[i - 1])
        if (t->items[i - 1].exponent == exponent) return t->items[i - 1].made;
    for (uint32_t i = 0; base >= bases && i < t->count; i++) // powers of roots made here: few
        if (t->items[i].base == base && t->items[i].exponent == exponent) return t->items[i].made;
    const uint32_t made = bag_create(w, EXPR_PRODUCT);
    bag_add(w, made, base, exponent);
    register_power(t, base, exponent, made, bases);
    return made;
}

// Is the node a whole power of one base? Then it serves every product that needs that power.
static bool is_power(const working *w, uint32_t node) {
    const part_node *n = &w->nodes[node];
    int64_t e;
    return n->kind == EXPR_PRODUCT && n->count == 1 && expr_is_integer(w->p, n->items[0].weight, &e) && e > 0;
}

void split_powers(working *w) {
    pool *p = w->p;
    const uint32_t original = w->count;
    powers table = {.first = calloc(original, sizeof(uint32_t))};
    for (uint32_t i = 0; i < original; i++)
        if (is_power(w, i)) register_power(&table, w->nodes[i].items[0].key, w->nodes[i].items[0].weight, i, original);
    for (uint32_t i = 0; i < original; i++) {
        if (w->nodes[i].kind != EXPR_PRODUCT || is_power(w, i)) continue;
        const uint32_t count = w->nodes[i].count;
        item *old = w->nodes[i].items;
        w->nodes[i].items = NULL;
        w->nodes[i].count = w->nodes[i].capacity = 0;
        for (uint32_t j = 0; j < count; j++) {
            const fmpq e = *expr_number_value(p, old[j].weight);
            fmpz_t size;
            fmpz_init(size);
            fmpz_abs(size, fmpq_numref(&e));
            uint32_t key = old[j].key;
            if (!fmpz_is_one(fmpq_denref(&e)) && fmpz_fits_si(fmpq_denref(&e)))
                key = power_node(w, &table, key, expr_rational(p, 1, fmpz_get_si(fmpq_denref(&e))), original);
            const int sign = fmpq_sgn(&e);
            const expr n = fmpz_fits_si(size) ? expr_int(p, fmpz_get_si(size)) : EXPR_ONE;
            key = power_node(w, &table, key, n, original);
            bag_add(w, i, key, sign < 0 ? EXPR_MINUS_ONE : EXPR_ONE);
            fmpz_clear(size);
        }
        bag_sort(w, i);
        free(old);
    }
    free(table.items);
    free(table.first);
    free(table.next);
}
