// The working form of a program while common parts are looked for: sums of
// signed products of powers.
//
// A node is a leaf (symbol, number), a function of other nodes, a root, or a SUM of terms s * a^i
// * b^j * .. with s = +-1; a product is a sum of one term. Coefficients are factors like any
// other: the positive number nodes. What a function, a root or an output refers to carries a
// sign, so that x and -x are one node.
#ifndef HAMEL_EXPR_SHARE_INTERNAL_H
#define HAMEL_EXPR_SHARE_INTERNAL_H

#include "expr/share.h"

typedef struct {
    uint32_t key; // a node
    int32_t power;
} factor;

// sign * product of the factors, which are sorted by key; sign 0: the number
// 0, or a term that has left
typedef struct {
    factor *factors;
    uint32_t count, capacity;
    int sign;
} term;

typedef struct { // sign * node
    uint32_t key;
    int sign;
} link;

typedef struct {
    // SUM: the terms; PRODUCT: the root link[0]^number; others: as in the pool, of the links
    expr_kind kind;
    uint32_t payload; // as in a program
    expr number;      // NUMBER: the value, positive or 0; PRODUCT: the exponent
    expr node;        // of the pool
    term *terms;
    uint32_t term_count, term_capacity;
    link *links;
    uint32_t link_count;
    uint32_t uses, factor_uses; // references by all, by terms to the power +-1
} part;

typedef struct {
    pool *p;
    part *parts;
    uint32_t count, capacity;
    link *outputs;
    uint32_t output_count;
    uint32_t *number_part; // by node of the pool: its NUMBER part + 1
    uint32_t number_capacity;
} working;

// share_terms.c
uint32_t part_create(working *w, expr_kind kind);
uint32_t part_of_number(working *w, expr positive);
void term_times(working *w, term *t, uint32_t key, int32_t power);
void term_append(working *w, uint32_t sum, term t); // takes the term over
term term_copy(const term *t);
int term_compare(const term *a, const term *b); // of the factors; signs do not count

// share_load.c, share_emit.c
working share_load(const program *prog, bool inline_shared);
program *share_emit(const working *w);

// share_tidy.c: dead parts lose their terms, parts that stand for one another become one,
// products used once are taken apart
void share_tidy(working *w);

// share_collect.c: like terms put together; false if there are none. Wants share_tidy() afterwards.
bool share_collect(working *w);

// share_find.c: what could be shared
typedef enum { SHARE_FACTOR, SHARE_TERMS, SHARE_PAIR, SHARE_INVERSE, SHARE_KINDS } share_kind;
typedef struct {
    // share_kind, and then FACTOR: sum, factor, sign; TERMS: two monomials, relative sign; PAIR:
    // a, b, signs of powers; INVERSE: a
    uint32_t key[5];
    uint32_t part, term, other; // one occurrence; TERMS: both terms
    uint32_t weight;            // operations it costs now that the shared part would save
} occurrence;
typedef struct {
    uint32_t start, count; // a run in the sorted list of occurrences
    uint32_t gain;
} group;
typedef struct { // a term of a sum; equal monomials have one number
    const term *of;
    uint32_t part, index;
    uint32_t monomial, uses;
} place;
typedef struct {
    occurrence *list;
    uint32_t count, capacity;
    group *groups; // the ones to carry out: of one kind, the largest gains first
    uint32_t group_count, group_capacity;
    uint32_t least; // gain that a group must still have when its turn comes
    place *places;
    uint32_t place_count;
    uint32_t *weight; // of all occurrences under a hash
    uint32_t mask, heaviest, cutoff;
    uint64_t work; // so far, in all rounds, in occurrences looked at
} share_candidates;
// rank[kind]: of equal gains the higher rank comes first. False if nothing is left to gain.
bool share_find(const working *w, const int *rank, share_candidates *found);
void share_candidates_free(share_candidates *found);

// share_apply.c
void share_apply(working *w, const share_candidates *found);

#endif
