// Numbers with more digits than a double has, as sums of doubles: each is what the ones before it
// leave, rounded to nearest (Shewchuk 1997). Constants of a model go into long double and quadruple
// programs as such sums, so that no digit is lost on the way through double.
#ifndef HAMEL_EXPR_EXPANSION_H
#define HAMEL_EXPR_EXPANSION_H

#include <arb.h>

enum { EXPANSION_PARTS = 3 }; // 159 bits: more than any floating type here

typedef struct {
    double part[EXPANSION_PARTS];
} expansion;

expansion expansion_of(const arb_t value); // of its midpoint

#endif
