// What could be shared, and what it would gain: every occurrence is listed, equal
// ones are grouped by sorting.
//
//   FACTOR   a*b + a*c + ..  = a*(b + c) + ..    one multiplication for each term but one
//   TERMS    two terms together in several sums, up to sign                      one addition for
//            each sum but one
//   PAIR     two factors together in several terms, a*a among them               one multiplication
//            for each term but one
//   INVERSE  1/a in several terms with nothing above the bar                     one division for
//            each term but one
#include "expr/pool_internal.h"
#include "expr/share_internal.h"

#include <stdlib.h>

enum {
    LONGEST_TERM = 40,
    LONGEST_SUM = 200,    // of which pairs of terms are listed; halved ..
    MOST_PAIRS = 2500000, // .. while there are more of them than this
    MANY = 30000,         // occurrences, from which on a round takes half the largest gain, too
    LARGEST_TABLE = 1 << 18,
    FACTOR_WORK = 8 // occurrences that take the time share_tidy() takes for a factor
};

// Multiplications to raise to e by repeated squaring.
static uint32_t power_cost(uint32_t e) {
    uint32_t cost = 0;
    for (; e > 1; e /= 2) cost += 1 + (e & 1);
    return cost;
}

// Without a cutoff the occurrence is only weighed, under a hash of its key; with one it is
// listed if all of its hash weigh as much.
static inline void note(share_candidates *found, occurrence o) {
    const uint64_t x = o.key[1] | (uint64_t)o.key[2] << 32,
                   y = o.key[0] | o.key[3] << 4 | o.key[4] << 5;
    const uint64_t h = (x ^ y * 0xbf58476d1ce4e5b9u) * 0x9e3779b97f4a7c15u;
    uint32_t *weight = &found->weight[(h >> 32) & found->mask];
    if (!found->cutoff) {
        *weight += o.weight;
        found->heaviest = *weight > found->heaviest ? *weight : found->heaviest;
    } else if (*weight >= found->cutoff) {
        array_reserve(found->list, found->count, found->capacity);
        found->list[found->count++] = o;
    }
}

// --- factors and pairs of factors ----------------------------------------------------------------

static uint32_t sign_code(int32_t power) { return power < 0 ? 1 : 0; }

static uint32_t pair_weight(factor a, factor b) {
    const uint32_t i = (uint32_t)abs(a.power), j = (uint32_t)abs(b.power);
    return 1 + power_cost(i < j ? i : j);
}

// a*b and 1/(a*b) are one pair; a/b and b/a are two.
static void note_pairs(share_candidates *found, const term *t, uint32_t part, uint32_t index) {
    for (uint32_t i = 0; i < t->count; i++) {
        const factor a = t->factors[i];
        if (abs(a.power) > 1)
            note(found, (occurrence){{SHARE_PAIR, a.key, a.key, 0, 0}, part, index, 0, 1});
        for (uint32_t j = i + 1; j < t->count; j++) {
            const factor b = t->factors[j];
            uint32_t sa = sign_code(a.power), sb = sign_code(b.power);
            if (sa && sb) sa = sb = 0;
            note(found, (occurrence){
                            {SHARE_PAIR, a.key, b.key, sa, sb}, part, index, 0, pair_weight(a, b)});
        }
    }
}

static void note_inverses(const working *w, share_candidates *found, const term *t, uint32_t part,
                          uint32_t index) {
    for (uint32_t i = 0; i < t->count; i++)
        if (t->factors[i].power > 0 && w->parts[t->factors[i].key].kind != EXPR_NUMBER) return;
    for (uint32_t i = 0; i < t->count; i++)
        if (t->factors[i].power < 0)
            note(found,
                 (occurrence){{SHARE_INVERSE, t->factors[i].key, 0, 0, 0}, part, index, 0, 1});
}

