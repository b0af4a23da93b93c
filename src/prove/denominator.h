// Denominators as products of known factors, for the bounds of degrees: equal ones are stored once.
// Begin, join or multiply what is to be taken together, finish; a denominator lives until the store
// is emptied or freed.
#ifndef HAMEL_PROVE_DENOMINATOR_H
#define HAMEL_PROVE_DENOMINATOR_H

#include "base/arena.h"
#include "base/list.h"
#include "expr/expr.h"

// factor^exponent; the key is a node, for sin and cos the node of the angle, behind all nodes the
// leading minors of the systems that were eliminated
typedef struct {
    expr key;
    float exponent; // there are many: rounded up where it has more than 24 bits
} factor;

typedef struct {
    double degree;
    uint64_t hash;
    uint32_t count;
    factor factors[]; // sorted by key
} denominator;

typedef struct {
    const double *weight; // degree of a factor, by key
    arena arena;
    const denominator **slots; // open addressing, NULL where empty
    uint32_t slot_count, count;
    LIST(factor, product);   // under construction
    LIST(factor, merged);    // where the next one is put together
    const denominator *last; // that was joined
} denominator_store;

void denominator_store_init(denominator_store *d, const double *weight);
void denominator_store_empty(denominator_store *d);
void denominator_store_free(denominator_store *d);

// NULL stands for 1 in all of these.
void denominator_begin(denominator_store *d);
void denominator_join(denominator_store *d, const denominator *t); // least common multiple
void denominator_multiply(denominator_store *d, const denominator *t, double times); // by t^times
void denominator_multiply_factor(denominator_store *d, expr key, double exponent);
const denominator *denominator_finish(denominator_store *d);

static inline double denominator_degree(const denominator *t) { return t ? t->degree : 0; }

#endif
