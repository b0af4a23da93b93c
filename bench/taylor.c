// One side of a comparison: taylor PROBLEM hand|shipped TIMES measures Taylor's method at a
// tolerance of 1e-15 so often and prints steps, seconds a step and the state at the end. What
// ships is the public hamel_motion, made ready once.
#include "hamel.h"
#include "hand_taylor.h"
#include "hand_lanes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double TOLERANCE = 1e-15;
enum { STEPS = 10000, MOST_STATES = 200 }; // steps that are timed together

typedef struct {
    const char *name, *model;  // the text of a model, or NULL: that of the library
    const char *library, *set; // its name there; what is set in it, or NULL
    double end;
    hand_result (*by_hand)(const double *start, double end, double tolerance); // NULL: none
} problem;

static const char ANGLE[] = "system angle\nparam m = 1, l = 1, g = 9.81\ncoord theta\nkinetic "
                            "m*l^2/2*theta'^2\npotential -m*g*l*cos(theta)\n"
                            "initial theta = 1, theta' = 0.4\n";

static const problem PROBLEMS[] = {
    {"pendulum", ANGLE, NULL, NULL, 1000, hand_pendulum},
    {"sleigh", NULL, "sleigh", NULL, 1000, hand_sleigh},
    {"rolling_disc", NULL, "rolling_disc", NULL, 100, hand_rolling_disc},
    {"double_pendulum", NULL, "double_pendulum", NULL, 10, hand_double_pendulum},
    {"rattleback", NULL, "rattleback", NULL, 20, NULL},
    {"bicycle", NULL, "bicycle", NULL, 5, NULL},
    {"snake", NULL, "snake", NULL, 10, NULL},
    {"snake_of_8", NULL, "snake", "N=8", 10, NULL},
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void need(hamel_status status, hamel_context *ctx) {
    if (!status) return;
    char *said = hamel_diagnostics(ctx);
    fprintf(stderr, "%s", said ? said : "no memory\n");
    exit(1);
}

static hamel_motion *prepared(hamel_context *ctx, const problem *p) {
    const hamel_run asked = {
        .method = "taylor", .execute = "compiled", .tolerance = TOLERANCE, .until = p->end};
    hamel_model *m = NULL;
    hamel_motion *motion = NULL;
    if (p->set) need(hamel_context_set(ctx, p->set), ctx);
    need(p->model ? hamel_model_parse(ctx, p->name, p->model, strlen(p->model), &m)
                  : hamel_model_open(ctx, p->library, &m),
         ctx);
    need(hamel_model_prepare(m, &asked, &motion), ctx);
    return motion;
}

static size_t shipped(hamel_motion *motion, const double *start, double end) {
    hamel_outcome done;
    need(hamel_motion_start(motion, 0, start), hamel_motion_context(motion));
    need(hamel_motion_run(motion, end, NULL, 0, NULL, &done), hamel_motion_context(motion));
    return done.steps;
}

int main(int argc, char **argv) {
    const problem *p = PROBLEMS, *end = p + sizeof PROBLEMS / sizeof *PROBLEMS;
    while (argc == 4 && p < end && strcmp(p->name, argv[1]) != 0) p++;
    const bool hand = argc == 4 && strcmp(argv[2], "hand") == 0;
    if (argc != 4 || p == end || (hand && !p->by_hand)) return 1;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *motion = prepared(ctx, p);
    const size_t n = hamel_motion_count(motion, HAMEL_STATE);
    double t, least = INFINITY, start[MOST_STATES], z[MOST_STATES];
    size_t steps = 0;
    if (n > MOST_STATES) return 1;
    need(hamel_motion_now(motion, &t, start, NULL), hamel_motion_context(motion));
    if (!hand) shipped(motion, start, p->end);                  // compiled
    if (hamel_diagnostic_count(hamel_motion_context(motion))) { // or it says why not
        fprintf(stderr, "%s", hamel_diagnostics(hamel_motion_context(motion)));
        return 1;
    }
    for (long i = atol(argv[3]); i > 0; i--) { // each long enough for the clock
        size_t total = 0;
        const double from = now();
        for (; total < STEPS; total += steps) {
            if (!hand) {
                steps = shipped(motion, start, p->end);
                continue;
            }
            const hand_result r = p->by_hand(start, p->end, TOLERANCE);
            steps = (size_t)r.steps;
            memcpy(z, r.z, sizeof r.z);
        }
        least = fmin(least, (now() - from) / (double)total);
    }
    if (!hand) need(hamel_motion_now(motion, &t, z, NULL), hamel_motion_context(motion));
    printf("%zu %.4g", steps, least);
    for (size_t i = 0; i < n; i++) printf(" %.17g", z[i]);
    printf("\n");
    hamel_motion_free(motion);
    hamel_context_destroy(ctx);
    return 0;
}
