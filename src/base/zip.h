// A zip archive in memory, deflated. Begin with {0}, add files, end; the bytes are in `out`. Equal
// files give equal bytes: every entry is of 1980.
#ifndef HAMEL_BASE_ZIP_H
#define HAMEL_BASE_ZIP_H

#include "base/text.h"

typedef struct {
    text out, directory;
    uint32_t count;
} zip;

// False where an archive without 64-bit fields has no room for it.
bool zip_add(zip *z, const char *name, const void *bytes, size_t size, bool is_program);
// The directory, and a comment behind it. False: too large.
bool zip_end(zip *z, const char *comment);
void zip_free(zip *z);

#endif