static void note_factors(share_candidates *found, const term *t, uint32_t part, uint32_t index) {
    // leaves a 1 behind: nothing is saved
    if (t->count == 1 && abs(t->factors[0].power) == 1) return;
    for (uint32_t i = 0; i < t->count; i++) {
        const factor f = t->factors[i];
        note(found,
             (occurrence){{SHARE_FACTOR, part, f.key, sign_code(f.power), 0}, part, index, 0, 1});
    }
}

// --- pairs of terms ------------------------------------------------------------------------------

static uint64_t hash_term(const term *t) {
    uint64_t h = t->count;
    for (uint32_t i = 0; i < t->count; i++)
        h = (h ^ t->factors[i].key ^ (uint64_t)(uint32_t)t->factors[i].power << 32) *
                0x9e3779b97f4a7c15u ^
            (h >> 29);
    return h;
}

// Equal monomials get the number of the first one.
static void number_monomials(place *places, uint32_t count) {
    uint32_t size = 16;
    while (size < 2 * count) size *= 2;
    uint32_t *slot = memory_zeros(uint32_t, size);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (uint32_t)(hash_term(places[i].of) >> 32) & (size - 1);
        while (slot[at] && term_compare(places[slot[at] - 1].of, places[i].of) != 0)
            at = (at + 1) & (size - 1);
        if (!slot[at]) slot[at] = i + 1;
        places[i].monomial = slot[at] - 1;
        places[places[i].monomial].uses++;
    }
    memory_free(slot);
}

// The terms of sums up to a length whose monomials occur more than once; in each sum in the order
// of their content, as share_tidy() left them.
static place *list_places(const working *w, uint32_t longest, uint32_t *count) {
    place *places = NULL;
    uint32_t n = 0, capacity = 0, kept = 0;
    for (uint32_t k = 0; k < w->count; k++) {
        const part *s = &w->parts[k];
        for (uint32_t i = 0; i < s->term_count && s->term_count > 1 && s->term_count <= longest;
             i++) {
            array_reserve(places, n, capacity);
            places[n++] = (place){.of = &s->terms[i], .part = k, .index = i};
        }
    }
    number_monomials(places, n);
    for (uint32_t i = 0; i < n; i++) places[i].uses = places[places[i].monomial].uses;
    for (uint32_t i = 0; i < n; i++)
        if (places[i].uses > 1) places[kept++] = places[i];
    *count = kept;
    return places;
}

static void note_terms(share_candidates *found) {
    for (uint32_t i = 0; i < found->place_count; i++)
        for (uint32_t j = i + 1;
             j < found->place_count && found->places[j].part == found->places[i].part; j++) {
            const place a = found->places[i], b = found->places[j];
            note(found,
                 (occurrence){{SHARE_TERMS, a.monomial, b.monomial, a.of->sign != b.of->sign, 0},
                              a.part,
                              a.index,
                              b.index,
                              1});
        }
}

// --- groups --------------------------------------------------------------------------------------

static int compare_occurrences(const void *a, const void *b) {
    const occurrence *x = a, *y = b;
    for (int i = 0; i < 5; i++)
        if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? -1 : 1;
    if (x->part != y->part) return x->part < y->part ? -1 : 1;
    return (x->term > y->term) - (x->term < y->term);
}

static bool same_key(const occurrence *a, const occurrence *b) {
    for (int i = 0; i < 5; i++)
        if (a->key[i] != b->key[i]) return false;
    return true;
}

