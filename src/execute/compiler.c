// The system's C compiler: found, told apart from others, run.
#include "execute/compiler.h"

#include "base/budget.h"
#include "base/processor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MESSAGES_KEPT = 8192 };

// No fused products, no functions of constants evaluated by the compiler with other digits than
// libm's: compiled code gives what the interpreter gives. Its symbols can be found,
// whatever $CC says.
static const char FLAGS[] = "-O2 -std=c11 -fPIC -shared -pipe -w -fvisibility=default "
                            "-ffp-contract=off -frounding-math -fno-math-errno "
                            "-fno-tree-slp-vectorize"; // of long straight lines it makes slow ones

// The words are part of the identity: code for one processor is not taken on another. Of AVX-512
// come the registers, not the width: a series of a dozen products takes 0.9 of the time.
static const char *flags_of_processor(void) {
#ifdef __x86_64__
    if (processor_has_many_registers())
        return "-mavx2 -mfma -mavx512vl -mavx512dq -mprefer-vector-width=256";
    if (processor_fuses()) return "-mavx2 -mfma";
#endif
    return "";
}

static uint32_t cut(arena *a, const char *words, const char **out) {
    uint32_t count = 0;
    for (words += strspn(words, " \t\n"); *words; words += strspn(words, " \t\n")) {
        const size_t length = strcspn(words, " \t\n");
        if (out) out[count] = arena_copy(a, words, length);
        count++, words += length;
    }
    return count;
}

static bool is_program(const char *file) {
    struct stat is;
    return stat(file, &is) == 0 && S_ISREG(is.st_mode) && access(file, X_OK) == 0;
}

// As execvp looks: in the directories of PATH unless the name has a slash.
static const char *look_up(arena *a, const char *name) {
    if (strchr(name, '/')) return is_program(name) ? name : NULL;
    const char *path = getenv("PATH");
    for (path = path ? path : "/usr/bin:/bin"; path;
         path = strchr(path, ':') ? strchr(path, ':') + 1 : NULL) {
        const int length = (int)strcspn(path, ":");
        const char *file = length ? arena_format(a, "%.*s/%s", length, path, name) : name;
        if (is_program(file)) return file;
    }
    return NULL;
}

static const char *identify(arena *a, const compiler *c) {
    struct stat is;
    struct utsname machine;
    if (stat(c->path, &is) || uname(&machine) < 0) return NULL;
    char real[PATH_MAX];
    const bool found = realpath(c->path, real) != NULL;
    text all = {0};
    text_format(&all, "%s %s %lld %lld.%09ld", machine.machine, found ? real : c->path,
                (long long)is.st_size, (long long)is.st_mtim.tv_sec, (long)is.st_mtim.tv_nsec);
    for (uint32_t i = 0; i < c->word_count; i++) text_format(&all, " %s", c->word[i]);
    const char *identity = arena_copy(a, text_string(&all), all.length);
    text_free(&all);
    return identity;
}

static const char FLAGS_OF_CUDA[] = "-x cu -O3 -std=c++17 -arch=native -shared -Xcompiler -fPIC "
                                    "-cudart static";

// The program that the variable names, or the usual one
static bool find(arena *a, const char *variable, const char *usual, const char *processor,
                 const char *flags, compiler *out) {
    const char *chosen = getenv(variable);
    if (!chosen || !cut(a, chosen, NULL)) chosen = usual;
    const char *parts[] = {chosen, processor, flags};
    uint32_t most = 0;
    for (int i = 0; i < 3; i++) most += cut(a, parts[i], NULL);
    *out = (compiler){.word = arena_array(a, const char *, most)};
    for (int i = 0; i < 3; i++) out->word_count += cut(a, parts[i], out->word + out->word_count);
    out->path = look_up(a, out->word[0]);
    out->identity = out->path ? identify(a, out) : NULL;
    return out->identity != NULL;
}

bool compiler_find(arena *a, compiler *out) {
    return find(a, "CC", "cc", flags_of_processor(), FLAGS, out);
}
bool compiler_find_portable(arena *a, compiler *out) { return find(a, "CC", "cc", "", FLAGS, out); }
bool compiler_find_cuda(arena *a, compiler *out) {
    return find(a, "NVCC", "nvcc", "", FLAGS_OF_CUDA, out);
}

// All that is written to the pipe; the first part of it is kept, and its length returned. The call
// of the library can be interrupted while it waits.
static size_t listen_to(int from, char kept[MESSAGES_KEPT]) {
    enum { LOOK = 50 }; // milliseconds between two looks at the budget
    char more[1024];
    size_t length = 0;
    for (;;) {
        budget_look();
        if (poll(&(struct pollfd){.fd = from, .events = POLLIN}, 1, LOOK) <= 0) continue;
        const bool full = length == MESSAGES_KEPT;
        const ssize_t got = full ? read(from, more, sizeof more)
                                 : read(from, kept + length, MESSAGES_KEPT - length);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        if (!full) length += (size_t)got;
    }
    return length;
}

// Where the status belongs to someone else (SIGCHLD ignored), what it made will tell.
static compiler_outcome wait_for(pid_t child) {
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) continue;
    if (ended < 0) return errno == ECHILD ? COMPILER_DONE : COMPILER_FAILED;
    if (WIFSIGNALED(status)) return COMPILER_KILLED;
    return WEXITSTATUS(status) == 0 ? COMPILER_DONE : COMPILER_FAILED;
}

typedef struct {
    pid_t child;
    int from;
} running;

static void put_down(void *what) {
    const running *r = what;
    kill(r->child, SIGTERM); // it removes what it made, and ends its passes
    close(r->from);
    wait_for(r->child);
}

static compiler_outcome run_and_listen(arena *a, const char *path, char *const *word,
                                       const char **messages) {
    int ends[2];
    if (pipe(ends)) {
        *messages = arena_format(a, "no pipe: %s", strerror(errno));
        return COMPILER_FAILED;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC), fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    pid_t child;
    const int failure = posix_spawn(&child, path, &actions, NULL, word, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char kept[MESSAGES_KEPT]; // no memory is asked for before the child has ended
    size_t length = 0;
    if (!failure) {
        running r = {child, ends[0]};
        guard open;
        guard_set(&open, put_down, &r);
        length = listen_to(ends[0], kept);
        guard_lift(&open);
    }
    close(ends[0]);
    const compiler_outcome outcome = failure ? COMPILER_FAILED : wait_for(child);
    *messages =
        failure ? arena_format(a, "%s: %s", path, strerror(failure)) : arena_copy(a, kept, length);
    return outcome;
}

compiler_outcome compiler_run(arena *a, const compiler *c, const char *source_file,
                              const char *libraries, const char *module_file,
                              const char **messages) {
    const uint32_t library_count = cut(a, libraries, NULL);
    const char **word = arena_array(a, const char *, c->word_count + library_count + 4);
    memcpy(word, c->word, sizeof *word * c->word_count);
    uint32_t n = c->word_count;
    word[n++] = source_file, word[n++] = "-o", word[n++] = module_file;
    // behind the source, where the linker looks for missing symbols; NULL ends the list
    cut(a, libraries, word + n);
    struct stat made;
    const compiler_outcome outcome = run_and_listen(a, c->path, (char *const *)word, messages);
    return outcome                                             ? outcome
           : stat(module_file, &made) == 0 && made.st_size > 0 ? COMPILER_DONE
                                                               : COMPILER_FAILED;
}
