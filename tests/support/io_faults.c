// Calls of the system that fail on request, put in front of those of the C library by LD_PRELOAD.
//
//   HAMEL_FAULT=CALL:K:ERROR        the K-th call of this kind fails with ERROR (EIO, ENOSPC, ..);
//                                   ERROR "short": half of the bytes are written or read;
//                                   ERROR "gone": before it, the folder `sub` becomes `sub.gone`
//   HAMEL_FAULT=CALL:K:ERROR:on     .. and every later one
//   HAMEL_FAULT=disk:BYTES:ENOSPC   the disk has room for so many bytes more: files grow and space
//                                   is reserved up to there, what is reserved can be written
//   HAMEL_FAULT_COUNTS=FILE         at the end, one line for each kind of call: its name and number
//
// Counts go on in children that are forked; programs that are started have none of this. Streams
// of stdio are made of the same calls (fopencookie), so that these can fail too.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// --- what is to fail -----------------------------------------------------------------------------

typedef enum {
    OPEN,
    READ,
    WRITE,
    PREAD,
    PWRITE,
    CLOSE,
    SYNC,
    RENAME,
    TRUNCATE,
    RESERVE,
    MMAP,
    MKDIR,
    CHMOD,
    PIPE,
    FORK,
    MEMORY,
    KINDS
} call_kind;
static const char *const NAMES[KINDS] = {
    "open",     "read",    "write", "pread", "pwrite", "close", "sync", "rename",
    "truncate", "reserve", "mmap",  "mkdir", "chmod",  "pipe",  "fork", "memory"};
static const struct {
    const char *name;
    int number;
} ERRORS[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EINTR", EINTR},   {"EMFILE", EMFILE},
              {"EACCES", EACCES}, {"EDQUOT", EDQUOT}, {"EAGAIN", EAGAIN}, {"ENOMEM", ENOMEM},
              {"short", 0},       {"gone", -1}};

enum { FILES = 1024 };
typedef struct {
    long count[KINDS];
    uint64_t taken; // bytes of the disk
} shared_counts;

static struct {
    int kind; // -1: none; KINDS: the disk
    long at;
    int error;
    bool on;
    uint64_t room;
    shared_counts *now;
    uint64_t extent[FILES]; // of open files: bytes written or reserved
} fault = {.kind = -1};

// The K-th call, or one after it
static bool is_due(call_kind k) {
    if (!fault.now) return false;
    const long count = __atomic_add_fetch(&fault.now->count[k], 1, __ATOMIC_RELAXED);
    const bool due = (int)k == fault.kind && (fault.on ? count >= fault.at : count == fault.at);
    if (!due || fault.error >= 0) return due;
    const int before = errno;
    renameat(AT_FDCWD, "sub", AT_FDCWD, "sub.gone"); // it goes on as if nothing had happened
    errno = before;
    return false;
}

static bool fails(call_kind k) {
    if (!is_due(k) || !fault.error) return false;
    errno = fault.error;
    return true;
}

// Files in memory have no name, and never fail.
static bool is_in_memory(int file) {
    struct stat s;
    return fstat(file, &s) == 0 && S_ISREG(s.st_mode) && s.st_nlink == 0;
}

// How many bytes of a call that moves some; 0 after setting errno
static size_t allowed(call_kind k, int file, size_t size) {
    if (is_in_memory(file) || !is_due(k)) return size;
    if (!fault.error) return size > 1 ? size / 2 : size;
    errno = fault.error;
    return 0;
}

// --- a disk of limited size ----------------------------------------------------------------------

static bool is_on_disk(int file) {
    struct stat s;
    return fault.kind == KINDS && file >= 0 && file < FILES && fstat(file, &s) == 0 &&
           S_ISREG(s.st_mode) && s.st_nlink > 0;
}

// Bytes of a file up to `end` that the disk has room for, from `begin`; 0 after setting errno
static size_t room_for(int file, uint64_t begin, size_t size) {
    if (!is_on_disk(file)) return size;
    const uint64_t end = begin + size, extent = fault.extent[file];
    if (end <= extent) return size;
    const uint64_t more = end - extent, left = fault.room - fault.now->taken;
    const uint64_t given = more < left ? more : left;
    fault.now->taken += given;
    fault.extent[file] = extent + given;
    if (extent + given > begin) return (size_t)(extent + given - begin);
    errno = ENOSPC;
    return 0;
}

// --- the calls -----------------------------------------------------------------------------------