static int compare_groups(const void *a, const void *b) {
    const group *x = a, *y = b;
    if (x->gain != y->gain) return x->gain > y->gain ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

static void list_groups(share_candidates *found) {
    if (found->count) qsort(found->list, found->count, sizeof(occurrence), compare_occurrences);
    found->group_count = 0;
    for (uint32_t i = 0, j; i < found->count; i = j) {
        uint32_t weight = found->list[i].weight;
        for (j = i + 1; j < found->count && same_key(&found->list[i], &found->list[j]); j++)
            weight += found->list[j].weight;
        if (weight < 2) continue;
        array_reserve(found->groups, found->group_count, found->group_capacity);
        found->groups[found->group_count++] = (group){i, j - i, weight - 1};
    }
}

// All occurrences, weighed or listed.
static void note_all(const working *w, share_candidates *found) {
    found->count = 0;
    for (uint32_t k = 0; k < w->count; k++) {
        const part *n = &w->parts[k];
        for (uint32_t i = 0; i < n->term_count; i++) {
            if (n->terms[i].count > LONGEST_TERM) continue;
            note_pairs(found, &n->terms[i], k, i);
            note_inverses(w, found, &n->terms[i], k, i);
            if (n->term_count > 1) note_factors(found, &n->terms[i], k, i);
        }
    }
    note_terms(found);
    if (found->cutoff) list_groups(found);
}

static uint64_t pairs_of_terms(const share_candidates *found) {
    uint64_t total = 0;
    for (uint32_t i = 0, j; i < found->place_count; i = j) {
        for (j = i; j < found->place_count && found->places[j].part == found->places[i].part; j++) {
        }
        total += (uint64_t)(j - i) * (j - i) / 2;
    }
    return total;
}

// About how many occurrences there are.
static uint32_t estimate(const working *w, share_candidates *found) {
    uint64_t total = pairs_of_terms(found);
    for (uint32_t k = 0; k < w->count; k++)
        for (uint32_t i = 0; i < w->parts[k].term_count; i++) {
            const uint64_t n = w->parts[k].terms[i].count;
            total += n > LONGEST_TERM ? 0 : n * (n + 3) / 2;
            found->work += FACTOR_WORK * n;
        }
    found->work += total;
    return total < UINT32_MAX / 8 ? (uint32_t)total : UINT32_MAX / 8;
}

static void weigh(const working *w, share_candidates *found, uint32_t about) {
    uint32_t size = 256;
    while (size < 4 * about && size < LARGEST_TABLE) size *= 2;
    memory_free(found->weight);
    found->weight = memory_zeros(uint32_t, size);
    found->mask = size - 1;
    found->cutoff = found->heaviest = 0;
    note_all(w, found);
}

// The kind with the largest gain.
static uint32_t best_kind(const share_candidates *found, const int *rank, uint32_t *gain) {
    uint32_t kind = 0;
    *gain = 0;
    for (uint32_t i = 0; i < found->group_count; i++) {
        const group g = found->groups[i];
        const uint32_t k = found->list[g.start].key[0];
        if (g.gain > *gain || (g.gain == *gain && rank[k] > rank[kind])) *gain = g.gain, kind = k;
    }
    return kind;
}

// The occurrences of one hash weigh at least as much as each key among them: what is listed with a
// cutoff at or below the best weight found has no better one beside it.
bool share_find(const working *w, const int *rank, share_candidates *found) {
    uint32_t longest = LONGEST_SUM;
    do {
        memory_free(found->places);
        found->places = list_places(w, longest, &found->place_count);
        longest /= 2;
    } while (pairs_of_terms(found) > MOST_PAIRS);
    const uint32_t about = estimate(w, found);
    weigh(w, found, about);
    found->group_count = 0;
    const bool many = about > MANY;
    uint32_t best = 0, kind = 0;
    for (found->cutoff = many ? found->heaviest / 2 + 1 : found->heaviest; found->cutoff > 1;) {
        note_all(w, found);
        kind = best_kind(found, rank, &best);
        if (best + 1 >= found->cutoff || found->cutoff == 2) break;
        const uint32_t half = found->cutoff / 2 > 2 ? found->cutoff / 2 : 2;
        found->cutoff = best && !many ? best + 1 : half;
    }
    if (!best) return false;
    found->least = many ? found->cutoff - 1 : best;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < found->group_count; i++)
        if (found->groups[i].gain >= found->least &&
            found->list[found->groups[i].start].key[0] == kind)
            found->groups[kept++] = found->groups[i];
    found->group_count = kept;
    qsort(found->groups, kept, sizeof(group), compare_groups);
    return true;
}

void share_candidates_free(share_candidates *found) {
    memory_free(found->list);
    memory_free(found->groups);
    memory_free(found->places);
    memory_free(found->weight);
}
