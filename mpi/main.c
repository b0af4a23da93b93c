// hamel-mpi: sweeps over the ranks of an MPI job, with the options of `hamel sweep`.
//
// Rank 0 reads the options and opens the output before the others begin, so that what is wrong is
// said once. Every rank reads the model for itself; that it is the same is looked at.
#include "interrupts.h"
#include "ranks.h"
#include "session.h"
#include "shared_options.h"
#include "sweep_options.h"

#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const char USAGE[] =
    "usage: mpirun -n N hamel-mpi sweep MODEL ..\n"
    "  = the options are those of `hamel sweep`; --threads counts in each rank, 1 without it\n";

// One rank, from its first option to its result
typedef struct {
    int rank, size;
    arguments arguments;
    session session;
    sweep_options options;
    hamel_sweep_job *job;
    volatile int stop;
} member;

// Rank 0 says it to all.
static int agreed(int status) {
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status;
}

// --- the same everywhere -------------------------------------------------------------------------

// FNV-1a
static unsigned long long stir(unsigned long long hash, const char *words) {
    for (; words && *words; words++) hash = (hash ^ (unsigned char)*words) * 1099511628211ull;
    return hash;
}

static unsigned long long fingerprint(const member *m) {
    unsigned long long hash = 14695981039346656037ull;
    char *said = NULL, number[32];
    hamel_model_describe(m->session.model, HAMEL_JSON, &said);
    hash = stir(stir(hash, said), hamel_version());
    hamel_free(said);
    for (hamel_sweep_kind kind = HAMEL_SWEEP_RUNS; kind <= HAMEL_SWEEP_COLLECTED; kind++) {
        snprintf(number, sizeof number, "%llu", hamel_sweep_count(m->job, kind));
        hash = stir(hash, number);
    }
    return stir(hash, hamel_sweep_name(m->job, HAMEL_SWEEP_CHUNKS, 0));
}

// What rank 0 says of a rank that cannot take part
static int judge_ranks(const member *m, const unsigned long long *print, const int *status) {
    for (int i = 0; i < m->size; i++) {
        if (status[i]) {
            fprintf(stderr, "hamel-mpi: error: rank %d could not begin\n", i);
            return status[i];
        }
        if (print[i] == print[0]) continue;
        fprintf(stderr,
                "hamel-mpi: error: rank %d reads another model than rank 0, or is another version "
                "of hamel, or its processor computes otherwise\n",
                i);
        return HAMEL_USAGE;
    }
    return HAMEL_OK;
}

static int compare_ranks(const member *m, int status) {
    unsigned long long own = status ? 0 : fingerprint(m), *print = NULL;
    int *statuses = NULL;
    if (!m->rank) {
        print = malloc(sizeof *print * (size_t)m->size);
        statuses = malloc(sizeof *statuses * (size_t)m->size);
        if (!print || !statuses) MPI_Abort(MPI_COMM_WORLD, HAMEL_LIMIT);
    }
    MPI_Gather(&own, 1, MPI_UNSIGNED_LONG_LONG, print, 1, MPI_UNSIGNED_LONG_LONG, 0,
               MPI_COMM_WORLD);
    MPI_Gather(&status, 1, MPI_INT, statuses, 1, MPI_INT, 0, MPI_COMM_WORLD);
    const int found = agreed(m->rank ? 0 : judge_ranks(m, print, statuses));
    free(print), free(statuses);
    return found;
}

// --- beginning -----------------------------------------------------------------------------------

// Without what rank 0 alone makes
static hamel_sweep computes_only(const hamel_sweep *asked) {
    hamel_sweep own = *asked;
    own.output = "", own.resume = 0, own.keep = 0, own.figure = NULL;
    return own;
}

static int prepare(member *m) {
    sweep_options *o = &m->options;
    int status = sweep_options_read(&m->arguments, o);
    if (status || !session_open(&m->arguments, &m->session, &status)) return status;
    if (m->rank) o->asked = computes_only(&o->asked);
    if (!o->asked.threads) o->asked.threads = 1;
    o->run.interrupted = &m->stop;
    status = hamel_sweep_prepare(m->session.model, &o->asked, &o->run, o->asked.threads, &m->job);
    if (!status) return HAMEL_OK;
    status = session_finish(&m->arguments, &m->session, (hamel_status)status, NULL);
    return status;
}

