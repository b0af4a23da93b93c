// A file that is whole or not there: see whole_file.h.
#include "base/whole_file.h"

#include "base/descriptor.h"
#include "base/memory.h"

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

// A new file beside the target, with the permissions that new files have
static int open_part(whole_file *w) {
    enum { TRIES = 100 };
    const size_t room = strlen(w->target) + 64;
    int file = -1;
    w->part = memory_array(char, room);
    errno = EEXIST;
    for (int i = 0; i < TRIES && file < 0 && errno == EEXIST; i++) {
        snprintf(w->part, room, "%s.part%ld.%d", w->target, (long)getpid(), i);
        file = open(w->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
    return file;
}

static void forget(whole_file *w) {
    const int why = errno;
    memory_free(w->part), memory_free(w->target);
    *w = (whole_file){0};
    errno = why;
}

// `before`: the file that is replaced; NULL: there is none
static bool write_part(whole_file *w, const struct stat *before, const void *bytes, size_t size) {
    const int file = open_part(w);
    bool good = file >= 0;
    if (!good) return forget(w), false;
    good = !before || fchmod(file, before->st_mode & 07777) == 0;
    good = close_after(file, good && descriptor_write(file, bytes, size));
    if (!good) whole_file_drop(w);
    return good;
}

bool whole_file_begin(whole_file *w, const char *name, const void *bytes, size_t size) {
    struct stat before;
    const bool is_there = stat(name, &before) == 0;
    *w = (whole_file){0};
    if (is_there && S_ISDIR(before.st_mode)) return errno = EISDIR, false;
    // /dev/stdout may be a regular file that others write to as well
    if (is_there && (!S_ISREG(before.st_mode) || strncmp(name, "/dev/", 5) == 0))
        return write_in_place(name, bytes, size);
    if (is_there && access(name, W_OK) != 0) return false;
    char real[PATH_MAX]; // where a link leads
    if (is_there && !realpath(name, real)) return false;
    const char *target = is_there ? real : name;
    w->target = memory_array(char, strlen(target) + 1);
    strcpy(w->target, target);
    return write_part(w, is_there ? &before : NULL, bytes, size);
}

bool whole_file_finish(whole_file *w) {
    if (!w->part) return true; // written in its place
    const bool good = rename(w->part, w->target) == 0;
    if (good) forget(w);
    else whole_file_drop(w);
    return good;
}

void whole_file_drop(whole_file *w) {
    if (!w->part) return;
    const int why = errno;
    unlink(w->part);
    errno = why;
    forget(w);
}

bool whole_file_write(const char *name, const void *bytes, size_t size) {
    whole_file w;
    return whole_file_begin(&w, name, bytes, size) && whole_file_finish(&w);
}
