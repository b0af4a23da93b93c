// Region allocator: blocks of doubling size in a chain.
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    arena_block *older;
    size_t used, size;
    max_align_t bytes[];
};

enum { FIRST_BLOCK = 1 << 14, LARGEST_BLOCK = 1 << 22 };

void arena_init(arena *a) { *a = (arena){0}; }

void arena_free(arena *a) {
    while (a->newest) {
        arena_block *block = a->newest;
        a->newest = block->older;
        free(block);
    }
    a->total = 0;
}

void *memory_resize(void *old, size_t size) {
    void *p = realloc(old, size ? size : 1);
    if (!p) {
        fputs("hamel: out of memory\n", stderr);
        abort();
    }
    return p;
}

void *arena_alloc(arena *a, size_t size) {
    const size_t unit = sizeof(max_align_t);
    size = (size + unit - 1) / unit * unit;
    arena_block *block = a->newest;
    if (!block || block->size - block->used < size) {
        size_t capacity = block ? 2 * block->size : FIRST_BLOCK;
        if (capacity > LARGEST_BLOCK) capacity = LARGEST_BLOCK;
        if (capacity < size) capacity = size;
        block = memory_resize(NULL, sizeof *block + capacity);
        *block = (arena_block){.older = a->newest, .size = capacity};
        a->newest = block;
    }
    void *p = (char *)block->bytes + block->used;
    block->used += size;
    a->total += size;
    return memset(p, 0, size);
}

char *arena_copy(arena *a, const char *text, size_t length) {
    char *copy = arena_alloc(a, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_format(arena *a, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(a, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
