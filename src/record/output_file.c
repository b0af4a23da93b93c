// Names, lock and appearance of the file that a run makes: see output_file.h.
#define _GNU_SOURCE // realpath
#include "record/output_file.h"

#include "base/recovery.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// --- names and locks -----------------------------------------------------------------------------

static char *joined(const char *a, const char *b) {
    text t = {0};
    text_format(&t, "%s%s", a, b);
    return text_release(&t);
}

output_file output_file_find(const char *name) {
    struct stat s;
    char real[PATH_MAX];
    const bool leads = lstat(name, &s) == 0 && S_ISLNK(s.st_mode) && realpath(name, real);
    const char *target = leads ? real : name;
    const output_file f = {joined(target, ""), joined(target, JOURNAL_SUFFIX),
                           joined(target, JOURNAL_SUFFIX ".part")};
    return f;
}

void output_file_free(output_file *f) {
    memory_free(f->target), memory_free(f->journal), memory_free(f->part);
}

static bool is_same_file(int file, const char *name) {
    struct stat a, b;
    return fstat(file, &a) == 0 && lstat(name, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

// A run that ends removes its journal before it lets go of the lock, so the file that was locked
// may be gone from its name by then. Where a run was killed while its child process wrote the file
// (fence.h), the lock is free when the child is dead, too: a moment later.
int output_file_lock(const output_file *f, bool create, text *why) {
    enum { WAIT = 10, MOST_WAITS = 200 }; // milliseconds; how often
    const char *name = f->journal;
    for (int waits = 0;;) {
        const int file = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (create ? O_CREAT : 0), 0666);
        struct stat s;
        if (file < 0) {
            text_append(why, strerror(errno));
            return -1;
        }
        const bool locked =
            fstat(file, &s) == 0 && S_ISREG(s.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0;
        const bool taken = !locked && errno == EWOULDBLOCK;
        const char *fault =
            taken ? "another run is writing it" : "its journal is no file that can be locked";
        if (locked && is_same_file(file, name)) return file;
        close(file);
        if (taken && waits++ < MOST_WAITS) {
            poll(NULL, 0, WAIT);
        } else if (!locked) {
            text_append(why, fault);
            return -1;
        }
    }
}

bool output_file_has_journal(const output_file *f) {
    struct stat s;
    return lstat(f->journal, &s) == 0 && !(S_ISREG(s.st_mode) && s.st_size == 0);
}

// --- the file that was asked for -----------------------------------------------------------------

static bool sync_file(const char *name, bool folder) {
    char *copy = joined(name, "");
    const int file = open(folder ? dirname(copy) : copy, O_RDONLY | O_CLOEXEC);
    const bool good = file >= 0 && fsync(file) == 0;
    if (file >= 0) close(file);
    memory_free(copy);
    return good;
}

// FILE.part takes the name of FILE, with the permissions of one that was there. A run of a second
// that replaces nothing can be had again, and does not wait for the disk.
static bool rename_part(const output_file *f, bool quick, text *why) {
    struct stat before;
    const bool replaces = stat(f->target, &before) == 0;
    if (replaces && !S_ISREG(before.st_mode)) {
        text_append(why, "it is there, and no regular file");
        return false;
    }
    bool good = !replaces || chmod(f->part, before.st_mode & 07777) == 0;
    good = good && ((quick && !replaces) || sync_file(f->part, false));
    good = good && rename(f->part, f->target) == 0;
    if (!good) text_append(why, strerror(errno));
    if (good && !quick) sync_file(f->target, true);
    return good;
}

// What becomes of FILE.part where memory runs out
static void remove_part(void *name) { unlink(name); }

bool output_file_make(const output_file *f, const output_maker *m, bool quick, text *why) {
    guard unfinished;
    unlink(f->part); // of a run that was killed: the lock is ours
    guard_set(&unfinished, remove_part, f->part);
    const bool good = m->write(m->data, f->part, why) && rename_part(f, quick, why);
    guard_lift(&unfinished);
    if (!good) unlink(f->part);
    return good;
}

typedef struct {
    const sink_kind *kind;
    const recording *from;
} record_order;

static bool write_record(const void *data, const char *file, text *why) {
    const record_order *o = data;
    return o->kind->write(o->from, file, why);
}

bool output_file_publish(const output_file *f, const sink_kind *kind, const recording *r,
                         bool quick, text *why) {
    const record_order order = {kind, r};
    const bool good = output_file_make(f, &(output_maker){write_record, &order}, quick, why);
    if (good) unlink(f->journal);
    return good;
}
