// The working form made canonical: one part for each value up to sign, no part that only
// stands for another, no dead ones.
#include "expr/pool_internal.h"
#include "expr/share_internal.h"

#include <stdlib.h>

typedef struct {
    working *w;
    uint32_t *order; // live parts, what they use before them
    uint32_t live;
    link *forward;  // what to put in the place of each part
    bool *spread;   // a product with one user, to be multiplied into it
    uint32_t *slot; // hash table of parts + 1
    uint32_t slots;
} tidier;

// --- order and uses ------------------------------------------------------------------------------

typedef struct {
    uint32_t *items, count, capacity;
} stack;

static void push(stack *s, uint32_t key) {
    array_reserve(s->items, s->count, s->capacity);
    s->items[s->count++] = key;
}

static void push_used(const part *n, stack *s) {
    for (uint32_t i = 0; i < n->link_count; i++) push(s, n->links[i].key);
    for (uint32_t i = 0; i < n->term_count; i++)
        for (uint32_t j = 0; j < n->terms[i].count; j++) push(s, n->terms[i].factors[j].key);
}

// Depth first; a part stays on the stack while what it uses is dealt with.
static void put_in_order(tidier *t) {
    working *w = t->w;
    enum { NEW, OPEN, DONE };
    unsigned char *state = memory_zeros(unsigned char, w->count);
    stack s = {0};
    for (uint32_t i = 0; i < w->output_count; i++) push(&s, w->outputs[i].key);
    while (s.count) {
        const uint32_t top = s.items[s.count - 1];
        if (state[top] == NEW) {
            state[top] = OPEN;
            push_used(&w->parts[top], &s);
            continue;
        }
        s.count--;
        if (state[top] == OPEN) t->order[t->live++] = top;
        state[top] = DONE;
    }
    memory_free(s.items);
    memory_free(state);
}

static void count_uses(const tidier *t) {
    working *w = t->w;
    for (uint32_t i = 0; i < w->count; i++) w->parts[i].uses = w->parts[i].factor_uses = 0;
    for (uint32_t i = 0; i < w->output_count; i++) w->parts[w->outputs[i].key].uses++;
    for (uint32_t k = 0; k < t->live; k++) {
        const part *n = &w->parts[t->order[k]];
        for (uint32_t i = 0; i < n->link_count; i++) w->parts[n->links[i].key].uses++;
        for (uint32_t i = 0; i < n->term_count; i++)
            for (uint32_t j = 0; j < n->terms[i].count; j++) {
                const factor f = n->terms[i].factors[j];
                w->parts[f.key].uses++;
                w->parts[f.key].factor_uses += abs(f.power) == 1;
            }
    }
}

static void clear_dead(working *w) {
    for (uint32_t i = 0; i < w->count; i++) {
        part *n = &w->parts[i];
        if (n->uses) continue;
        for (uint32_t j = 0; j < n->term_count; j++) memory_free(n->terms[j].factors);
        n->term_count = n->link_count = 0;
    }
}

// --- putting things in the place of others -------------------------------------------------------

static link resolve(const tidier *t, link l) {
    const link to = t->forward[l.key]; // where it leads is settled: what is used comes first
    return (link){to.key, l.sign * to.sign};
}

// to * (sign*key)^power, with products that have no other user multiplied out
static void multiply(const tidier *t, term *to, uint32_t key, int32_t power) {
    const link l = resolve(t, (link){key, 1});
    const part *n = &t->w->parts[l.key];
    if (n->kind == EXPR_NUMBER && n->number == EXPR_ZERO && power > 0) {
        to->sign = 0; // it leaves its sum
        return;
    }
    if (power % 2) to->sign *= l.sign;
    if (!t->spread[l.key]) {
        term_times(t->w, to, l.key, power);
        return;
    }
    for (uint32_t i = 0; i < t->w->parts[l.key].terms[0].count; i++) {
        const factor f = t->w->parts[l.key].terms[0].factors[i];
        term_times(t->w, to, f.key, f.power * power); // its own factors have been spread out before
    }
}

static bool changes(const tidier *t, const term *of) {
    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t key = of->factors[i].key;
        if (t->spread[key] || t->forward[key].key != key || t->forward[key].sign < 0) return true;
    }
    return false;
}

static void rewrite(const tidier *t, uint32_t key) {
    for (uint32_t i = 0; i < t->w->parts[key].link_count; i++) {
        link *l = &t->w->parts[key].links[i];
        *l = resolve(t, *l);
    }
    for (uint32_t i = 0; i < t->w->parts[key].term_count; i++) {
        const term old = t->w->parts[key].terms[i];
        if (!changes(t, &old)) continue;
        term fresh = {.sign = old.sign};
        for (uint32_t j = 0; j < old.count && fresh.sign; j++)
            multiply(t, &fresh, old.factors[j].key, old.factors[j].power);
        if (!fresh.sign) memory_free(fresh.factors), fresh = (term){0};
        t->w->parts[key].terms[i] = fresh;
        memory_free(old.factors);
    }
}

// --- what stands for what ------------------------------------------------------------------------

static int compare_terms(const void *a, const void *b) { return term_compare(a, b); }

