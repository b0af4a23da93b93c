// Several contexts in several threads: each thread gets what one alone gets, while the others
// derive, prove, draw, write files, and compile into one cache. Under ThreadSanitizer (preset
// `tsan`) nothing of the library may be written by one thread and read by another.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/sanitizer.h"
#include "hamel.h"
#include "support/random_text.h"

enum { THREADS = 6, MOST_RESULTS = 10 };

// A file of HDF5 is written in a child process. The heap of AddressSanitizer is not made for fork()
// beside threads, as that of the C library is: the child may find a lock held, and wait for ever.
#ifdef HAMEL_ASAN
static const char BY_CHILD[] = ".csv";
#else
static const char BY_CHILD[] = ".h5";
#endif

static const char *const MODELS[] = {"sleigh", "knife_edge", "rolling_disc"};

// What one thread does and gets
typedef struct {
    const char *model, *folder;
    int number;
    uint64_t rows;              // a hash of the rows of its runs
    char *result[MOST_RESULTS]; // texts, to be compared
    int count;
    hamel_status worst;
} work;

static int hash_rows(const void *bytes, size_t size, void *data) {
    work *w = data;
    for (size_t i = 0; i < size; i++) // FNV-1a
        w->rows = (w->rows ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return 1;
}

static void keep(work *w, hamel_status status, char *const *result) {
    if (status > w->worst && status != HAMEL_UNDECIDED && status != HAMEL_REFUTED)
        w->worst = status;
    w->result[w->count++] = *result;
}

static void run(work *w, hamel_model *m, const char *execute, const char *output,
                const char *method) {
    char file[300], *said = NULL;
    snprintf(file, sizeof file, "%s/%d%s", w->folder, w->number, output ? output : "");
    const hamel_run r = {.execute = execute,
                         .method = method,
                         .until = 0.5,
                         .interval = 0.1,
                         .output = output ? file : "-",
                         .write = hash_rows,
                         .data = w};
    const hamel_status status = hamel_model_simulate(m, &r, HAMEL_JSON, &said);
    if (status > w->worst) w->worst = status;
    hamel_free(said); // it names the file and how long it took
}

static void *use(void *data) {
    work *w = data;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    char *result = NULL;
    if (hamel_model_open(ctx, w->model, &m) != HAMEL_OK) {
        w->worst = HAMEL_MODEL;
        hamel_context_destroy(ctx);
        return NULL;
    }
    keep(w, hamel_model_check(m, HAMEL_TEXT, HAMEL_CHECK_LONG, &result), &result);
    keep(w, hamel_model_derive(m, "maggi,multipliers", HAMEL_LATEX, 0, &result), &result);
    keep(w, hamel_model_evaluate(m, NULL, NULL, 30, HAMEL_TEXT, &result), &result);
    keep(w, hamel_model_prove(m, "maggi,hamel", 1, HAMEL_TEXT, &result), &result);
    run(w, m, "interpreted", NULL, "taylor");
    run(w, m, "interpreted", NULL, "bdf");
    run(w, m, "compiled", NULL, NULL);
    run(w, m, "interpreted", BY_CHILD, NULL);
    run(w, m, "interpreted", ".npz", NULL);
    const hamel_run short_run = {.until = 0.5, .execute = "interpreted"};
    keep(w, hamel_model_plot(m, &short_run, &(hamel_plot){.unicode = 1}, &result), &result);
    hamel_context_destroy(ctx);
    return NULL;
}

static void release(work *w) {
    for (int i = 0; i < w->count; i++) hamel_free(w->result[i]);
}

static void each_thread_gets_what_one_alone_gets(void **unused) {
    (void)unused;
    char folder[] = "/tmp/hamel-threads-XXXXXX", command[100];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0); // one cache, empty
    uint32_t failed = 0;
    const uint32_t rounds = run_cases(1, 20);
    for (uint32_t round = 0; round < rounds; round++) {
        work threads[THREADS];
        pthread_t thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            threads[i] = (work){.model = MODELS[i % 3], .folder = folder, .number = i};
            assert_int_equal(pthread_create(&thread[i], NULL, use, &threads[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
        for (int i = 0; i < THREADS; i++) {
            work alone = {.model = MODELS[i % 3], .folder = folder, .number = THREADS};
            use(&alone);
            bool same = threads[i].worst == HAMEL_OK && threads[i].rows == alone.rows &&
                        threads[i].count == alone.count;
            for (int j = 0; same && j < alone.count; j++)
                same = threads[i].result[j] && strcmp(threads[i].result[j], alone.result[j]) == 0;
            if (!same)
                fprintf(stderr, "%s in thread %d: status %d, or another result\n", MODELS[i % 3], i,
                        threads[i].worst);
            failed += !same;
            release(&alone), release(&threads[i]);
        }
    }
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    printf("net: contexts in threads of one process: %u tried, %u failed\n", rounds * THREADS,
           failed);
    assert_int_equal(failed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_thread_gets_what_one_alone_gets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
