// Runs in lanes against the same runs one after the other, and dop853 in lanes against the same
// written by hand with vector types.
//
//   lanes [WORD [RUNS]]     WORD: those whose model or method has it in its name
//
// Processor time of a run, of the least of three trials, the scalar side after its steps are
// compiled. Bounds: 6 times with AVX-512, 4 times with AVX2, by Taylor's method what heyoka has
// published of its batches against its scalar code, 3.5 and 3.2 times; 1.15 times the time of code
// by hand.
#include <stdio.h>
#include <time.h>

#include "../tests/support/lanes_case.h"
#include "bound.h"
#ifdef __AVX2__
#include "hand_lanes_pairs.h"
#endif

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char PENDULUM[] = "system angle\nparam m = 1, l = 1, g = 9.81\ncoord theta\nkinetic "
                               "m*l^2/2*theta'^2\npotential -m*g*l*cos(theta)\n"
                               "initial theta = 1, theta' = 0.4\n";

static const char CROSSING[] =
    "system crossing\nparam m = 1, l = 1, g = 9.81\ncoord theta\nkinetic "
    "m*l^2/2*theta'^2\npotential -m*g*l*cos(theta)\n"
    "initial theta = 1, theta' = 0.4\nevent lowest: theta\n";

typedef struct {
    const char *model, *text;
    double end, tolerance;
} problem;

static const problem PROBLEMS[] = {
    {"angle", PENDULUM, 20, 1e-9},    {"crossing", CROSSING, 20, 1e-9},
    {"sleigh", NULL, 20, 1e-9},       {"double_pendulum", NULL, 10, 1e-9},
    {"rolling_disc", NULL, 20, 1e-9}, {"rattleback", NULL, 5, 1e-9}};

static double measure(sweep_engine *e, uint64_t count, const double *values, double *out,
                      sweep_end *end) {
    double best = 1e9;
    for (int trial = 0; trial < 3; trial++) {
        const double began = seconds();
        e->run(e, 0, count, values, out, end);
        best = fmin(best, seconds() - began);
    }
    return best / (double)count;
}

#ifdef __AVX2__
enum { HAND_LANES = HAND_WIDTH };
// A run by hand; 0: it was not written
static double by_hand(const problem *p, const char *method, const lanes_case *c, uint64_t count,
                      const double *values) {
    const uint32_t n = c->sim->o->size;
    const bool pendulum = strcmp(p->model, "angle") == 0;
    if ((!pendulum && strcmp(p->model, "sleigh") != 0) || strcmp(method, "dop853") != 0 ||
        !hand_lanes_ready())
        return 0;
    double *start = malloc(sizeof(double) * 2 * n * count), *out = start + n * count, best = 1e9;
    for (uint64_t i = 0; i < n * count; i++) start[i] = c->usual[i % n] + values[i];
    for (int trial = 0; trial < 3; trial++) {
        const double began = seconds();
        if (pendulum)
            hand_lanes_dop853(2, hand_lanes_pendulum, (long)count, start, p->end, p->tolerance,
                              out);
        else hand_lanes_dop853(5, hand_lanes_sleigh, (long)count, start, p->end, p->tolerance, out);
        best = fmin(best, seconds() - began);
    }
    free(start);
    return best / (double)count;
}
#else
enum { HAND_LANES = 0 };
static double by_hand(const problem *p, const char *method, const lanes_case *c, uint64_t count,
                      const double *values) {
    (void)p, (void)method, (void)c, (void)count, (void)values;
    return 0;
}
#endif

static double least_gain(const char *method, uint32_t width) {
    if (strcmp(method, "taylor") == 0) return width == 8 ? 3.5 : 3.2;
    return width == 8 ? 6 : 4;
}

static bool bound_from_below(const char *what, double figure, double least) {
    printf("bound: %s: %.3g times, at least %.3g: %s\n", what, figure, least,
           figure >= least ? "holds" : "MISSED");
    return figure >= least;
}

static int compare(const problem *p, const char *method, uint64_t count) {
    int missed = 0;
    lanes_case *c = lanes_case_open(p->model, p->text, method, p->tolerance, p->end);
    if (!c) {
        printf("%s %s: cannot be prepared\n", p->model, method);
        return 1;
    }
    lanes_case_collect(c, 1, 1);
    double *values = lanes_case_values(c, count, 1e-2);
    const uint64_t some = count / 8 ? count / 8 : 1;
    double *out = malloc(sizeof(double) * count * (c->system.collected_count + 1)),
           *other = malloc(sizeof(double) * count * (c->system.collected_count + 1));
    sweep_end *end = malloc(sizeof *end * count);
    hamel_outcome unused;
    const double warm = seconds() + 0.6; // until steps are compiled
    while (seconds() < warm)
        hamel_motion_start(c->motion, c->motion->usual_t, c->usual),
            hamel_motion_run(c->motion, p->end, NULL, 0, NULL, &unused);
    const double scalar = measure(&c->scalar, some, values, other, end);
    const double hand = by_hand(p, method, c, count, values);
    if (hand > 0)
        printf("%-16s %-7s by hand in %d lanes %8.2f us\n", p->model, method, HAND_LANES,
               hand * 1e6);
    printf("%-16s %-7s scalar %8.2f us, %.0f steps\n", p->model, method, scalar * 1e6,
           (double)c->steps / (double)c->scalar_runs);
    for (uint32_t width = 8; width >= 4; width -= 4) {
        const char *why;
        sweep_engine *e = lanes_case_engine(c, width, false, &why);
        if (!e) {
            printf("    %s\n", why);
            break;
        }
        const double lanes = measure(e, count, values, out, end);
        const lanes_counts n = sweep_lanes_counts(e);
        double most = 0;
        for (uint64_t i = 0; i < some * c->system.collected_count; i++)
            most = fmax(most, fabs(out[i] - other[i]) / (1 + fabs(other[i])));
        printf("    %-32s %8.2f us, %5.2f times; steps %.0f, rejected %.2f, full %.2f, looks %.4f, "
               "given up %.4f; differs %.1e\n",
               e->how, lanes * 1e6, scalar / lanes, (double)n.steps / (double)(3 * count),
               (double)n.rejected / (double)n.steps,
               (double)(n.steps + n.rejected) / (double)(n.tries * width),
               (double)n.looks / (double)n.steps, (double)n.given_up / (double)(3 * count), most);
        char what[120];
        snprintf(what, sizeof what, "%s by %s in %u lanes: scalar time over time", p->model, method,
                 width);
        missed += !bound_from_below(what, scalar / lanes, least_gain(method, width));
        if (hand > 0 && width == HAND_LANES) {
            snprintf(what, sizeof what, "%s by %s in %u lanes over lanes by hand", p->model, method,
                     width);
            missed += !bound(what, lanes / hand, 1.15, "times");
        }
        fflush(stdout);
        e->release(e);
    }
    free(values), free(out), free(other), free(end);
    lanes_case_close(c);
    return missed;
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "";
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1024;
    static const char *const methods[] = {"dop853", "tsit5", "taylor"};
    int missed = 0;
    for (size_t i = 0; i < sizeof PROBLEMS / sizeof *PROBLEMS; i++)
        for (int m = 0; m < 3; m++)
            if (strstr(PROBLEMS[i].model, word) || strstr(methods[m], word))
                missed += compare(&PROBLEMS[i], methods[m], count);
    return missed != 0;
}
