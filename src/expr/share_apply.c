// Sharing carried out: a part is made for what is common, and its occurrences refer to it.
#include "expr/pool_internal.h"
#include "expr/share_internal.h"

#include <stdlib.h>

static const factor *term_find(const term *t, uint32_t key) {
    for (uint32_t i = 0; i < t->count; i++)
        if (t->factors[i].key == key) return &t->factors[i];
    return NULL;
}

static int32_t smaller(int32_t a, int32_t b) { return abs(a) < abs(b) ? abs(a) : abs(b); }

// --- a*b -----------------------------------------------------------------------------------------

// How often (a^sa * b^sb)^+-1 is in the term; 0 if what was found there is used up
// meanwhile. a = b: how often a^2.
static int32_t pair_power(const term *t, const uint32_t *key) {
    const factor *a = term_find(t, key[1]), *b = term_find(t, key[2]);
    if (!a || !b) return 0;
    if (a == b) return a->power / 2;
    const int32_t sa = key[3] ? -1 : 1, sb = key[4] ? -1 : 1, m = smaller(a->power, b->power);
    if ((a->power > 0) == (sa > 0) && (b->power > 0) == (sb > 0)) return m;
    return sa == sb && a->power < 0 && b->power < 0 ? -m : 0;
}

static void apply_pair(working *w, const share_candidates *found, group g) {
    const occurrence *list = found->list + g.start;
    const uint32_t *key = list->key;
    uint32_t weight = 0;
    for (uint32_t i = 0; i < g.count; i++)
        if (pair_power(&w->parts[list[i].part].terms[list[i].term], key)) weight += list[i].weight;
    if (weight < found->least + 1) return;
    const int32_t sa = key[3] ? -1 : 1, sb = key[4] ? -1 : 1;
    const uint32_t made = part_create(w, EXPR_SUM);
    term product = {.sign = 1};
    term_times(w, &product, key[1], sa);
    term_times(w, &product, key[2], sb);
    term_append(w, made, product);
    for (uint32_t i = 0; i < g.count; i++) {
        term *t = &w->parts[list[i].part].terms[list[i].term];
        const int32_t m = pair_power(t, key);
        if (!m) continue;
        term_times(w, t, key[1], -m * sa);
        term_times(w, t, key[2], -m * sb);
        term_times(w, t, made, m);
    }
}

// --- 1/a -----------------------------------------------------------------------------------------

// The factor 1/a of a term that has nothing but numbers above the bar; NULL if there is none.
static const factor *lone_inverse(const working *w, const term *t, uint32_t key) {
    for (uint32_t i = 0; i < t->count; i++)
        if (t->factors[i].power > 0 && w->parts[t->factors[i].key].kind != EXPR_NUMBER) return NULL;
    return term_find(t, key);
}

static void apply_inverse(working *w, const share_candidates *found, group g) {
    const occurrence *list = found->list + g.start;
    const uint32_t key = list->key[1];
    uint32_t weight = 0;
    for (uint32_t i = 0; i < g.count; i++)
        weight += lone_inverse(w, &w->parts[list[i].part].terms[list[i].term], key) != NULL;
    if (weight < found->least + 1) return;
    const uint32_t made = part_create(w, EXPR_SUM);
    term inverse = {.sign = 1};
    term_times(w, &inverse, key, -1);
    term_append(w, made, inverse);
    for (uint32_t i = 0; i < g.count; i++) {
        term *t = &w->parts[list[i].part].terms[list[i].term];
        const factor *f = lone_inverse(w, t, key);
        if (!f) continue;
        const int32_t power = f->power;
        term_times(w, t, key, -power);
        term_times(w, t, made, -power);
    }
}

// --- a*(b + c) -----------------------------------------------------------------------------------
// A term that leaves its sum gets the sign 0, so that the others keep their
// places until share_tidy().

static term leave(term *t) {
    const term gone = *t;
    *t = (term){0};
    return gone;
}

// The factor of a term with a power of that sign; NULL if there is none.
static const factor *held(const term *t, uint32_t key, int sign) {
    const factor *f = t->sign ? term_find(t, key) : NULL;
    return f && (f->power > 0) == (sign > 0) ? f : NULL;
}

static void apply_factor(working *w, const share_candidates *found, group g) {
    const uint32_t *key = found->list[g.start].key;
    const uint32_t sum = key[1], common = key[2];
    const int sign = key[3] ? -1 : 1;
    const uint32_t count = w->parts[sum].term_count;
    int32_t power = 0; // the smallest
    uint32_t weight = 0;
    for (uint32_t i = 0; i < count; i++) {
        const term *t = &w->parts[sum].terms[i];
        const factor *f = held(t, common, sign);
        if (!f) continue;
        const int32_t own = f->power;
        power = power ? sign * smaller(power, own) : own;
        weight += t->count > 1 || abs(own) > 1;
    }
    if (weight < found->least + 1) return;
    const uint32_t inner = part_create(w, EXPR_SUM);
    for (uint32_t i = 0; i < count; i++) {
        if (!held(&w->parts[sum].terms[i], common, sign)) continue;
        term t = leave(&w->parts[sum].terms[i]);
        term_times(w, &t, common, -power);
        term_append(w, inner, t);
    }
    term outer = {.sign = 1};
    term_times(w, &outer, common, power);
    term_times(w, &outer, inner, 1);
    term_append(w, sum, outer);
}

// --- (a + b) -------------------------------------------------------------------------------------

static bool still_there(const working *w, const occurrence *o) {
    return w->parts[o->part].terms[o->term].sign && w->parts[o->part].terms[o->other].sign;
}

static void apply_terms(working *w, const share_candidates *found, group g) {
    const occurrence *list = found->list + g.start, *first = NULL;
    uint32_t weight = 0;
    for (uint32_t i = 0; i < g.count; i++) {
        if (!still_there(w, &list[i])) continue;
        first = &list[i];
        weight += list[i].weight;
    }
    if (!first || weight < found->least + 1) return;
    term a = term_copy(&w->parts[first->part].terms[first->term]),
         b = term_copy(&w->parts[first->part].terms[first->other]);
    b.sign *= a.sign; // a + b or a - b, whatever the sign of both
    a.sign = 1;
    const uint32_t made = part_create(w, EXPR_SUM);
    term_append(w, made, a);
    term_append(w, made, b);
    for (uint32_t i = 0; i < g.count; i++) {
        if (!still_there(w, &list[i])) continue;
        term x = leave(&w->parts[list[i].part].terms[list[i].term]),
             y = leave(&w->parts[list[i].part].terms[list[i].other]);
        term whole = {.sign = x.sign};
        term_times(w, &whole, made, 1);
        term_append(w, list[i].part, whole);
        memory_free(x.factors), memory_free(y.factors);
    }
}

void share_apply(working *w, const share_candidates *found) {
    for (uint32_t i = 0; i < found->group_count; i++) {
        const group g = found->groups[i];
        switch (found->list[g.start].key[0]) {
        case SHARE_FACTOR: apply_factor(w, found, g); break;
        case SHARE_TERMS: apply_terms(w, found, g); break;
        case SHARE_PAIR: apply_pair(w, found, g); break;
        default: apply_inverse(w, found, g);
        }
    }
}
