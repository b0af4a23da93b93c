// Dimensions that are not known yet: products of powers of unknown ones, solved for as equations
// come in. dim_agree(a, b) is Gaussian elimination, one equation at a time: the exponents of the
// unknowns are linear in it. What cannot be kept exactly is `lost`, and fits everything.
#ifndef HAMEL_PARSE_DIMENSION_TERMS_H
#define HAMEL_PARSE_DIMENSION_TERMS_H

#include "base/context.h"
#include "model/dimension.h"

typedef struct { // one unknown, and its exponent
    uint32_t unknown;
    exponent times;
} dim_part;

typedef struct { // known * unknown^times * ..
    bool any;    // the number 0: of every dimension
    bool lost;   // not known, and not asked about
    dimension known;
    uint32_t count;
    const dim_part *parts; // by unknown
} dim;

typedef struct { // an unknown dimension
    const char *name;
    bool solved, noted; // noted: a message has said where it comes from
    dim value;          // of unknowns that came before it
    span at;            // what solved it
} dim_unknown;

typedef struct { // the unknown dimensions of one model
    arena *arena;
    dim_unknown *unknown;
    uint32_t count, capacity;
} dim_table;

static inline dim dim_of(dimension d) { return (dim){.known = d}; }
static inline dim dim_none(void) { return (dim){.any = false}; }
static inline dim dim_any(void) { return (dim){.any = true}; }
static inline dim dim_lost(void) { return (dim){.lost = true}; }
dim dim_new(dim_table *t, const char *name); // a new unknown
void dim_free(dim_table *t);

dim dim_times(dim_table *t, dim a, dim b, exponent times); // a * b^times
dim dim_settle(dim_table *t, dim a);                       // with what is known of its unknowns
// Makes them equal where that can be; `at`: what asks for it. False: they differ.
bool dim_agree(dim_table *t, dim a, dim b, span at);
const char *dim_words(dim_table *t, dim a); // "a length [m]"

#endif
