// Region allocator: objects are carved from blocks and die together with the region.
#ifndef HAMEL_BASE_ARENA_H
#define HAMEL_BASE_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;
typedef struct {
    arena_block *newest;
    size_t total; // bytes handed out so far
} arena;

void arena_init(arena *a);
void arena_free(arena *a);

// Zeroed memory, aligned for any type. Never returns NULL: running out of memory ends the process,
// which the limits in base/context.h are there to prevent.
void *arena_alloc(arena *a, size_t size);
char *arena_copy(arena *a, const char *text, size_t length); // NUL-terminated copy
char *arena_format(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, count) ((type *)arena_alloc((a), sizeof(type) * (size_t)(count)))

// Heap memory for arrays that grow and are released by the file that made them.
void *memory_resize(void *old, size_t size);

// Make room for one more element in a heap array {items, count, capacity}.
#define array_reserve(items, count, capacity)                                                                          \
    do {                                                                                                               \
        if ((count) == (capacity)) {                                                                                   \
            (capacity) = (capacity) ? 2 * (capacity) : 8;                                                              \
            (items) = memory_resize((items), sizeof(*(items)) * (size_t)(capacity));                                   \
        }                                                                                                              \
    } while (0)

#endif
