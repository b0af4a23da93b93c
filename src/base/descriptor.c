// Whole reads and writes of descriptors: see descriptor.h.
#define _GNU_SOURCE // memfd_create
#include "base/descriptor.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

// Where a call of the system moved only a part, or was interrupted, the rest is asked for again.
static bool go_on(ssize_t moved) {
    if (moved > 0 || (moved < 0 && errno == EINTR)) return true;
    if (moved == 0) errno = ENOSPC;
    return false;
}

bool descriptor_write(int file, const void *bytes, size_t size) {
    for (const char *next = bytes; size;) {
        const ssize_t moved = write(file, next, size);
        if (!go_on(moved)) return false;
        if (moved > 0) next += moved, size -= (size_t)moved;
    }
    return true;
}

int descriptor_take(const void *bytes, size_t size, void *file) {
    return descriptor_write(*(int *)file, bytes, size);
}

bool descriptor_write_at(int file, uint64_t at, const void *bytes, size_t size) {
    for (const char *next = bytes; size;) {
        const ssize_t moved = pwrite(file, next, size, (off_t)at);
        if (!go_on(moved)) return false;
        if (moved > 0) next += moved, at += (uint64_t)moved, size -= (size_t)moved;
    }
    return true;
}

bool descriptor_read_at(int file, uint64_t at, void *bytes, size_t size) {
    for (char *next = bytes; size;) {
        const ssize_t moved = pread(file, next, size, (off_t)at);
        if (moved == 0) errno = EIO; // it was longer before
        if (moved == 0 || !go_on(moved)) return false;
        if (moved > 0) next += moved, at += (uint64_t)moved, size -= (size_t)moved;
    }
    return true;
}

int descriptor_in_memory(void) { return memfd_create("hamel", MFD_CLOEXEC); }

static void close_descriptor(void *what) { close((int)(intptr_t)what); }

void descriptor_guard(guard *g, int file) {
    if (file >= 0) guard_set(g, close_descriptor, (void *)(intptr_t)file);
}

void descriptor_close(guard *g, int file) {
    if (file < 0) return;
    guard_lift(g);
    close(file);
}
