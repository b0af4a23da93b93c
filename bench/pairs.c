// dop853 and tsit5 as hamel runs them, against the same written by hand.
//
//   pairs [TRIALS [WORD]]     WORD: those whose model or method has it in its name
//
// Both do the same steps. Processor time of one attempt of a step, in turn and many times; the
// ratio is the median over all trials, for a processor changes its pace between them. hamel's side
// is hamel_motion_run(): compiled steps behind the driver that looks for events, drift and what may
// hide within a step, after the motions that it takes until steps are compiled. Bound: 1.3 times
// the time of the code written by hand, which is compiled with all that a compiler has to offer.
#include "hamel.h"
#include "hand_pairs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double BOUND = 1.3, TOLERANCE = 1e-9, NEAR = 1e-3;
static const double WARM = 0.6; // seconds until steps are compiled

// --- rates ---------------------------------------------------------------------------------------

static const char PENDULUM[] = "system angle\nparam m = 1, l = 1, g = 9.81\ncoord theta\nkinetic "
                               "m*l^2/2*theta'^2\npotential -m*g*l*cos(theta)\n"
                               "initial theta = 1, theta' = 0.4\n";

INLINE void pendulum(double t, const double *z, double *dz) {
    (void)t;
    dz[0] = z[1], dz[1] = -9.81 * sin(z[0]);
}

INLINE void sleigh(double t, const double *z, double *dz) {
    const double s = sin(z[2]), c = cos(z[2]), v = z[3], w = z[4], u = 0.5 * w;
    (void)t;
    dz[0] = v * c - u * s, dz[1] = v * s + u * c, dz[2] = w, dz[3] = u * w;
    dz[4] = -0.5 / 2.25 * v * w;
}

// m1 = l1 = 1, m2 = 0.8, l2 = 0.7; the linear system of two rows, M theta'' = F
INLINE void double_pendulum(double t, const double *z, double *dz) {
    static const double m = 1.8, m2 = 0.8, l2 = 0.7, g = 9.81;
    const double s = sin(z[0] - z[1]), c = cos(z[0] - z[1]), b = m2 * l2 * c,
                 f1 = -m2 * l2 * s * z[3] * z[3] - m * g * sin(z[0]),
                 f2 = m2 * l2 * (s * z[2] * z[2] - g * sin(z[1])), d = m2 * l2 * l2,
                 over = 1 / (m * d - b * b);
    (void)t;
    dz[0] = z[2], dz[1] = z[3];
    dz[2] = (d * f1 - b * f2) * over, dz[3] = (m * f2 - b * f1) * over;
}

// m = 1, r = 0.5, g = 9.81; z = x, y, psi, theta, phi, w1, w2, w3
INLINE void rolling_disc(double t, const double *z, double *dz) {
    const double w1 = z[5], w2 = z[6], w3 = z[7], s = sin(z[3]), c = cos(z[3]), turning = w3 / c,
                 tilted = turning * s, rolling = w2 - tilted;
    (void)t;
    dz[0] = 0.5 * rolling * cos(z[2]), dz[1] = 0.5 * rolling * sin(z[2]), dz[2] = turning,
    dz[3] = w1;
    dz[4] = rolling, dz[5] = w3 * (1.2 * w2 - 0.2 * tilted) + 0.8 * 9.81 / 0.5 * s;
    dz[6] = (-2.0 / 3.0) * w1 * w3, dz[7] = w1 * (tilted - 2 * w2);
}

#define BY_HAND(NAME, N)                                                                           \
    static hand_result NAME##_dop853(const double *z, double end) {                                \
        return hand_dop853(N, NAME, z, end, TOLERANCE);                                            \
    }                                                                                              \
    static hand_result NAME##_tsit5(const double *z, double end) {                                 \
        return hand_tsit5(N, NAME, z, end, TOLERANCE);                                             \
    }
BY_HAND(pendulum, 2)
BY_HAND(sleigh, 5)
BY_HAND(double_pendulum, 4)
BY_HAND(rolling_disc, 8)