#define NEXT(result, name, ...)                                                                    \
    static result (*real_##name)(__VA_ARGS__);                                                     \
    if (!real_##name) real_##name = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static int opened(int file) {
    struct stat s;
    if (file >= 0 && file < FILES)
        fault.extent[file] = fstat(file, &s) == 0 ? (uint64_t)s.st_size : 0;
    return file;
}

static int open_file(const char *name, int flags, mode_t mode) {
    NEXT(int, open, const char *, int, ...);
    return fails(OPEN) ? -1 : opened(real_open(name, flags, mode));
}

#define MODE_OF(flags)                                                                             \
    mode_t mode = 0;                                                                               \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                         \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode = va_arg(more, mode_t);                                                               \
        va_end(more);                                                                              \
    }

int open(const char *name, int flags, ...) {
    MODE_OF(flags)
    return open_file(name, flags, mode);
}
int open64(const char *name, int flags, ...) {
    MODE_OF(flags)
    return open_file(name, flags, mode);
}
int memfd_create(const char *name, unsigned flags) {
    NEXT(int, memfd_create, const char *, unsigned);
    return fails(OPEN) ? -1 : real_memfd_create(name, flags);
}

ssize_t read(int file, void *to, size_t size) {
    NEXT(ssize_t, read, int, void *, size_t);
    const size_t most = allowed(READ, file, size);
    return size && !most ? -1 : real_read(file, to, most);
}
ssize_t pread(int file, void *to, size_t size, off_t at) {
    NEXT(ssize_t, pread, int, void *, size_t, off_t);
    const size_t most = allowed(PREAD, file, size);
    return size && !most ? -1 : real_pread(file, to, most, at);
}
ssize_t pread64(int file, void *to, size_t size, off_t at) { return pread(file, to, size, at); }

