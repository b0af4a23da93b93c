// Terms and parts of the working form.
#include "expr/pool_internal.h"
#include "expr/share_internal.h"

#include <string.h>

uint32_t part_create(working *w, expr_kind kind) {
    array_reserve(w->parts, w->count, w->capacity);
    w->parts[w->count] = (part){.kind = kind, .node = EXPR_NONE};
    return w->count++;
}

uint32_t part_of_number(working *w, expr positive) {
    while (w->number_capacity <= positive) {
        uint32_t old = w->number_capacity;
        w->number_capacity = old ? 2 * old : 64;
        memory_grow(w->number_part, w->number_capacity);
        memset(w->number_part + old, 0, sizeof(uint32_t) * (w->number_capacity - old));
    }
    if (!w->number_part[positive]) {
        const uint32_t made = part_create(w, EXPR_NUMBER);
        w->parts[made].number = w->parts[made].node = positive;
        w->number_part[positive] = made + 1;
    }
    return w->number_part[positive] - 1;
}

static void drop_factor(term *t, uint32_t i) {
    t->count--;
    memmove(t->factors + i, t->factors + i + 1, sizeof(factor) * (t->count - i));
}

// t * key^power for a key that is no number; the factors stay sorted.
static void times_factor(term *t, uint32_t key, int32_t power) {
    uint32_t i = 0;
    while (i < t->count && t->factors[i].key < key) i++;
    if (i < t->count && t->factors[i].key == key) {
        t->factors[i].power += power;
        if (t->factors[i].power == 0) drop_factor(t, i);
        return;
    }
    array_reserve(t->factors, t->count, t->capacity);
    memmove(t->factors + i + 1, t->factors + i, sizeof(factor) * (t->count - i));
    t->factors[i] = (factor){key, power};
    t->count++;
}

// A term holds at most one number: c1 * c2^power is worked out.
static void times_number(working *w, term *t, uint32_t key, int32_t power) {
    expr value = expr_pow(w->p, w->parts[key].number, expr_int(w->p, power));
    for (uint32_t i = 0; i < t->count; i++) {
        const part *n = &w->parts[t->factors[i].key];
        if (n->kind != EXPR_NUMBER) continue;
        value = expr_mul(w->p, value, n->number);
        drop_factor(t, i);
        break;
    }
    if (value != EXPR_ONE) times_factor(t, part_of_number(w, value), 1);
}

void term_times(working *w, term *t, uint32_t key, int32_t power) {
    if (w->parts[key].kind == EXPR_NUMBER) times_number(w, t, key, power);
    else times_factor(t, key, power);
}

void term_append(working *w, uint32_t sum, term t) {
    part *s = &w->parts[sum];
    array_reserve(s->terms, s->term_count, s->term_capacity);
    s->terms[s->term_count++] = t;
}

term term_copy(const term *t) {
    term copy = *t;
    copy.capacity = t->count;
    copy.factors = NULL;
    if (!t->count) return copy;
    copy.factors = memory_array(factor, t->count);
    memcpy(copy.factors, t->factors, sizeof(factor) * t->count);
    return copy;
}

int term_compare(const term *a, const term *b) {
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (uint32_t i = 0; i < a->count; i++) {
        const factor x = a->factors[i], y = b->factors[i];
        if (x.key != y.key) return x.key < y.key ? -1 : 1;
        if (x.power != y.power) return x.power < y.power ? -1 : 1;
    }
    return 0;
}
