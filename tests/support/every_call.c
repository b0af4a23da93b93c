// Strange models through every call of the library, a batch of them in each of several processes.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "support/every_call.h"

#include "support/model_calls.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 50, SAID = 3000 }; // cases a process; bytes kept of what it says

typedef struct {
    pid_t pid;
    call_progress *p; // shared with the process
    char folder[100]; // its own
    FILE *said;       // its standard error
} worker;

static void start(worker *w, uint64_t seed) {
    w->said = tmpfile();
    fflush(stdout), fflush(stderr);
    w->pid = fork();
    if (w->pid) return;
    if (w->said) dup2(fileno(w->said), STDERR_FILENO);
    for (; w->p->at < w->p->end; w->p->at++)
        model_calls(case_seed(seed, w->p->at), w->folder, w->p);
    exit(0); // by exit: leaks are looked for
}

static void tell(const worker *w, uint64_t seed, int status) {
    char said[SAID + 1] = "";
    const bool alive = w->p->at < w->p->end;
    if (w->said) {
        rewind(w->said);
        said[fread(said, 1, SAID, w->said)] = '\0';
    }
    const int by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    fprintf(stderr, "case %u of seed %llu, in %s: %s %d\n%s\n", w->p->at, (unsigned long long)seed,
            w->p->call,
            by == SIGPROF || by == SIGALRM ? "it does not end; signal"
            : by                           ? "signal"
                                           : "status",
            by ? by : WEXITSTATUS(status), said);
    if (!alive) return; // what is wrong was found after the last case: a leak
    fprintf(stderr, "----\n%s----\n", w->p->text);
}

static void clear(const char *folder) {
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
    if (system(command)) fprintf(stderr, "%s stays\n", folder);
}

call_count every_call(uint64_t seed, uint32_t from, uint32_t cases, unsigned processes) {
    call_count count = {0};
    worker workers[64] = {{0}};
    uint32_t next = from, running = 0;
    const uint32_t end = from + cases;
    if (processes > 64) processes = 64;
    for (unsigned i = 0; i < processes; i++) {
        worker *w = &workers[i];
        w->p = mmap(NULL, sizeof *w->p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        snprintf(w->folder, sizeof w->folder, "/tmp/hamel-calls-XXXXXX");
        if (w->p == MAP_FAILED || !mkdtemp(w->folder)) return (call_count){.failed = cases};
    }
    while ((next < end && run_has_time()) || running) {
        for (unsigned i = 0; i < processes; i++) {
            worker *w = &workers[i];
            if (w->pid) continue;
            if (w->p->at >= w->p->end && next < end && run_has_time()) {
                w->p->at = next;
                next = w->p->end = next + BATCH < end ? next + BATCH : end;
            }
            if (w->p->at < w->p->end) start(w, seed), running++;
        }
        if (!running) break;
        int status;
        const pid_t ended = wait(&status);
        for (unsigned i = 0; i < processes; i++) {
            worker *w = &workers[i];
            if (w->pid != ended) continue;
            if (status) count.failed++, tell(w, seed, status), w->p->at++;
            if (w->said) fclose(w->said);
            w->pid = 0, running--;
            clear(w->folder);
        }
    }
    count.tried = next - from;
    for (unsigned i = 0; i < processes; i++) {
        count.parsed += workers[i].p->parsed;
        count.sound += workers[i].p->sound;
        count.calls += workers[i].p->calls;
        rmdir(workers[i].folder);
        munmap(workers[i].p, sizeof *workers[i].p);
    }
    return count;
}
