// Hash table from names to small integers, with the nearest known name for a misspelt one. The
// scope of a model, the registry of forms and the commands use it; names_nearest() finds what "did
// you mean" suggests.
#ifndef HAMEL_BASE_NAMES_H
#define HAMEL_BASE_NAMES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *name;
    uint32_t value;
} names_entry;

typedef struct {
    names_entry *slots; // open addressing, linear probing
    uint32_t count, capacity;
} names;

void names_free(names *table);
// false if the name is already there (kept as it was)
bool names_put(names *table, const char *name, uint32_t value);
const uint32_t *names_get(const names *table, const char *name);

// Damerau-Levenshtein distance, capped: anything above `cap` is reported as cap + 1.
unsigned names_distance(const char *a, const char *b, unsigned cap);
// The entry nearest to `name`: the same in other capitals, or at most a third of its letters away
// (one for short names); ties by the longer common beginning, then by alphabet; NULL if none.
// `best` carries over between tables.
const char *names_nearest(const names *table, const char *name, const char *best);

uint32_t names_hash_bytes(const void *bytes, size_t length, uint32_t seed);

#endif