static void sort_terms(part *n) {
    for (uint32_t i = 1; i < n->term_count; i++)
        if (term_compare(&n->terms[i - 1], &n->terms[i]) > 0) {
            qsort(n->terms, n->term_count, sizeof(term), compare_terms);
            return;
        }
}

static void drop_left(part *n) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->term_count; i++)
        if (n->terms[i].sign) n->terms[kept++] = n->terms[i];
    n->term_count = kept;
}

// Terms in canonical order, the first one positive; a sum of one part is that part.
static void normalise(tidier *t, uint32_t key) {
    part *n = &t->w->parts[key];
    if (n->kind != EXPR_SUM) return;
    drop_left(n);
    if (n->term_count == 0) {
        t->forward[key] = (link){part_of_number(t->w, EXPR_ZERO), 1};
        return;
    }
    sort_terms(n);
    const int sign = n->terms[0].sign;
    for (uint32_t i = 0; i < n->term_count && sign < 0; i++) n->terms[i].sign = -n->terms[i].sign;
    t->forward[key].sign = sign;
    const term *only = &n->terms[0];
    if (n->term_count == 1 && only->count == 1 && only->factors[0].power == 1)
        t->forward[key].key = only->factors[0].key;
}

static uint64_t mix(uint64_t h, uint64_t x) { return (h ^ x) * 0x9e3779b97f4a7c15u ^ (h >> 29); }

static uint64_t hash_part(const part *n) {
    uint64_t h = mix(n->kind, n->payload);
    if (n->kind == EXPR_PRODUCT) h = mix(h, n->number);
    for (uint32_t i = 0; i < n->link_count; i++)
        h = mix(mix(h, n->links[i].key), (uint64_t)(n->links[i].sign + 1));
    for (uint32_t i = 0; i < n->term_count; i++) {
        h = mix(h, (uint64_t)(n->terms[i].sign + 1));
        for (uint32_t j = 0; j < n->terms[i].count; j++)
            h = mix(mix(h, n->terms[i].factors[j].key),
                    (uint64_t)(int64_t)n->terms[i].factors[j].power);
    }
    return h;
}

static bool same_part(const part *a, const part *b) {
    if (a->kind != b->kind || a->payload != b->payload || a->link_count != b->link_count ||
        a->term_count != b->term_count)
        return false;
    if (a->kind == EXPR_PRODUCT && a->number != b->number) return false;
    for (uint32_t i = 0; i < a->link_count; i++)
        if (a->links[i].key != b->links[i].key || a->links[i].sign != b->links[i].sign)
            return false;
    for (uint32_t i = 0; i < a->term_count; i++)
        if (a->terms[i].sign != b->terms[i].sign || term_compare(&a->terms[i], &b->terms[i]) != 0)
            return false;
    return true;
}

// Of equal parts the first one stands for all. It has no sign to pass on: the sign of its
// own change is with its own name.
static void find_equal(tidier *t, uint32_t key) {
    const part *n = &t->w->parts[key];
    if (t->forward[key].key != key || (n->term_count == 0 && n->link_count == 0)) return;
    uint32_t at = (uint32_t)(hash_part(n) >> 20) & (t->slots - 1);
    while (t->slot[at] && !same_part(&t->w->parts[t->slot[at] - 1], n))
        at = (at + 1) & (t->slots - 1);
    if (!t->slot[at]) t->slot[at] = key + 1;
    else t->forward[key].key = t->slot[at] - 1;
}

// --- the passes ----------------------------------------------------------------------------------

static tidier tidier_create(working *w) {
    part_of_number(w, EXPR_ZERO);
    tidier t = {.w = w, .slots = 16};
    while (t.slots < 2 * w->count) t.slots *= 2;
    t.order = memory_array(uint32_t, w->count);
    t.forward = memory_array(link, w->count);
    t.spread = memory_zeros(bool, w->count);
    t.slot = memory_zeros(uint32_t, t.slots);
    for (uint32_t i = 0; i < w->count; i++) t.forward[i] = (link){i, 1};
    put_in_order(&t);
    return t;
}

static void tidier_free(tidier *t) {
    memory_free(t->order), memory_free(t->forward), memory_free(t->spread), memory_free(t->slot);
}

static void merge(working *w) {
    tidier t = tidier_create(w);
    for (uint32_t k = 0; k < t.live; k++) {
        rewrite(&t, t.order[k]);
        normalise(&t, t.order[k]);
        find_equal(&t, t.order[k]);
    }
    for (uint32_t i = 0; i < w->output_count; i++) w->outputs[i] = resolve(&t, w->outputs[i]);
    tidier_free(&t);
}

// Products with one user are multiplied into it. False if there are none.
static bool spread(working *w) {
    tidier t = tidier_create(w);
    count_uses(&t);
    clear_dead(w);
    bool any = false;
    for (uint32_t k = 0; k < t.live; k++) {
        const part *n = &w->parts[t.order[k]];
        if (n->kind != EXPR_SUM || n->term_count != 1 || n->uses != 1 || n->factor_uses != 1)
            continue;
        t.spread[t.order[k]] = any = true;
    }
    for (uint32_t k = 0; k < t.live && any; k++) rewrite(&t, t.order[k]);
    tidier_free(&t);
    return any;
}

void share_tidy(working *w) {
    do merge(w);
    while (spread(w));
}
