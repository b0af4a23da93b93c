// `method = auto` against the better of taylor and dop853, over models of the library.
//
//   choice [TRIALS [MODEL]]
//
// The same motion by all three, compiled, in turn; processor time, the least of the trials, after
// the motions that it takes until steps are compiled. What choosing costs is not in it: that is
// done once for a motion. Bound: at most 1.2 times the time of the better one, for every model at
// every tolerance.
#include "bound.h"
#include "hamel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double BOUND = 1.2, END = 10, WARM = 0.25;
static const double tolerances[] = {1e-6, 1e-10, 1e-13};
static const char *const models[] = {
    "sleigh",     "pendulum", "double_pendulum",    "rolling_disc",
    "rattleback", "suslov",   "roller_racer",       "snake",
    "n_trailer",  "bicycle",  "spherical_pendulum", "chaplygin_ball"};
static const char *const methods[] = {"auto", "taylor", "dop853"};
enum { METHODS = sizeof methods / sizeof *methods };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Of one motion to the end; INFINITY where it does not get there
static double time_of(hamel_motion *w) {
    if (hamel_motion_start(w, 0, NULL)) return INFINITY;
    const double began = seconds();
    return hamel_motion_run(w, END, NULL, 0, NULL, NULL) ? INFINITY : seconds() - began;
}

// auto over the better of the others, 0 where the model is not there or does not get to the end
static double ratio_of(const char *model, double tolerance, int trials) {
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    hamel_motion *w[METHODS] = {NULL};
    double least[METHODS];
    bool good = !hamel_model_open(ctx, model, &m);
    for (int i = 0; i < METHODS && good; i++) {
        const hamel_run run = {.method = methods[i], .tolerance = tolerance, .execute = "compiled"};
        good = !hamel_model_prepare(m, &run, &w[i]) && time_of(w[i]) < INFINITY;
        for (const double began = seconds(); good && seconds() < began + WARM;) time_of(w[i]);
        least[i] = INFINITY;
    }
    for (int k = 0; k < trials && good; k++)
        for (int i = 0; i < METHODS; i++) least[i] = fmin(least[i], time_of(w[i]));
    if (good)
        printf("%-20s %5.0e  auto %8.1f us, taylor %8.1f us, dop853 %8.1f us: %.2f\n", model,
               tolerance, 1e6 * least[0], 1e6 * least[1], 1e6 * least[2],
               least[0] / fmin(least[1], least[2]));
    else printf("%-20s %5.0e  does not get to t = %g\n", model, tolerance, END);
    for (int i = 0; i < METHODS; i++)
        if (w[i]) hamel_motion_free(w[i]);
    hamel_context_destroy(ctx);
    return good ? least[0] / fmin(least[1], least[2]) : 0;
}

int main(int argc, char **argv) {
    const int trials = argc > 1 ? atoi(argv[1]) : 30;
    int missed = 0;
    for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; t++)
        for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
            if (argc > 2 && strcmp(argv[2], models[i]) != 0) continue;
            const double ratio = ratio_of(models[i], tolerances[t], trials);
            char what[100];
            snprintf(what, sizeof what, "auto over the better method, %s at %.0e", models[i],
                     tolerances[t]);
            missed += ratio > 0 && !bound(what, ratio, BOUND, "");
        }
    printf("%d bounds missed\n", missed);
    return missed != 0;
}
