// Like terms of sums, which parts that became equal leave behind: x - x, x - x/2, x - (x + y).
#include "expr/pool_internal.h"
#include "expr/share_internal.h"

#include <stdlib.h>

typedef struct {
    uint64_t hash; // of the factors that are no numbers
    uint32_t at;   // the term
} entry;

static bool is_number(const working *w, factor f) { return w->parts[f.key].kind == EXPR_NUMBER; }

static uint64_t hash_of(const working *w, const term *t) {
    uint64_t h = 0;
    for (uint32_t i = 0; i < t->count; i++)
        if (!is_number(w, t->factors[i]))
            h = (h ^ t->factors[i].key ^ (uint64_t)(uint32_t)t->factors[i].power << 32) *
                    0x9e3779b97f4a7c15u ^
                (h >> 29);
    return h;
}

// Are they alike but for their numbers? Factors are sorted by key.
static bool are_alike(const working *w, const term *a, const term *b) {
    uint32_t i = 0, j = 0;
    for (;;) {
        while (i < a->count && is_number(w, a->factors[i])) i++;
        while (j < b->count && is_number(w, b->factors[j])) j++;
        if (i == a->count || j == b->count) return i == a->count && j == b->count;
        if (a->factors[i].key != b->factors[j].key || a->factors[i].power != b->factors[j].power)
            return false;
        i++, j++;
    }
}

// Has the sum a term like one of the other's?
static bool have_like_terms(const working *w, const part *a, const part *b) {
    for (uint32_t i = 0; i < a->term_count; i++)
        for (uint32_t j = 0; j < b->term_count; j++)
            if (a->terms[i].sign && are_alike(w, &a->terms[i], &b->terms[j])) return true;
    return false;
}

// x - (x + y) = x - x - y, where nothing else uses the sum inside
static void open_brackets(working *w, uint32_t key) {
    for (uint32_t i = 0; i < w->parts[key].term_count; i++) {
        const term t = w->parts[key].terms[i];
        if (t.count != 1 || t.factors[0].power != 1) continue;
        part *inner = &w->parts[t.factors[0].key];
        if (inner->kind != EXPR_SUM || inner->term_count < 2 || inner->uses != 1 ||
            !have_like_terms(w, &w->parts[key], inner))
            continue;
        for (uint32_t j = 0; j < inner->term_count; j++) {
            inner->terms[j].sign *= t.sign;
            term_append(w, key, inner->terms[j]);
        }
        inner->term_count = 0;
        memory_free(t.factors);
        w->parts[key].terms[i] = (term){0};
    }
}

static expr coefficient_of(const working *w, const term *t) {
    expr c = EXPR_ONE;
    for (uint32_t i = 0; i < t->count; i++)
        if (is_number(w, t->factors[i])) c = w->parts[t->factors[i].key].number;
    return t->sign < 0 ? expr_neg(w->p, c) : c;
}

// c1*x + c2*x = (c1 + c2)*x; `from` leaves its sum
static void put_together(working *w, term *to, term *from) {
    const expr before = coefficient_of(w, to),
               sum = expr_add(w->p, before, coefficient_of(w, from));
    memory_free(from->factors);
    *from = (term){0};
    if (sum == EXPR_ZERO) {
        memory_free(to->factors);
        *to = (term){0};
        return;
    }
    const int sign = fmpq_sgn(expr_number_value(w->p, sum));
    const expr size = sign < 0 ? expr_neg(w->p, sum) : sum,
               old = to->sign < 0 ? expr_neg(w->p, before) : before;
    term_times(w, to, part_of_number(w, expr_div(w->p, size, old)), 1);
    to->sign = sign;
}

static int compare(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static bool collect_in(working *w, uint32_t key, entry *list) {
    const uint32_t count = w->parts[key].term_count;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) list[i] = (entry){hash_of(w, &w->parts[key].terms[i]), i};
    qsort(list, count, sizeof *list, compare);
    for (uint32_t i = 0, j = 1; j < count; j++) {
        term *a = &w->parts[key].terms[list[i].at], *b = &w->parts[key].terms[list[j].at];
        if (list[i].hash == list[j].hash && a->sign && b->sign && are_alike(w, a, b)) {
            put_together(w, a, b);
            any = true;
        } else {
            i = j;
        }
    }
    return any;
}

// Sums that stand below a bar are left alone: 1/(x - x) stays what it is.
static bool *list_divisors(const working *w) {
    bool *divides = memory_zeros(bool, w->count);
    for (uint32_t k = 0; k < w->count; k++)
        for (uint32_t i = 0; i < w->parts[k].term_count; i++)
            for (uint32_t j = 0; j < w->parts[k].terms[i].count; j++) {
                const factor f = w->parts[k].terms[i].factors[j];
                if (f.power < 0) divides[f.key] = true;
            }
    return divides;
}

bool share_collect(working *w) {
    const uint32_t count = w->count; // numbers that are made meanwhile have no terms
    bool *divides = list_divisors(w), any = false;
    for (uint32_t k = 0; k < count; k++)
        if (w->parts[k].kind == EXPR_SUM && w->parts[k].term_count > 1) open_brackets(w, k);
    uint32_t longest = 1;
    for (uint32_t k = 0; k < count; k++)
        if (w->parts[k].term_count > longest) longest = w->parts[k].term_count;
    entry *list = memory_array(entry, longest);
    for (uint32_t k = 0; k < count; k++)
        if (w->parts[k].kind == EXPR_SUM && w->parts[k].term_count > 1 && !divides[k])
            any = collect_in(w, k, list) || any;
    memory_free(list);
    memory_free(divides);
    return any;
}
