// C sources as a shared object that leaves this machine: the binary of an FMU. Sources are written
// into a folder of their own, compiled there by the system's compiler, and removed again; runs use
// module.h instead, which keeps what it made.
#ifndef HAMEL_EXECUTE_SHARED_OBJECT_H
#define HAMEL_EXECUTE_SHARED_OBJECT_H

#include "base/context.h"

typedef struct {
    const char *name; // of a file, without a folder
    const text *content;
} source_text;

// The first of the sources is given to the compiler, and includes the others. False: `*error` says
// why not; what the compiler said stands in it.
bool shared_object_make(context *ctx, uint32_t count, const source_text *source,
                        const char *libraries, text *out, const char **error);

#endif
