// Random expressions, evaluated by the pool and by the second evaluator at random states. Tests
// call it with a seed and a size and look at the count; a wrong one can be run again by its seed.
#ifndef HAMEL_TESTS_FUZZ_EXPRESSIONS_H
#define HAMEL_TESTS_FUZZ_EXPRESSIONS_H

#include "support/random_text.h"

typedef struct {
    uint32_t cases;
    uint32_t agree;    // both have sharp values, and they meet
    uint32_t wrong;    // they exclude one another
    uint32_t extended; // the pool has a value where what was typed has none
    uint32_t lost;     // what was typed has a sharp value, and the pool has none
    uint32_t unknown;  // too wide, outside every domain, refused by the parser
} fuzz_count;

// Prints the first few that are wrong, shrunk, with their seeds.
fuzz_count fuzz_expressions(uint64_t seed, uint32_t cases);

#endif
