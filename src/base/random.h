// Random numbers that are the same everywhere and in every run. A stream is a 64-bit number that
// the caller keeps and seeds: from context.seed for everything that a model decides.
#ifndef HAMEL_BASE_RANDOM_H
#define HAMEL_BASE_RANDOM_H

#include <stdint.h>

uint64_t random_next(uint64_t *state); // splitmix64

#endif
