// A hash table of products.
#include "codegen/product_table.h"

#include "base/memory.h"

enum { NONE = UINT32_MAX }; // no register

static uint32_t *place_of(product_table *w, uint32_t a, uint32_t b) {
    uint32_t h = (a * 0x85EBCA6Bu) ^ (b * 0xC2B2AE35u);
    for (;; h++) {
        uint32_t *place = &w->table[h & (w->size - 1)];
        if (!*place || (w->factor[2 * (*place - 1)] == a && w->factor[2 * (*place - 1) + 1] == b))
            return place;
    }
}

static void grow_table(product_table *w) {
    w->size = w->size ? 2 * w->size : 256;
    memory_free(w->table);
    w->table = memory_zeros(uint32_t, w->size);
    for (uint32_t r = 0; r < w->registers; r++)
        if (w->factor[2 * r] != NONE) *place_of(w, w->factor[2 * r], w->factor[2 * r + 1]) = r + 1;
}

static void make_room_for(product_table *w, uint32_t r) {
    if (r < w->registers) return;
    const uint32_t before = w->registers;
    w->registers = 2 * r + 64;
    memory_grow(w->factor, 2 * w->registers);
    for (uint32_t i = 2 * before; i < 2 * w->registers; i++) w->factor[i] = NONE;
}

uint32_t product_table_find(product_table *w, uint32_t a, uint32_t b, uint32_t otherwise) {
    if (a > b) {
        const uint32_t other = a;
        a = b, b = other;
    }
    if (2 * (w->products + 1) > w->size) grow_table(w);
    uint32_t *place = place_of(w, a, b);
    if (*place) return *place - 1;
    *place = otherwise + 1;
    make_room_for(w, otherwise);
    w->factor[2 * otherwise] = a, w->factor[2 * otherwise + 1] = b;
    w->products++;
    return otherwise;
}

const uint32_t *product_table_factors(const product_table *w, uint32_t product) {
    return w->factor + 2 * product;
}

void product_table_free(product_table *w) { memory_free(w->table), memory_free(w->factor); }
