// Stability of Whipple's bicycle along its speed: processor time of 1,000 points of its eigenvalue
// branches, by the scan that `stability` makes, and of the whole call, as `hamel stability bicycle
// --vary "x'=0..10"` makes it: derivation, branches, critical values enclosed, pieces proved.
//
//   stability [REPETITIONS]
#include "bound.h"

#include "api/stability_job.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char SPEED[] = "x' = 0..10";
enum { POINTS = 1000 };
static const double MOST_BRANCHES = 1, MOST_WHOLE = 2; // processor seconds

static double spent(void) { return (double)clock() / CLOCKS_PER_SEC; }

static hamel_model *bicycle(hamel_context *ctx) {
    hamel_model *m = NULL;
    for (size_t i = 0; i < hamel_library_count(); i++) {
        size_t size;
        const char *text = hamel_library_text(i, &size), *name = hamel_library_name(i);
        if (strcmp(name, "bicycle") == 0 && hamel_model_parse(ctx, name, text, size, &m))
            return NULL;
    }
    return m;
}

// The branches alone; how many points there are in `points`
static double branches(uint32_t *points) {
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = bicycle(ctx);
    vary_job v = {0};
    double seconds = -1;
    if (m && !vary_job_run(m, NULL, SPEED, false, &v)) {
        scan rows;
        const double start = spent();
        scan_create(&v.path, v.start, 0, 10, POINTS, &rows);
        seconds = spent() - start;
        *points = rows.row_count;
        scan_clear(&rows);
    }
    vary_job_close(&v);
    hamel_context_destroy(ctx);
    return seconds;
}

static double whole(void) {
    const double start = spent();
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = bicycle(ctx);
    char *words = NULL;
    const bool good = m && !hamel_model_stability(m, NULL, SPEED, NULL, HAMEL_JSON, &words);
    hamel_free(words);
    hamel_context_destroy(ctx);
    return good ? spent() - start : -1;
}

int main(int argc, char **argv) {
    const int repetitions = argc > 1 ? atoi(argv[1]) : 3;
    uint32_t points = 0;
    double best = -1, best_whole = -1;
    for (int i = 0; i < repetitions; i++) {
        const double a = branches(&points), b = whole();
        if (a < 0 || b < 0) return 1;
        if (i == 0 || a < best) best = a;
        if (i == 0 || b < best_whole) best_whole = b;
    }
    printf("%u points of 4 eigenvalues: %.3f s; the whole call: %.3f s\n", points, best,
           best_whole);
    const bool fast = bound("1,000 points of the bicycle's eigenvalues", best * POINTS / points,
                            MOST_BRANCHES, "s"),
               all = bound("stability of the bicycle, proved", best_whole, MOST_WHOLE, "s");
    return fast && all && points >= POINTS ? 0 : 1;
}
