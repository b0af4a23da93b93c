// Heap memory that is always there: running out of it ends the process, which the
// limits in base/context.h prevent.
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *checked(void *p) {
    if (p) return p;
    fputs("hamel: out of memory\n", stderr);
    abort();
}

static size_t bytes_of(size_t count, size_t size) {
    if (count > SIZE_MAX / size) checked(NULL);
    return count ? count * size : 1;
}

void *memory_unset(size_t count, size_t size) { return checked(malloc(bytes_of(count, size))); }
void *memory_zeroed(size_t count, size_t size) { return checked(calloc(1, bytes_of(count, size))); }
void *memory_resize(void *old, size_t count, size_t size) {
    return checked(realloc(old, bytes_of(count, size)));
}
void memory_free(void *p) { free(p); }
