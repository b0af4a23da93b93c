// Files by their descriptors: whole reads and writes, whatever the system calls in between, and a
// guard that closes one where memory runs out. What fails sets errno.
#ifndef HAMEL_BASE_DESCRIPTOR_H
#define HAMEL_BASE_DESCRIPTOR_H

#include "base/recovery.h"

#include <stddef.h>
#include <stdint.h>

bool descriptor_write(int file, const void *bytes, size_t size); // where it stands
int descriptor_take(const void *bytes, size_t size, void *file); // the same, for a byte_writer
bool descriptor_write_at(int file, uint64_t at, const void *bytes, size_t size);
bool descriptor_read_at(int file, uint64_t at, void *bytes, size_t size); // false also at its end

// A file of this process alone, in memory; negative if there can be none.
int descriptor_in_memory(void);

void descriptor_guard(guard *g, int file); // a negative one is nothing to guard
void descriptor_close(guard *g, int file); // with its guard

#endif
