// What was simplified before: a table that several calls share.
#include "normal/normal_memory.h"

typedef expr slot[2];

struct normal_memory {
    slot *slots; // an expression and its simplest form; open addressing, EXPR_NONE where empty
    uint32_t count, capacity;
};

normal_memory *normal_memory_create(void) {
    normal_memory *m = memory_new(normal_memory);
    *m = (normal_memory){0};
    return m;
}

void normal_memory_free(normal_memory *m) {
    if (!m) return;
    memory_free(m->slots);
    memory_free(m);
}

static uint32_t find(const normal_memory *m, expr e) {
    uint32_t at = e * 0x9E3779B1u >> 7 & (m->capacity - 1);
    while (m->slots[at][0] != EXPR_NONE && m->slots[at][0] != e) at = (at + 1) & (m->capacity - 1);
    return at;
}

static void grow(normal_memory *m) {
    const normal_memory old = *m;
    m->capacity = old.capacity ? 2 * old.capacity : 64;
    m->slots = memory_array(slot, m->capacity);
    for (uint32_t i = 0; i < m->capacity; i++) m->slots[i][0] = EXPR_NONE;
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (old.slots[i][0] == EXPR_NONE) continue;
        const uint32_t at = find(m, old.slots[i][0]);
        m->slots[at][0] = old.slots[i][0], m->slots[at][1] = old.slots[i][1];
    }
    memory_free(old.slots);
}

expr normal_memory_recall(const normal_memory *m, expr e) {
    if (!m || !m->count) return EXPR_NONE;
    const uint32_t at = find(m, e);
    return m->slots[at][0] == e ? m->slots[at][1] : EXPR_NONE;
}

void normal_memory_keep(normal_memory *m, expr e, expr simplest) {
    if (!m) return;
    if (2 * (m->count + 1) > m->capacity) grow(m);
    const uint32_t at = find(m, e);
    if (m->slots[at][0] == EXPR_NONE) m->count++;
    m->slots[at][0] = e, m->slots[at][1] = simplest;
}
