// Work in a child process under limits: see fence.h.
#define _GNU_SOURCE // syscall numbers, prctl
#include "base/fence.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/descriptor.h"
#include "base/memory.h"
#include "base/sanitizer.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct fence {
    int to;      // the writing end of the pipe
    int failure; // errno of a call of the system that failed; 0: none did
};

// --- the child -----------------------------------------------------------------------------------

bool fence_send(fence *f, const void *bytes, size_t size) {
    if (descriptor_write(f->to, bytes, size)) return true;
    fence_fail(f, errno);
    return false;
}

void fence_fail(fence *f, int error) { f->failure = error; }

// Calls of the system that reading an open file and thinking about it takes. All others fail with
// EPERM: nothing can be opened, made, removed or connected to. Where the kernel has no such filters
// the limits of the process and the looks at the file itself have to do.
void fence_lock(void) {
#define ALLOW(name)                                                                                \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1),                                         \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
    static const struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW(read),
        ALLOW(pread64),
        ALLOW(write), // to the pipe: files have the limit of 0 bytes
        ALLOW(lseek),
        ALLOW(fstat),
        ALLOW(fcntl),
        ALLOW(flock),
        ALLOW(close),
        ALLOW(mmap),
        ALLOW(munmap),
        ALLOW(mremap),
        ALLOW(mprotect),
        ALLOW(madvise),
        ALLOW(brk),
        ALLOW(futex),
        ALLOW(rt_sigaction),
        ALLOW(rt_sigprocmask),
        ALLOW(rt_sigreturn),
        ALLOW(sigaltstack),
        ALLOW(clock_gettime),
        ALLOW(gettimeofday),
        ALLOW(getrandom),
        ALLOW(getpid),
        ALLOW(gettid),
        ALLOW(tgkill), // abort()
        ALLOW(sched_yield),
        ALLOW(exit),
        ALLOW(exit_group),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
#undef ALLOW
    const struct sock_fprog filter = {sizeof program / sizeof *program,
                                      (struct sock_filter *)(uintptr_t)program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static void limit(int what, rlim_t most) { setrlimit(what, &(struct rlimit){most, most}); }

// Not under AddressSanitizer, whose shadow needs its addresses.
static void limit_memory(uint64_t most) {
#ifdef HAMEL_ASAN
    (void)most;
#else
    // bytes of addresses in use: the child begins with those of its parent
    char line[64] = {0};
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : read(file, line, sizeof line - 1);
    if (file >= 0) close(file);
    const uint64_t pages = got > 0 ? strtoull(line, NULL, 10) : 0;
    limit(RLIMIT_AS, pages * (uint64_t)sysconf(_SC_PAGESIZE) + most);
#endif
}

// How it ends; an error of the system is added to the last of them.
enum { CHILD_DONE, CHILD_REFUSED, CHILD_EXHAUSTED, CHILD_SYSTEM = 100, MOST_ERROR = 150 };

static int status_of(const fence *f, bool good) {
    if (good) return CHILD_DONE;
    return f->failure > 0 && f->failure < MOST_ERROR ? CHILD_SYSTEM + f->failure : CHILD_REFUSED;
}

static void close_files(int but) {
    for (int s = 3; s < 1024; s++)
        if (s != but) close(s);
}

// Libraries print what they do not like; what the caller is told goes through the pipe.
static void be_silent(void) {
#ifndef HAMEL_ASAN // whose words are wanted
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO), close(nowhere);
#endif
}

_Noreturn static void be_child(const fence_job *job, const fence_limits *most, int to,
                               pid_t parent) {
    recovery own; // the calls under way are the parent's
    memory_block blocks;
    memory_ring(&blocks);
    recovery_now = NULL;
    recovery_enter(&own, &blocks, NULL, NULL);
    if (setjmp(own.back)) _exit(CHILD_EXHAUSTED);
    // The parent ends it; it ends with the parent, however that ends; a crash is not caught.
    signal(SIGPIPE, SIG_IGN), signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN);
    signal(SIGSEGV, SIG_DFL), signal(SIGBUS, SIG_DFL), signal(SIGABRT, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(CHILD_REFUSED);
    if (!job->keeps_files) close_files(to), limit(RLIMIT_FSIZE, 0);
    if (most->memory) limit_memory(most->memory);
    if (most->seconds > 0) limit(RLIMIT_CPU, (rlim_t)most->seconds + 1);
    limit(RLIMIT_CORE, 0);
    be_silent();
    fence f = {.to = to};
    const bool good = job->work(&f, job->data);
    _exit(status_of(&f, good));
}

// --- the parent ----------------------------------------------------------------------------------

typedef struct {
    pid_t child;
    int from;     // the reading end of the pipe
    uint64_t got; // bytes that came through it
} running;

enum { LOOK = 50 }; // milliseconds between two looks at a child
static const double ASLEEP = 10;

// Waiting for something other than a disk: state S in /proc/CHILD/stat, "17 (name) S ..."
static bool is_sleeping(pid_t child) {
    char name[64], line[512] = {0};
    snprintf(name, sizeof name, "/proc/%ld/stat", (long)child);
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t got = read(file, line, sizeof line - 1);
    close(file);
    const char *state = got > 0 ? strrchr(line, ')') : NULL;
    return state && strncmp(state, ") S", 3) == 0;
}

// Seconds of the processor that all threads of a child have used
static double processor_seconds(pid_t child) {
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(child, &clock) || clock_gettime(clock, &used)) return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

// Looks in a row that found it sleeping; looks are counted, as a clock goes on while both processes
// are stopped.
typedef struct {
    double used;
    int looks;
} sleeper;

static bool sleeps_on(sleeper *s, pid_t child, double most) {
    const double used = processor_seconds(child);
    s->looks = used == s->used && is_sleeping(child) ? s->looks + 1 : 0;
    s->used = used;
    return s->looks * 1e-3 * LOOK > (most > 0 ? most : ASLEEP);
}

// What comes through the pipe, until its end
static fence_outcome listen_to(running *r, const fence_job *job, const fence_limits *most) {
    const double end = clock_seconds() + most->seconds;
    sleeper asleep = {0};
    for (char block[1 << 16];;) {
        if (budget_flag_is_set(most->interrupted)) return FENCE_INTERRUPTED;
        budget_look();
        if (most->seconds > 0 && clock_seconds() > end) return FENCE_TIME;
        const int ready = poll(&(struct pollfd){.fd = r->from, .events = POLLIN}, 1, LOOK);
        if (ready == 0 && sleeps_on(&asleep, r->child, most->asleep)) return FENCE_ASLEEP;
        if (ready <= 0) continue;
        asleep.looks = 0;
        const ssize_t got = read(r->from, block, sizeof block);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return FENCE_SYSTEM;
        if (got == 0) return FENCE_DONE;
        r->got += (uint64_t)got;
        if (most->output && r->got > most->output) return FENCE_OUTPUT;
        if (!job->take(block, (size_t)got, job->to)) return FENCE_OUTPUT;
    }
}

bool fence_take_text(const void *bytes, size_t size, void *to) {
    text_append_n(to, bytes, size);
    return true;
}

// Also where memory runs out while it is taken
static void put_down(void *what) {
    const running *r = what;
    close(r->from);
    kill(r->child, SIGKILL);
    while (waitpid(r->child, NULL, 0) < 0 && errno == EINTR) continue;
}

static fence_outcome wait_for(pid_t child) {
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) continue;
    if (ended < 0) return FENCE_DONE; // the status went to someone else: what it sent will tell
    if (WIFSIGNALED(status)) return FENCE_DIED;
    const int code = WEXITSTATUS(status);
    const bool is_ours =
        code <= CHILD_EXHAUSTED || (code > CHILD_SYSTEM && code < CHILD_SYSTEM + MOST_ERROR);
    if (!is_ours) return FENCE_DIED; // by exit(), called in a library
    if (code > CHILD_SYSTEM) errno = code - CHILD_SYSTEM;
    return code == CHILD_DONE        ? FENCE_DONE
           : code == CHILD_EXHAUSTED ? FENCE_MEMORY
           : code > CHILD_SYSTEM     ? FENCE_SYSTEM
                                     : FENCE_REFUSED;
}

