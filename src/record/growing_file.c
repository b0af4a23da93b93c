// Bytes to the end of a file, all of them or none: see growing_file.h.
#define _GNU_SOURCE // fallocate
#include "record/growing_file.h"

#include "base/clock.h"
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { AHEAD = 1 << 22 }; // bytes of the disk that are taken before they are needed
static const double SECONDS_BETWEEN_SYNCS = 1;

growing_file growing_file_begin(int file, uint64_t length) {
    return (growing_file){.file = file, .length = length, .synced = clock_seconds()};
}

bool growing_file_reserve(growing_file *f) {
    if (f->length + AHEAD / 2 <= f->reserved) return true;
    if (fallocate(f->file, FALLOC_FL_KEEP_SIZE, (off_t)f->length, AHEAD) != 0 && errno == ENOSPC) {
        f->failure = ENOSPC;
        return false;
    }
    f->reserved = f->length + AHEAD; // where this cannot be asked, writing will tell
    return true;
}

bool growing_file_append(growing_file *f, const void *bytes, size_t size, const void *more,
                         size_t more_size) {
    const bool good = descriptor_write_at(f->file, f->length, bytes, size) &&
                      descriptor_write_at(f->file, f->length + size, more, more_size);
    if (good) f->length += size + more_size;
    else f->failure = errno;
    if (!good && ftruncate(f->file, (off_t)f->length) != 0) f->failure = errno; // a sum will tell
    return good;
}

bool growing_file_sync(growing_file *f) {
    const double now = clock_seconds();
    if (now - f->synced <= SECONDS_BETWEEN_SYNCS) return true;
    if (fdatasync(f->file) != 0) f->failure = errno;
    f->synced = now, f->is_long = true;
    return !f->failure;
}
