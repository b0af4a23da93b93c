// The flag of a distribution: what brackets of its directions span, length by length. Make it for
// the free directions, then with the drift; its dimensions are the growth vector that `check`
// prints.
#ifndef HAMEL_ANALYSE_FLAG_H
#define HAMEL_ANALYSE_FLAG_H

#include "analyse/bracket_values.h"

// Nodes that the brackets of a flag may add to the pool
enum { MOST_LEVELS = 12, MOST_NEW_NODES = 150000 };

typedef struct {
    // A basis of what is reached, the generators first. As expressions: NULL until
    // flag_write_out(). How each was made, by its index; NULL: field holds them from the beginning
    expr *field;
    const bracket *made;
    uint32_t count, generators;
    uint32_t rank[MOST_LEVELS], levels; // dimension of the span of brackets of length 1, 2, ..
    bool complete;                      // closed under brackets, or all of the space
} flag;

// At a generic point: the first `generators` directions and their brackets, until nothing new
// appears or `full` dimensions are reached.
flag flag_generic(const directions *d, uint32_t generators, uint32_t full);

// The fields as expressions; false if they are too long.
bool flag_write_out(const directions *d, flag *f);

// The flag of the directions together with the drift, which is last among them: d/dt alone where
// nothing moves, and then nothing new appears, and the fields are expressions if those of `without`
// are.
flag flag_with_drift(const directions *d, const flag *without);

// The same dimensions at the initial state, from all brackets and not only from those that count
// generically. `generic` is flag_generic() of the same generators. Each dimension is proved from
// both sides: a regular minor by its enclosure in Arb, a drop by the exact values of the
// coordinates (or by the generic rank). levels == 0 if the state is not known, or
// the brackets are too long to be written out; not complete if a
// dimension is not decided.
flag flag_at_initial_state(const directions *d, uint32_t generators, const flag *generic);

bool flag_same_growth(const flag *a, const flag *b); // the same dimensions, length by length?

#endif
