// Region allocator: blocks of doubling size in a chain; under AddressSanitizer what is
// not handed out may not be touched.
#include "base/arena.h"

#include "base/sanitizer.h"
#include "base/text.h"

#include <string.h>

#ifdef HAMEL_ASAN
#include <sanitizer/asan_interface.h>
enum { RED_ZONE = 64 }; // bytes between two objects, and after the last of a block
#define forbid(start, size) ASAN_POISON_MEMORY_REGION((start), (size))
#define allow(start, size) ASAN_UNPOISON_MEMORY_REGION((start), (size))
#else
enum { RED_ZONE = 0 };
#define forbid(start, size) ((void)(start))
#define allow(start, size) ((void)(start))
#endif

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
        memory_free(block);
    }
    a->total = 0;
}

arena_mark arena_here(const arena *a) {
    return (arena_mark){a->newest, a->newest ? a->newest->used : 0, a->total};
}

void arena_back_to(arena *a, arena_mark mark) {
    while (a->newest != mark.block) {
        arena_block *block = a->newest;
        a->newest = block->older;
        memory_free(block);
    }
    if (mark.block) {
        forbid((char *)mark.block->bytes + mark.used, mark.block->used - mark.used);
        mark.block->used = mark.used;
    }
    a->total = mark.total;
}

void arena_disown(arena *a) {
    for (arena_block *b = a->newest; b; b = b->older) memory_disown(b);
}

void arena_hand_over(arena *a) {
    for (arena_block *b = a->newest; b; b = b->older) memory_hand_over(b);
}

void *arena_alloc(arena *a, size_t size) {
    const size_t unit = sizeof(max_align_t);
    const size_t rounded = (size + unit - 1) / unit * unit, room = rounded + RED_ZONE;
    arena_block *block = a->newest;
    if (!block || block->size - block->used < room) {
        size_t capacity = block ? 2 * block->size : FIRST_BLOCK;
        if (capacity > LARGEST_BLOCK) capacity = LARGEST_BLOCK;
        if (capacity < room) capacity = room;
        block = memory_unset(1, sizeof *block + capacity);
        *block = (arena_block){.older = a->newest, .size = capacity};
        forbid(block->bytes, capacity);
        a->newest = block;
    }
    void *p = (char *)block->bytes + block->used;
    block->used += room;
    a->total += rounded;
    allow(p, size);
    return memset(p, 0, size);
}

char *arena_copy(arena *a, const char *text, size_t length) {
    char *copy = arena_alloc(a, length + 1);
    if (length) memcpy(copy, text, length); // a text of no length may be NULL
    return copy;
}

char *arena_format(arena *a, const char *format, ...) {
    text t = {0};
    va_list args;
    va_start(args, format);
    text_format_list(&t, format, args);
    va_end(args);
    char *copy = arena_copy(a, text_string(&t), t.length);
    text_free(&t);
    return copy;
}
