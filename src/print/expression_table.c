// A hash table from nodes to numbers: open addressing, linear probing.
#include "print/expression_internal.h"

#include <stdlib.h>

static uint32_t start(const node_table *t, expr e) {
    return e * 0x9E3779B1u >> 7 & (t->capacity - 1);
}

static void grow(node_table *t) {
    const node_table old = *t;
    t->capacity = old.capacity ? 2 * old.capacity : 64;
    t->slots = memory_array(node_slot, t->capacity);
    for (uint32_t i = 0; i < t->capacity; i++) t->slots[i].node = EXPR_NONE;
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (old.slots[i].node == EXPR_NONE) continue;
        uint32_t at = start(t, old.slots[i].node);
        while (t->slots[at].node != EXPR_NONE) at = (at + 1) & (t->capacity - 1);
        t->slots[at] = old.slots[i];
    }
    memory_free(old.slots);
}

uint32_t *table_find(const node_table *t, expr e) {
    if (!t->count) return NULL;
    for (uint32_t at = start(t, e); t->slots[at].node != EXPR_NONE;
         at = (at + 1) & (t->capacity - 1))
        if (t->slots[at].node == e) return &t->slots[at].value;
    return NULL;
}

void table_add(node_table *t, expr e, uint32_t value) {
    if (2 * (t->count + 1) > t->capacity) grow(t);
    uint32_t at = start(t, e);
    while (t->slots[at].node != EXPR_NONE) at = (at + 1) & (t->capacity - 1);
    t->slots[at] = (node_slot){e, value};
    t->count++;
}
