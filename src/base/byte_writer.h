// Bytes on their way to a file or to a caller. A writer of results takes one of these and does not
// ask which; the caller that opened a file closes it.
#ifndef HAMEL_BASE_BYTE_WRITER_H
#define HAMEL_BASE_BYTE_WRITER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int (*write)(const void *bytes, size_t size, void *data); // 0 when it could not
    bool (*close)(void *data);                                // NULL: nothing to close
    void *data;
} byte_writer;

bool byte_writer_open(const char *file, byte_writer *out); // false, errno says why: *out stays

#endif
