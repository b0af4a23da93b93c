// Matrices as polynomials in a few symbols: M(v) = sum over e of v^e M_e, each M_e in balls.
//
// The coefficient of s^k is (1/k!) d^k/ds^k at s = 0 of the exact matrices, and that they are
// polynomials is no guess: the next derivative is 0 for all values of the symbols.
#ifndef HAMEL_STUDY_SPLIT_H
#define HAMEL_STUDY_SPLIT_H

#include "study/exact_linear.h"

enum { SPLIT_MATRICES = 3 }; // M, C, K

typedef struct {
    uint32_t *exponent; // of each symbol
    grid part[SPLIT_MATRICES];
    bool has[SPLIT_MATRICES]; // it is not 0
} split_term;

typedef struct {
    const char *refusal; // NULL: split
    uint32_t symbols;
    const expr *symbol;
    LIST(split_term, terms);
} split;

split split_create(const exact_linear *e, const model *m, uint32_t symbols, const expr *symbol);
void split_free(split *s);

#endif
