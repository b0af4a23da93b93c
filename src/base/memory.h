// Heap memory for what lives shorter than a context or grows: taken here, given back with
// memory_free() by the file that took it. No call returns NULL, so callers have no error path.
// Counts are of elements, and 0 of them have an address too.
#ifndef HAMEL_BASE_MEMORY_H
#define HAMEL_BASE_MEMORY_H

#include <stddef.h>

// one object, zeroed
#define memory_new(type) ((type *)memory_zeroed(1, sizeof(type)))
// contents undefined
#define memory_array(type, count) ((type *)memory_unset((size_t)(count), sizeof(type)))
#define memory_zeros(type, count) ((type *)memory_zeroed((size_t)(count), sizeof(type)))
#define memory_grow(items, count)                                                                  \
    ((items) = memory_resize((items), (size_t)(count), sizeof *(items)))
void memory_free(void *p); // NULL is nothing

// Behind the macros.
void *memory_unset(size_t count, size_t size);
void *memory_zeroed(size_t count, size_t size);
void *memory_resize(void *old, size_t count, size_t size);

// Room for one more element in an array {items, count, capacity}.
#define array_reserve(items, count, capacity)                                                      \
    do {                                                                                           \
        if ((count) == (capacity)) {                                                               \
            (capacity) = (capacity) ? 2 * (capacity) : 8;                                          \
            memory_grow((items), (capacity));                                                      \
        }                                                                                          \
    } while (0)

#endif