static void release(member *m) {
    hamel_sweep_free(m->job);
    hamel_context_destroy(m->session.ctx);
}

// --- the sweep -----------------------------------------------------------------------------------

// Beside the result, which has standard output
static int tell_outcome(ranks_outcome found, int broken, double seconds) {
    static const char GO_ON[] = "  = the same with --resume goes on\n";
    switch (found) {
    case RANKS_DONE: return HAMEL_OK;
    case RANKS_NOT_KEPT: return HAMEL_NUMERICS; // the context has said it
    case RANKS_INTERRUPTED:
        fprintf(stderr, "hamel-mpi: error: interrupted\n%s", GO_ON);
        return HAMEL_NUMERICS;
    case RANKS_LATE:
        fprintf(stderr, "hamel-mpi: error: limit reached: time (at most %g s)\n%s", seconds, GO_ON);
        return HAMEL_LIMIT;
    case RANKS_BROKEN: break;
    }
    fprintf(stderr,
            "hamel-mpi: error: rank %d could not go on: there is no memory for its runs\n%s",
            broken, GO_ON);
    return HAMEL_LIMIT;
}

static int lead(member *m, const ranks_work *work, double seconds) {
    int broken = 0;
    char *result = NULL;
    const ranks_outcome found = ranks_lead(work, &broken);
    m->stop = 0; // runs that are kept in full may go on
    const hamel_status written = hamel_sweep_finish(m->job, given_format(&m->arguments), &result);
    interrupts_leave();
    fputs(result ? result : "", m->options.streams ? stderr : stdout);
    hamel_free(result);
    session_tell(hamel_sweep_context(m->job));
    const int status = tell_outcome(found, broken, seconds);
    return status ? status : (int)written;
}

static int sweep(member *m) {
    const volatile int *interrupted = interrupts_heed();
    struct sigaction as; // batch systems send it before the time of a job is over
    sigaction(SIGTERM, NULL, &as), sigaction(SIGUSR1, &as, NULL);
    const double seconds = given_limits(&m->arguments, &option_limit).time;
    const ranks_work work = {m->job, m->options.asked.threads, &m->stop, interrupted,
                             seconds > 0 ? MPI_Wtime() + seconds : INFINITY};
    if (!m->rank) return lead(m, &work, seconds);
    ranks_follow(&work);
    return HAMEL_OK;
}

// What every rank does, rank 0 a step ahead of the others
static int run(member *m, int argc, const char *const *argv) {
    const command *c = command_find("sweep");
    int status = agreed(m->rank ? 0 : arguments_read(c, argc, argv, &m->arguments));
    if (status) return status;
    if (m->rank) arguments_read(c, argc, argv, &m->arguments);
    status = agreed(m->rank ? 0 : prepare(m));
    if (status) return status;
    if (m->rank) status = prepare(m);
    const bool has_begun = !status;
    status = compare_ranks(m, status);
    if (!status) status = sweep(m);
    if (has_begun) release(m);
    return status;
}

static int run_words(member *m, int argc, const char *const *words) {
    if (argc > 1 && strcmp(words[1], "--version") == 0) {
        if (!m->rank) printf("hamel-mpi %s\n", hamel_version());
        return HAMEL_OK;
    }
    if (argc > 1 && strcmp(words[1], "sweep") == 0) return run(m, argc - 2, words + 2);
    if (!m->rank) fputs(USAGE, stderr);
    return argc > 1 && strcmp(words[1], "--help") == 0 ? HAMEL_OK : HAMEL_USAGE;
}

int main(int argc, char **argv) {
    int level;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level)) return HAMEL_LIMIT;
    static member m; // its arguments are large
    MPI_Comm_rank(MPI_COMM_WORLD, &m.rank), MPI_Comm_size(MPI_COMM_WORLD, &m.size);
    int status = run_words(&m, argc, (const char *const *)argv);
    if (fflush(stdout) || ferror(stdout)) status = status ? status : HAMEL_NUMERICS;
    MPI_Finalize();
    return m.rank ? HAMEL_OK : status; // said once
}
