// A file that is whole or not there: see whole_file.h.
#include "base/whole_file.h"

#include "base/descriptor.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool close_after(int file, bool good) {
    const int why = errno;
    const bool closed = close(file) == 0;
    if (!good) errno = why;
    return good && closed;
}

static bool write_in_place(const char *name, const void *bytes, size_t size) {
    const int file = open(name, O_WRONLY | O_CLOEXEC);
    return file >= 0 && close_after(file, descriptor_write(file, bytes, size));
}

// A new file beside `target`, with the permissions that new files have; its name in `part`.
static int open_part(const char *target, text *part) {
    enum { TRIES = 100 };
    int file = -1;
    errno = EEXIST;
    for (int i = 0; i < TRIES && file < 0 && errno == EEXIST; i++) {
        text_clear(part);
        text_format(part, "%s.part%ld.%d", target, (long)getpid(), i);
        file = open(text_string(part), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
    return file;
}

// `before`: the file that is replaced; NULL: there is none
static bool replace(const char *target, const struct stat *before, const void *bytes, size_t size) {
    text part = {0};
    const int file = open_part(target, &part);
    bool good = file >= 0;
    if (good) {
        good = !before || fchmod(file, before->st_mode & 07777) == 0;
        good = close_after(file, good && descriptor_write(file, bytes, size));
        good = good && rename(text_string(&part), target) == 0;
        const int why = errno;
        if (!good) unlink(text_string(&part)), errno = why;
    }
    const int why = errno;
    text_free(&part);
    errno = why;
    return good;
}

bool whole_file_write(const char *name, const void *bytes, size_t size) {
    struct stat before;
    const bool is_there = stat(name, &before) == 0;
    if (is_there && S_ISDIR(before.st_mode)) return errno = EISDIR, false;
    // /dev/stdout may be a regular file that others write to as well
    if (is_there && (!S_ISREG(before.st_mode) || strncmp(name, "/dev/", 5) == 0))
        return write_in_place(name, bytes, size);
    if (is_there && access(name, W_OK) != 0) return false;
    char target[PATH_MAX]; // where a link leads
    if (is_there && !realpath(name, target)) return false;
    return replace(is_there ? target : name, is_there ? &before : NULL, bytes, size);
}
