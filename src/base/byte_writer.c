// Bytes to a file.
#include "base/byte_writer.h"

#include <stdio.h>

static int write_file(const void *bytes, size_t size, void *data) {
    return fwrite(bytes, 1, size, data) == size && fflush(data) == 0;
}
static bool close_file(void *data) { return fclose(data) == 0; }

bool byte_writer_open(const char *file, byte_writer *out) {
    FILE *f = fopen(file, "wb");
    if (f) *out = (byte_writer){write_file, close_file, f};
    return f != NULL;
}
