// Denominators as products of known factors: merged in one pass over both sorted lists, interned
// when they are finished.
#include "prove/denominator.h"

#include <math.h>
#include <string.h>

void denominator_store_init(denominator_store *d, const double *weight) {
    *d = (denominator_store){.weight = weight, .slot_count = 1 << 8};
    arena_init(&d->arena);
    d->slots = memory_zeros(const denominator *, d->slot_count);
}

void denominator_store_empty(denominator_store *d) {
    arena_free(&d->arena);
    arena_init(&d->arena);
    memset(d->slots, 0, sizeof *d->slots * d->slot_count);
    d->count = 0;
}

void denominator_store_free(denominator_store *d) {
    arena_free(&d->arena);
    memory_free(d->slots);
    memory_free(d->product);
    memory_free(d->merged);
}

// --- put together -------------------------------------------------------------------------------

void denominator_begin(denominator_store *d) { d->product_count = 0, d->last = NULL; }

static float rounded_up(double x) {
    const float f = (float)x;
    return f < x ? nextafterf(f, INFINITY) : f;
}

// The larger exponent of both, or their sum
static void merge(denominator_store *d, uint32_t count, const factor *list, bool product,
                  double times) {
    uint32_t i = 0, j = 0;
    d->merged_count = 0;
    while (i < d->product_count || j < count) {
        const bool left = j == count || (i < d->product_count && d->product[i].key <= list[j].key);
        const bool both = left && j < count && d->product[i].key == list[j].key;
        const double other = j < count ? times * list[j].exponent : 0;
        factor f = left ? d->product[i] : (factor){list[j].key, rounded_up(other)};
        if (both) f.exponent = rounded_up(product ? f.exponent + other : fmax(f.exponent, other));
        list_push(d, merged, f);
        i += left;
        j += both || !left;
    }
    factor *const done = d->merged;
    const uint32_t done_count = d->merged_count, capacity = d->merged_capacity;
    d->merged = d->product, d->merged_capacity = d->product_capacity;
    d->product = done, d->product_count = done_count, d->product_capacity = capacity;
}

void denominator_join(denominator_store *d, const denominator *t) {
    if (!t || t == d->last) return;
    merge(d, t->count, t->factors, false, 1);
    d->last = t;
}

void denominator_multiply(denominator_store *d, const denominator *t, double times) {
    if (t) merge(d, t->count, t->factors, true, times);
}

void denominator_multiply_factor(denominator_store *d, expr key, double exponent) {
    const factor f = {key, rounded_up(exponent)};
    merge(d, 1, &f, true, 1);
}

// --- interned -----------------------------------------------------------------------------------

static uint64_t hash_of(uint32_t count, const factor *list) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &list[i].exponent, sizeof bits);
        hash = (hash ^ list[i].key ^ (uint64_t)bits << 32) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static bool is_same(const denominator *t, uint64_t hash, uint32_t count, const factor *list) {
    if (t->hash != hash || t->count != count) return false;
    for (uint32_t i = 0; i < count; i++)
        if (t->factors[i].key != list[i].key || !(t->factors[i].exponent == list[i].exponent))
            return false;
    return true;
}

// The slot of this one, or the empty one where it belongs
static const denominator **slot_of(const denominator_store *d, uint64_t hash, uint32_t count,
                                   const factor *list) {
    uint64_t at = hash & (d->slot_count - 1);
    while (d->slots[at] && !is_same(d->slots[at], hash, count, list))
        at = (at + 1) & (d->slot_count - 1);
    return &d->slots[at];
}

static void grow(denominator_store *d) {
    const denominator **old = d->slots;
    const uint32_t count = d->slot_count;
    d->slot_count *= 2;
    d->slots = memory_zeros(const denominator *, d->slot_count);
    for (uint32_t i = 0; i < count; i++)
        if (old[i]) *slot_of(d, old[i]->hash, old[i]->count, old[i]->factors) = old[i];
    memory_free(old);
}

const denominator *denominator_finish(denominator_store *d) {
    if (!d->product_count) return NULL;
    const uint64_t hash = hash_of(d->product_count, d->product);
    const denominator **slot = slot_of(d, hash, d->product_count, d->product);
    if (*slot) return *slot;
    const size_t bytes = sizeof(factor) * d->product_count;
    denominator *made = arena_alloc(&d->arena, sizeof(denominator) + bytes);
    made->hash = hash, made->count = d->product_count;
    memcpy(made->factors, d->product, bytes);
    for (uint32_t i = 0; i < made->count; i++)
        made->degree += made->factors[i].exponent * d->weight[made->factors[i].key];
    *slot = made;
    if (2 * ++d->count > d->slot_count) grow(d);
    return made;
}
