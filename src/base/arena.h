// Region allocator: objects are carved from blocks and die together with the region. Everything a
// call makes through a context lives in the context's arena and is never freed one by one; what is
// large and short-lived goes to base/memory.h instead.
#ifndef HAMEL_BASE_ARENA_H
#define HAMEL_BASE_ARENA_H

#include "base/memory.h"

#include <stddef.h>

typedef struct arena_block arena_block;
typedef struct {
    arena_block *newest;
    size_t total; // bytes handed out so far
} arena;

void arena_init(arena *a);
void arena_free(arena *a);
void arena_disown(arena *a);    // its blocks leave the ring of the context (base/recovery.h)
void arena_hand_over(arena *a); // .. to the caller of the call that ends

// For work that is done again and again: what was taken since the mark is given back. Nothing that
// is kept may lie behind it.
typedef struct {
    arena_block *block;
    size_t used, total;
} arena_mark;
arena_mark arena_here(const arena *a);
void arena_back_to(arena *a, arena_mark mark);

// Zeroed memory, aligned for any type; never NULL.
void *arena_alloc(arena *a, size_t size) __attribute__((returns_nonnull));
char *arena_copy(arena *a, const char *text, size_t length)
    __attribute__((returns_nonnull)); // NUL-terminated copy
char *arena_format(arena *a, const char *format, ...)
    __attribute__((returns_nonnull, format(printf, 2, 3)));

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, count) ((type *)arena_alloc((a), sizeof(type) * (size_t)(count)))

#endif
