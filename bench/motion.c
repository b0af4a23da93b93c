// What a run costs beside its integration, when a model is made ready once and run many times.
//
//   motion [MODEL ...]
//
// One long run over many short ones of the same steps: K runs, each from the state in which the one
// before it ended, against a single run through all of them. Processor time, the least of several
// trials; bounds: at most 1.1 times the integration and 5 microseconds. Beside it the same with
// another value of a parameter for every run, and the short run by hamel_model_simulate(), which
// derives anew.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bound.h"
#include "hamel.h"

enum { RUNS = 200, TRIALS = 7 };
static const double LENGTH = 0.5;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool failed(hamel_status status, const char *model, hamel_motion *w) {
    if (!status) return false;
    char *said = hamel_diagnostics(w ? hamel_motion_context(w) : NULL);
    fprintf(stderr, "%s: status %d\n%s", model, status, said ? said : "");
    hamel_free(said);
    return true;
}

typedef enum { WHOLE, PIECES, CHANGED } way; // one run through all, short ones, with new parameters

// Seconds; negative if it failed
static double time_of(hamel_motion *w, const char *model, way how, double *z) {
    char parameter[100] = "";
    if (hamel_motion_name(w, HAMEL_PARAMETER, 0)) // it is good until the next start
        snprintf(parameter, sizeof parameter, "%s", hamel_motion_name(w, HAMEL_PARAMETER, 0));
    const double value = hamel_motion_get(w, 0);
    double least = 1e9, row[200];
    for (int trial = 0; trial < TRIALS; trial++) {
        if (failed(hamel_motion_start(w, 0, NULL), model, w)) return -1;
        const double began = seconds();
        if (how == WHOLE) {
            double times[RUNS];
            static double rows[RUNS * 200];
            for (int i = 0; i < RUNS; i++) times[i] = LENGTH * (i + 1);
            if (failed(hamel_motion_run(w, LENGTH * RUNS, times, RUNS, rows, NULL), model, w))
                return -1;
        }
        for (int i = 0; how != WHOLE && i < RUNS; i++) {
            const double end = LENGTH * (i + 1);
            double t;
            if (how == CHANGED && *parameter &&
                failed(hamel_motion_set(w, parameter, value * (1 + 1e-12 * i)), model, w))
                return -1;
            if (failed(hamel_motion_run(w, end, &end, 1, row, NULL), model, w) ||
                failed(hamel_motion_now(w, &t, z, NULL), model, w) ||
                failed(hamel_motion_start(w, t, z), model, w))
                return -1;
        }
        const double took = seconds() - began;
        if (took < least) least = took;
    }
    return least;
}

static double time_of_simulate(hamel_model *m) {
    double least = 1e9;
    for (int trial = 0; trial < 3; trial++) {
        char *said = NULL;
        const double began = seconds();
        hamel_model_simulate(m, &(hamel_run){.until = LENGTH, .interval = LENGTH}, HAMEL_JSON,
                             &said);
        const double took = seconds() - began;
        if (took < least) least = took;
        hamel_free(said);
    }
    return least;
}

static bool measure(const char *model, const char *method) {
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    hamel_motion *w = NULL;
    double z[200];
    bool holds = false;
    if (!hamel_model_open(ctx, model, &m) &&
        !hamel_model_prepare(m, &(hamel_run){.method = method}, &w) &&
        hamel_motion_count(w, HAMEL_COLUMN) <= 200) {
        time_of(w, model, PIECES, z); // code is compiled, and met once
        const double whole = time_of(w, model, WHOLE, z), parts = time_of(w, model, PIECES, z),
                     changed = time_of(w, model, CHANGED, z), simulate = time_of_simulate(m),
                     each = 1e6 / RUNS;
        printf("%-20s %-7s %10.2f %10.2f %10.2f %10.0f\n", model, method, whole * each,
               parts * each, changed * each, simulate * 1e6);
        char what[100];
        snprintf(what, sizeof what, "a run of a prepared model, %s by %s", model, method);
        holds = whole > 0 && bound(what, parts * each, 1.1 * whole * each + 5, "us");
    } else {
        failed(HAMEL_MODEL, model, w);
    }
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
    return holds;
}

int main(int argc, char **argv) {
    static const char *const usual[] = {"sleigh",       "pendulum",          "double_pendulum",
                                        "rolling_disc", "rattleback",        "snakeboard",
                                        "knife_edge",   "spherical_pendulum"};
    const int count = argc > 1 ? argc - 1 : (int)(sizeof usual / sizeof *usual);
    int missed = 0;
    printf("one run of %g s, in microseconds of processor time\n", LENGTH);
    printf("%-20s %-7s %10s %10s %10s %10s\n", "model", "method", "integrated", "prepared",
           "parameter", "simulate");
    for (int i = 0; i < count; i++) {
        const char *model = argc > 1 ? argv[i + 1] : usual[i];
        missed += !measure(model, "taylor") + !measure(model, "dop853");
    }
    return missed != 0;
}