// Where the process has closed its standard files a pipe would take their places.
static bool open_pipe(int ends[2]) {
    int low[2];
    if (pipe(low)) return false;
    for (int i = 0; i < 2; i++) ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 3);
    const int why = errno;
    close(low[0]), close(low[1]);
    errno = why;
    if (ends[0] >= 0 && ends[1] >= 0) return true;
    if (ends[0] >= 0) close(ends[0]), errno = why;
    return false;
}

// `began`: something came from the child
static fence_outcome run_once(const fence_job *job, const fence_limits *most, bool *began) {
    int ends[2];
    if (!open_pipe(ends)) return FENCE_NONE;
    const pid_t parent = getpid(), child = fork();
    if (child == 0) be_child(job, most, ends[1], parent);
    const int why = errno;
    close(ends[1]);
    running r = {child, ends[0], 0};
    if (child < 0) {
        close(ends[0]);
        errno = why;
        return FENCE_NONE;
    }
    guard open;
    guard_set(&open, put_down, &r);
    const fence_outcome heard = listen_to(&r, job, most);
    guard_lift(&open);
    *began = r.got > 0;
    if (heard) {
        const int failure = errno;
        put_down(&r);
        errno = failure;
        return heard;
    }
    close(r.from);
    return wait_for(child);
}

fence_outcome fence_run(const fence_job *job, const fence_limits *most) {
    enum { TRIES = 3 };
    bool began = false;
    fence_outcome end = run_once(job, most, &began);
    for (int i = 1; i < TRIES && end == FENCE_ASLEEP && !began; i++)
        end = run_once(job, most, &began);
    return end;
}

const char *fence_words(fence_outcome o) {
    switch (o) {
    case FENCE_DONE: return "it was read";
    case FENCE_REFUSED: return "it is not as this program writes it";
    case FENCE_SYSTEM: return strerror(errno);
    case FENCE_DIED: return "reading it failed badly: the file is damaged, or made to do harm";
    case FENCE_MEMORY: return "memory exhausted: reading it takes more than it may";
    case FENCE_TIME: return "reading it took too long";
    case FENCE_ASLEEP: return "the process that does it waits for something that never comes";
    case FENCE_OUTPUT: return "it holds more than the limit of a file of rows";
    case FENCE_INTERRUPTED: return "interrupted";
    case FENCE_NONE: return "no process could be made for it";
    }
    return "";
}
