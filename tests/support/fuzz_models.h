// Random models: the motion by every form against that of the second evaluator. Tests call it with
// a seed and a size and look at the count.
#ifndef HAMEL_TESTS_FUZZ_MODELS_H
#define HAMEL_TESTS_FUZZ_MODELS_H

#include "support/random_text.h"

typedef struct {
    uint32_t models;   // that have a motion, as typed
    uint32_t refused;  // no mechanics, no admissible state, singular
    uint32_t compared; // forms compared
    uint32_t wrong;
    uint32_t wide;
} model_count;

// Prints the first few that are wrong, shrunk, with their seeds.
model_count fuzz_models(uint64_t seed, uint32_t cases);

#endif
