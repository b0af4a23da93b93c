// What the library's data cost: a rate through hamel_field over the same rate inside of the
// library, and a trajectory in memory over the same run that writes its rows as CSV to a callback,
// and over one that has none.
//
//   field [MODEL ...]
//
// Processor time, the least of several trials, the two sides in turns.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "api/motion.h"
#include "bound.h"

enum { CALLS = 200000, TRIALS = 15, MOST = 200 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Nanoseconds a call, in the library and by the field
static void time_rates(hamel_motion *w, const hamel_field *f, void *work, double *inside,
                       double *outside) {
    double t, z[MOST], dz[MOST];
    struct field *own = w->j->field;
    hamel_field_start(f, &t, z);
    *inside = *outside = 1e9;
    for (int trial = 0; trial < TRIALS; trial++) {
        double began = seconds();
        for (int i = 0; i < CALLS; i++) own->rate(own, t, z, dz);
        *inside = fmin(*inside, (seconds() - began) * 1e9 / CALLS);
        began = seconds();
        for (int i = 0; i < CALLS; i++) f->rate(f, work, t, z, dz);
        *outside = fmin(*outside, (seconds() - began) * 1e9 / CALLS);
    }
}

static bool measure_rates(const char *model, const char *execute) {
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    hamel_motion *w = NULL;
    hamel_field *f = NULL;
    bool holds = false;
    if (!hamel_model_open(ctx, model, &m) &&
        !hamel_model_prepare(m, &(hamel_run){.execute = execute}, &w) &&
        !hamel_motion_field(w, HAMEL_FIELD_RATE, &f) && f->size <= MOST) {
        double inside, outside;
        void *work = hamel_field_work(f);
        time_rates(w, f, work, &inside, &outside);
        printf("%-18s %-12s %10.1f %10.1f\n", model, execute, inside, outside);
        char what[100];
        snprintf(what, sizeof what, "a rate by hamel_field, %s %s", model, execute);
        holds = bound(what, outside, 1.1 * inside + 10, "ns");
        hamel_field_work_free(work);
    }
    hamel_field_free(f), hamel_motion_free(w);
    hamel_context_destroy(ctx);
    return holds;
}

static int drop(const void *bytes, size_t size, void *data) {
    (void)bytes, (void)size, (void)data;
    return 1;
}

typedef enum { NO_ROWS, CSV, COLUMNS } kept;

static double time_run(hamel_model *m, kept how) {
    const hamel_run usual = {.until = 100, .interval = 1e-3, .execute = "compiled", .write = drop};
    hamel_run asked = usual, *run = &asked;
    if (how == CSV) asked.output = "-";
    const double began = seconds();
    if (how == COLUMNS) {
        hamel_trajectory *rows = NULL;
        if (hamel_model_trajectory(m, run, &rows)) return -1;
        hamel_trajectory_free(rows);
    } else {
        char *said = NULL;
        if (hamel_model_simulate(m, run, HAMEL_JSON, &said)) return -1;
        hamel_free(said);
    }
    return seconds() - began;
}

static bool measure_rows(const char *model) {
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    double least[3] = {1e9, 1e9, 1e9};
    bool holds = false;
    if (!hamel_model_open(ctx, model, &m)) {
        for (int trial = 0; trial < 7; trial++)
            for (int how = 0; how < 3; how++) least[how] = fmin(least[how], time_run(m, (kept)how));
        printf("%-18s %-12s %10.2f %10.2f %10.2f\n", model, "100,000 rows", least[NO_ROWS] * 1e3,
               least[CSV] * 1e3, least[COLUMNS] * 1e3);
        char what[100];
        snprintf(what, sizeof what, "a trajectory in memory, %s", model);
        holds = least[CSV] > 0 && least[COLUMNS] > 0 &&
                bound(what, least[COLUMNS] / least[CSV], 1.03, "times");
    }
    hamel_context_destroy(ctx);
    return holds;
}

int main(int argc, char **argv) {
    static const char *const usual[] = {"pendulum", "sleigh", "rolling_disc", "rattleback"};
    const int count = argc > 1 ? argc - 1 : (int)(sizeof usual / sizeof *usual);
    int missed = 0;
    printf("%-18s %-12s %10s %10s\n", "model", "rates (ns)", "inside", "field");
    for (int i = 0; i < count; i++) {
        const char *model = argc > 1 ? argv[i + 1] : usual[i];
        missed += !measure_rates(model, "compiled") + !measure_rates(model, "interpreted");
    }
    printf("%-18s %-12s %10s %10s %10s\n", "model", "runs (ms)", "no rows", "CSV", "columns");
    for (int i = 0; i < count; i++) missed += !measure_rows(argc > 1 ? argv[i + 1] : usual[i]);
    return missed != 0;
}
