// Values of definitions that were needed before, by definition and stack of derivatives.
#include "typed/evaluator.h"

typedef struct {
    const void *what;
    const level *level;
    result result; // on the kept stack
} memory_slot;

struct memory {
    memory_slot *slots; // open addressing, linear probing
    uint32_t count, capacity;
};

static uint32_t place_of(const struct memory *m, const void *what, const level *l) {
    const void *const key[] = {what, l};
    uint32_t i = names_hash_bytes(key, sizeof key, 0) & (m->capacity - 1);
    while (m->slots[i].what && (m->slots[i].what != what || m->slots[i].level != l))
        i = (i + 1) & (m->capacity - 1);
    return i;
}

static void grow(struct memory *m) {
    const struct memory old = *m;
    m->capacity = old.capacity ? 2 * old.capacity : 64;
    m->slots = memory_array(memory_slot, m->capacity);
    for (uint32_t i = 0; i < m->capacity; i++) m->slots[i].what = NULL;
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.slots[i].what)
            m->slots[place_of(m, old.slots[i].what, old.slots[i].level)] = old.slots[i];
    memory_free(old.slots);
}

bool evaluator_recall(const evaluator *ev, const void *what, const level *l, result *out) {
    if (!ev->memory) return false;
    const memory_slot *slot = &ev->memory->slots[place_of(ev->memory, what, l)];
    if (slot->what) *out = slot->result;
    return slot->what;
}

void evaluator_remember(evaluator *ev, const void *what, const level *l, const result *r) {
    if (!ev->memory) {
        ev->memory = memory_new(struct memory);
    }
    if (2 * ev->memory->count >= ev->memory->capacity) grow(ev->memory);
    memory_slot *slot = &ev->memory->slots[place_of(ev->memory, what, l)];
    *slot = (memory_slot){what, l, {.type = r->type}};
    ball_stack_copy(&ev->kept, result_size(r->type), r->part, slot->result.part);
    ev->memory->count++;
}

void evaluator_forget(evaluator *ev) {
    if (ev->memory) memory_free(ev->memory->slots);
    memory_free(ev->memory);
    ev->memory = NULL;
}