ssize_t write(int file, const void *bytes, size_t size) {
    NEXT(ssize_t, write, int, const void *, size_t);
    size_t most = allowed(WRITE, file, size);
    const off_t at = fault.kind == KINDS ? lseek(file, 0, SEEK_CUR) : 0;
    if (most && at >= 0) most = room_for(file, (uint64_t)at, most);
    return size && !most ? -1 : real_write(file, bytes, most);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
    NEXT(ssize_t, pwrite, int, const void *, size_t, off_t);
    size_t most = allowed(PWRITE, file, size);
    if (most) most = room_for(file, (uint64_t)at, most);
    return size && !most ? -1 : real_pwrite(file, bytes, most, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off_t at) {
    return pwrite(file, bytes, size, at);
}

// A file that could not be closed is closed (Linux), but what was written may be lost.
int close(int file) {
    NEXT(int, close, int);
    const bool due = !is_in_memory(file) && fails(CLOSE);
    const int error = errno, done = real_close(file);
    if (due) errno = error;
    return due ? -1 : done;
}
int fsync(int file) {
    NEXT(int, fsync, int);
    return fails(SYNC) ? -1 : real_fsync(file);
}
int fdatasync(int file) {
    NEXT(int, fdatasync, int);
    return fails(SYNC) ? -1 : real_fdatasync(file);
}
int rename(const char *from, const char *to) {
    NEXT(int, rename, const char *, const char *);
    return fails(RENAME) ? -1 : real_rename(from, to);
}
int ftruncate(int file, off_t size) {
    NEXT(int, ftruncate, int, off_t);
    if (!is_in_memory(file) && fails(TRUNCATE)) return -1;
    if (is_on_disk(file) && (uint64_t)size < fault.extent[file]) {
        fault.now->taken -= fault.extent[file] - (uint64_t)size;
        fault.extent[file] = (uint64_t)size;
    }
    return real_ftruncate(file, size);
}
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
int fallocate(int file, int mode, off_t at, off_t size) {
    NEXT(int, fallocate, int, int, off_t, off_t);
    if (fails(RESERVE)) return -1;
    const uint64_t end = (uint64_t)at + (uint64_t)size;
    if (is_on_disk(file) && end > fault.extent[file]) {
        const uint64_t more = end - fault.extent[file];
        if (fault.now->taken + more > fault.room) {
            errno = ENOSPC;
            return -1;
        }
        fault.now->taken += more, fault.extent[file] = end;
    }
    return real_fallocate(file, mode, at, size);
}
int fallocate64(int file, int mode, off_t at, off_t size) {
    return fallocate(file, mode, at, size);
}
void *mmap(void *where, size_t size, int can, int flags, int file, off_t at) {
    NEXT(void *, mmap, void *, size_t, int, int, int, off_t);
    return fails(MMAP) ? MAP_FAILED : real_mmap(where, size, can, flags, file, at);
}
int mkdir(const char *name, mode_t mode) {
    NEXT(int, mkdir, const char *, mode_t);
    return fails(MKDIR) ? -1 : real_mkdir(name, mode);
}
char *mkdtemp(char *pattern) {
    NEXT(char *, mkdtemp, char *);
    return fails(MKDIR) ? NULL : real_mkdtemp(pattern);
}
int chmod(const char *name, mode_t mode) {
    NEXT(int, chmod, const char *, mode_t);
    return fails(CHMOD) ? -1 : real_chmod(name, mode);
}
int pipe(int ends[2]) {
    NEXT(int, pipe, int[2]);
    return fails(PIPE) ? -1 : real_pipe(ends);
}
pid_t fork(void) {
    NEXT(pid_t, fork, void);
    return fails(FORK) ? -1 : real_fork();
}

// --- memory --------------------------------------------------------------------------------------

#ifdef HAMEL_SANITIZE // behind this heap is that of AddressSanitizer, which looks for leaks
#define HEAP(name) __interceptor_##name
#else
#define HEAP(name) __libc_##name
#endif
void *HEAP(malloc)(size_t size);
void *HEAP(calloc)(size_t count, size_t size);
void *HEAP(realloc)(void *old, size_t size);

void *malloc(size_t size) { return fails(MEMORY) ? NULL : HEAP(malloc)(size); }
void *calloc(size_t count, size_t size) { return fails(MEMORY) ? NULL : HEAP(calloc)(count, size); }
void *realloc(void *old, size_t size) { return fails(MEMORY) ? NULL : HEAP(realloc)(old, size); }

// --- streams -------------------------------------------------------------------------------------

// As the C library does it: short writes are written to their end, other failures are final.
static ssize_t write_stream(void *data, const char *bytes, size_t size) {
    size_t done = 0;
    while (done < size) {
        const ssize_t sent = write((int)(intptr_t)data, bytes + done, size - done);
        if (sent <= 0) break;
        done += (size_t)sent;
    }
    return (ssize_t)done;
}
static ssize_t read_stream(void *data, char *to, size_t size) {
    return read((int)(intptr_t)data, to, size);
}
static int seek_stream(void *data, off_t *at, int from) {
    const off_t there = lseek((int)(intptr_t)data, *at, from);
    if (there >= 0) *at = there;
    return there < 0 ? -1 : 0;
}
static int close_stream(void *data) { return close((int)(intptr_t)data); }

static FILE *make_stream(int file, const char *how) {
    const cookie_io_functions_t calls = {read_stream, write_stream, seek_stream, close_stream};
    return fopencookie((void *)(intptr_t)file, how, calls);
}

FILE *fopen(const char *name, const char *how) {
    int flags = strchr(how, '+') ? O_RDWR : *how == 'r' ? O_RDONLY : O_WRONLY;
    if (*how != 'r') flags |= O_CREAT | (*how == 'w' ? O_TRUNC : O_APPEND);
    if (strchr(how, 'x')) flags |= O_EXCL;
    const int file = open_file(name, flags, 0666);
    FILE *stream = file < 0 ? NULL : make_stream(file, how);
    if (stream || file < 0) return stream;
    if (flags & O_EXCL) unlink(name); // the C library takes its memory first
    close(file);
    errno = ENOMEM;
    return NULL;
}
FILE *fopen64(const char *name, const char *how) { return fopen(name, how); }

// --- the beginning and the end -------------------------------------------------------------------

static void read_request(const char *request) {
    char kind[16] = "", error[16] = "", on[8] = "";
    unsigned long long at = 0;
    if (sscanf(request, "%15[^:]:%llu:%15[^:]:%7s", kind, &at, error, on) < 3) abort();
    fault.at = (long)at, fault.room = at, fault.on = strcmp(on, "on") == 0;
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kind, NAMES[k]) == 0) fault.kind = k;
    if (strcmp(kind, "disk") == 0) fault.kind = KINDS;
    size_t i = 0;
    while (i < sizeof ERRORS / sizeof *ERRORS && strcmp(error, ERRORS[i].name) != 0) i++;
    if (fault.kind < 0 || i == sizeof ERRORS / sizeof *ERRORS) abort(); // the test is wrong
    fault.error = ERRORS[i].number;
}

__attribute__((constructor)) static void begin(void) {
    const char *request = getenv("HAMEL_FAULT");
    shared_counts *now =
        mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (now == MAP_FAILED) abort();
    if (request) read_request(request);
    stdout = make_stream(1, "w");
    unsetenv("LD_PRELOAD");
    fault.now = now;
}

__attribute__((destructor)) static void end(void) {
    const char *file = getenv("HAMEL_FAULT_COUNTS");
    const shared_counts *now = fault.now;
    fflush(stdout);
    fault.now = NULL, fault.kind = -1;
    FILE *f = file ? fopen(file, "w") : NULL;
    for (int k = 0; k < KINDS && f; k++) fprintf(f, "%s %ld\n", NAMES[k], now->count[k]);
    if (f) fclose(f);
}
