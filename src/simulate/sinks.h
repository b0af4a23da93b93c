// Where rows can go.
#ifndef HAMEL_SIMULATE_SINKS_H
#define HAMEL_SIMULATE_SINKS_H

#include "simulate/run.h"

// Bytes to a file or to a callback. write() returns 0 when it could not.
typedef struct {
    int (*write)(const void *bytes, size_t size, void *data);
    bool (*close)(void *data); // NULL: nothing to close
    void *data;
} byte_writer;

bool open_file_writer(const char *name, byte_writer *out); // false: it cannot be opened

// Each returns NULL when it could not begin. sink->finish() closes and frees it.
sink *sink_csv(const simulation *s, byte_writer to);

#endif
