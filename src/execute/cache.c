// Where compiled code is kept between runs.
#include "execute/cache.h"

#include "base/recovery.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LEFT_BEHIND = 3600 }; // seconds after which a folder is taken to be abandoned

// A relative path is to be ignored (XDG Base Directory Specification)
static bool is_set(const char *value) { return value && value[0] == '/'; }

// Only its owner may write there: what lies in it is loaded as code.
static bool is_ours(const char *directory) {
    struct stat is;
    return stat(directory, &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == geteuid() &&
           !(is.st_mode & (S_IWGRP | S_IWOTH));
}

// Could somebody else put another folder into this place? Not where it belongs to us or to root and
// nobody else may write to it, or only to what is his own (/tmp).
static bool is_safe_parent(const char *directory) {
    struct stat is;
    return stat(directory, &is) == 0 && (is.st_uid == geteuid() || is.st_uid == 0) &&
           (!(is.st_mode & (S_IWGRP | S_IWOTH)) || (is.st_mode & S_ISVTX));
}

static bool are_parents_safe(arena *a, const char *directory) {
    char *parent = arena_copy(a, directory, strlen(directory));
    for (char *slash; (slash = strrchr(parent, '/')) && slash > parent;) {
        *slash = '\0';
        if (!is_safe_parent(parent)) return false;
    }
    return is_safe_parent("/");
}

static bool make_directory(const char *name) { return mkdir(name, 0700) == 0 || errno == EEXIST; }

const char *cache_directory(arena *a) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (!is_set(base)) base = is_set(home) ? arena_format(a, "%s/.cache", home) : NULL;
    if (!base) return NULL;
    const char *directory = arena_format(a, "%s/hamel", base);
    make_directory(base);
    make_directory(directory);
    char real[PATH_MAX]; // links are followed once, here
    if (!realpath(directory, real) || !is_ours(real) || !are_parents_safe(a, real)) return NULL;
    return arena_copy(a, real, strlen(real));
}

// --- seals ---------------------------------------------------------------------------------------

// The hash of all but the last `left_out` bytes, which stand in `tail`.
static bool hash_file(FILE *f, size_t left_out, uint8_t digest[SHA256_BYTES], uint8_t *tail) {
    sha256 h;
    sha256_begin(&h);
    if (fseeko(f, 0, SEEK_END) || ftello(f) <= (off_t)left_out) return false;
    size_t left = (size_t)ftello(f) - left_out;
    rewind(f);
    char part[1 << 14];
    while (left) {
        const size_t got = fread(part, 1, left < sizeof part ? left : sizeof part, f);
        if (!got) return false;
        sha256_add(&h, part, got);
        left -= got;
    }
    sha256_end(&h, digest);
    return !left_out || fread(tail, 1, left_out, f) == left_out;
}

bool cache_seal(const char *file) {
    FILE *f = fopen(file, "r+b");
    if (!f) return false;
    uint8_t digest[SHA256_BYTES];
    bool good = hash_file(f, 0, digest, NULL) && fseeko(f, 0, SEEK_END) == 0;
    good = good && fwrite(digest, 1, sizeof digest, f) == sizeof digest;
    return fclose(f) == 0 && good;
}

bool cache_holds(const char *file) {
    FILE *f = fopen(file, "rb");
    if (!f) return false;
    uint8_t digest[SHA256_BYTES], seal[SHA256_BYTES];
    const bool whole =
        hash_file(f, SHA256_BYTES, digest, seal) && memcmp(digest, seal, sizeof seal) == 0;
    fclose(f);
    if (whole) utimensat(AT_FDCWD, file, NULL, 0);
    return whole;
}

// --- size ----------------------------------------------------------------------------------------

typedef struct {
    char *name;
    uint64_t bytes;
    struct timespec used;
} entry;

static int by_use(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return (x->used.tv_sec > y->used.tv_sec) - (x->used.tv_sec < y->used.tv_sec);
    if (x->used.tv_nsec != y->used.tv_nsec)
        return (x->used.tv_nsec > y->used.tv_nsec) - (x->used.tv_nsec < y->used.tv_nsec);
    return strcmp(x->name, y->name);
}

static bool ends_in(const char *name, const char *end) {
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

// The folder of a compilation, build-XXXXXX with its two files.
static void remove_build_folder(arena *a, const char *directory, const char *name) {
    unlink(arena_format(a, "%s/%s/module.c", directory, name));
    unlink(arena_format(a, "%s/%s/module.so", directory, name));
    rmdir(arena_format(a, "%s/%s", directory, name));
}

static void close_directory(void *d) { closedir(d); }

void cache_trim(const char *directory, uint64_t most) {
    DIR *d = opendir(directory);
    if (!d) return;
    guard open;
    guard_set(&open, close_directory, d);
    arena scratch;
    arena_init(&scratch);
    entry *list = NULL;
    uint32_t count = 0, capacity = 0;
    uint64_t total = 0;
    const time_t now = time(NULL);
    for (const struct dirent *at; (at = readdir(d));) {
        struct stat is;
        if (fstatat(dirfd(d), at->d_name, &is, AT_SYMLINK_NOFOLLOW)) continue;
        const bool left_behind = S_ISDIR(is.st_mode) && strncmp(at->d_name, "build-", 6) == 0 &&
                                 now - is.st_mtim.tv_sec > LEFT_BEHIND;
        if (left_behind) remove_build_folder(&scratch, directory, at->d_name);
        if (!S_ISREG(is.st_mode) || !ends_in(at->d_name, ".so")) continue;
        array_reserve(list, count, capacity);
        list[count++] = (entry){arena_copy(&scratch, at->d_name, strlen(at->d_name)),
                                (uint64_t)is.st_size, is.st_mtim};
        total += (uint64_t)is.st_size;
    }
    if (count) qsort(list, count, sizeof *list, by_use);
    for (uint32_t i = 0; i < count && total > most; i++)
        if (unlinkat(dirfd(d), list[i].name, 0) == 0) total -= list[i].bytes;
    guard_lift(&open);
    closedir(d);
    memory_free(list);
    arena_free(&scratch);
}