typedef struct {
    const char *model, *text; // NULL: of the library
    const char *method;
    double end;
    hand_result (*by_hand)(const double *z, double end);
} problem;
static const problem problems[] = {
    {"pendulum", PENDULUM, "dop853", 40, pendulum_dop853},
    {"pendulum", PENDULUM, "tsit5", 10, pendulum_tsit5},
    {"sleigh", NULL, "dop853", 2000, sleigh_dop853},
    {"sleigh", NULL, "tsit5", 200, sleigh_tsit5},
    {"double_pendulum", NULL, "dop853", 5, double_pendulum_dop853},
    {"double_pendulum", NULL, "tsit5", 2, double_pendulum_tsit5},
    {"rolling_disc", NULL, "dop853", 10, rolling_disc_dop853},
    {"rolling_disc", NULL, "tsit5", 3, rolling_disc_tsit5},
};

// --- measuring -----------------------------------------------------------------------------------

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Of one attempt
static double time_by_hand(const problem *p, const double *start, double *end) {
    const double began = seconds();
    const hand_result r = p->by_hand(start, p->end);
    const double took = seconds() - began;
    memcpy(end, r.z, sizeof r.z);
    return took / (double)r.attempts;
}

static double time_of_hamel(const problem *p, hamel_motion *w, double *end) {
    hamel_outcome out;
    double t;
    hamel_motion_start(w, 0, NULL);
    const double began = seconds();
    if (hamel_motion_run(w, p->end, NULL, 0, NULL, &out)) exit(1);
    const double took = seconds() - began;
    hamel_motion_now(w, &t, end, NULL);
    return took / (double)(out.steps + out.rejected);
}

// The largest difference of the states
static double difference(size_t n, const double *a, const double *b) {
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]) / (1 + fabs(b[i])));
    return most;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The bound holds
static bool measure(const problem *p, int trials) {
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    hamel_motion *w = NULL;
    const hamel_run run = {.method = p->method, .tolerance = TOLERANCE};
    if ((p->text ? hamel_model_parse(ctx, p->model, p->text, strlen(p->text), &m)
                 : hamel_model_open(ctx, p->model, &m)) ||
        hamel_model_prepare(m, &run, &w))
        exit(1);
    double start[HAND_MOST], by_hand[HAND_MOST], by_hamel[HAND_MOST], t;
    hamel_motion_start(w, 0, NULL);
    hamel_motion_now(w, &t, start, NULL);
    for (const double began = seconds(); seconds() < began + WARM;) time_of_hamel(p, w, by_hamel);
    double *ratio = malloc(sizeof(double) * (size_t)trials), hand = INFINITY, own = INFINITY;
    for (int i = 0; i < trials; i++) {
        const double its = time_by_hand(p, start, by_hand), ours = time_of_hamel(p, w, by_hamel);
        ratio[i] = ours / its, hand = fmin(hand, its), own = fmin(own, ours);
    }
    qsort(ratio, (size_t)trials, sizeof *ratio, by_size);
    const double middle = ratio[trials / 2],
                 apart = difference(hamel_motion_count(w, HAMEL_STATE), by_hamel, by_hand);
    const bool holds = middle <= BOUND && apart < NEAR;
    free(ratio);
    printf("%-16s %-7s by hand %5.0f ns, hamel %5.0f ns, states %.0e apart\n", p->model, p->method,
           1e9 * hand, 1e9 * own, apart);
    printf("bound: %s by %s over code by hand: %.2f, at most %.2f: %s\n", p->model, p->method,
           middle, BOUND, holds ? "holds" : "MISSED");
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
    return holds;
}

int main(int argc, char **argv) {
    const int trials = argc > 1 ? atoi(argv[1]) : 2000;
    int missed = 0;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        if (argc < 3 || strstr(problems[i].model, argv[2]) || strstr(problems[i].method, argv[2]))
            missed += !measure(&problems[i], trials);
    printf("%d bounds missed\n", missed);
    return missed != 0;
}
