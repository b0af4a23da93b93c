// Where compiled code is kept between runs: one file for each content, named by its
// hash, sealed by a hash of itself.
//
// A file comes into being under another name and is renamed, so that no process sees half of one; a
// file whose seal is broken is none. The longest unused go first when there are too many bytes.
#ifndef HAMEL_EXECUTE_CACHE_H
#define HAMEL_EXECUTE_CACHE_H

#include "base/arena.h"
#include "base/sha256.h"

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_BYTES = 200 << 20 };

// $XDG_CACHE_HOME/hamel or ~/.cache/hamel, made if it is not there. NULL where it cannot
// be, or where others could put code, there or in place of a folder above it.
const char *cache_directory(arena *a);

// Appends the hash of what is in the file.
bool cache_seal(const char *file);
// Is the seal there and right? Marks the entry as used.
bool cache_holds(const char *file);
// Removes the longest unused entries until `most` bytes are left, and what an interrupted
// process left behind an hour ago or more.
void cache_trim(const char *directory, uint64_t most);

#endif
