// Bytes to a file.
#include "base/byte_writer.h"

#include "base/memory.h"
#include "base/recovery.h"

#include <errno.h>
#include <stdio.h>

typedef struct {
    FILE *f;
    guard open;
} open_file;

static int write_file(const void *bytes, size_t size, void *data) {
    FILE *f = ((open_file *)data)->f;
    return fwrite(bytes, 1, size, f) == size && fflush(f) == 0;
}

static bool close_file(void *data) {
    open_file *o = data;
    guard_lift(&o->open);
    const bool good = fclose(o->f) == 0;
    const int why = errno;
    memory_free(o);
    errno = why;
    return good;
}

bool byte_writer_open(const char *file, byte_writer *out) {
    open_file *o = memory_new(open_file);
    o->f = fopen(file, "wb");
    if (o->f) {
        guard_file(&o->open, o->f);
        *out = (byte_writer){write_file, close_file, o};
        return true;
    }
    const int why = errno;
    memory_free(o);
    if (why == ENOMEM && recovery_now) recovery_jump(RECOVERY_NO_MEMORY);
    errno = why;
    return false;
}
