// One side of a comparison: taylor PROBLEM hand|generated TIMES measures Taylor's method at a
// tolerance of 1e-15 so often and prints steps, seconds a step and the state at the end.
#include "codegen/emit.h"
#include "derive/formalism.h"
#include "hamel.h"
#include "hand_taylor.h"
#include "model/mechanics.h"
#include "simulate/run.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double TOLERANCE = 1e-15, END = 1000;
enum { STEPS = 10000 }; // that are timed together
static const char PENDULUM[] = "system angle\nparam m = 1, l = 1, g = 9.81\ncoord theta\nkinetic "
                               "m*l^2/2*theta'^2\npotential -m*g*l*cos(theta)\n"
                               "initial theta = 1, theta' = 0.4\n";
static const char FLAGS[] = "-O2 -std=c11 -fPIC -shared -w -ffp-contract=off -fno-math-errno";

typedef void (*fixed_function)(const double *p, double *c);
typedef int (*jet_function)(double t, const double *z, const double *p, const double *c, int order,
                            double *out);

typedef void (*watch_function)(double t, const double *z, const double *p, const double *c,
                               double *out);

static jet_function generated;
static watch_function generated_watch;
static double *constants, *watch_constants;

static bool run_generated(field *f, double t, const double *z, uint32_t order, double *out) {
    bool finite = !generated(t, z, f->sim->parameter_value, constants, (int)order, out);
    // What is not finite below is not finite here
    for (uint32_t i = 0; i < f->size; i++) finite = finite && isfinite(out[order * f->size + i]);
    return finite;
}

static bool run_watch(field *f, double t, const double *z, double *out) {
    generated_watch(t, z, f->sim->parameter_value, watch_constants, out);
    return true;
}

static void *find(void *library, const char *name) {
    void *s = dlsym(library, name);
    if (!s) exit(1);
    return s;
}

static void compile(const simulation *s) {
    scalar_type as = scalar_type_double;
    as.qualifier = "";
    text source = {0}, command = {0};
    text_format(&source, "%s\n", as.include);
    const uint32_t places = emit_jet(s->rate, &as, "jet", 30, EMIT_JET_LONGEST, &source),
                   watch_places = emit_tape(s->watch, &as, "watch", &source);
    char directory[] = "/tmp/hamel-bench-XXXXXX";
    if (!mkdtemp(directory)) exit(1);
    text_format(&command, "%s/jet.c", directory);
    FILE *f = fopen(text_string(&command), "w");
    fputs(text_string(&source), f);
    fclose(f);
    text_clear(&command);
    text_format(&command, "cc %s -o %s/jet.so %s/jet.c -lm", FLAGS, directory, directory);
    if (system(text_string(&command))) exit(1);
    text_clear(&command);
    text_format(&command, "%s/jet.so", directory);
    void *library = dlopen(text_string(&command), RTLD_NOW);
    text_clear(&command);
    text_format(&command, "rm -r %s", directory);
    if (!library || system(text_string(&command))) exit(1);
    void *jet = find(library, "jet"), *fixed = find(library, "jet_fixed"),
         *watch = find(library, "watch"), *watch_fixed = find(library, "watch_fixed");
    fixed_function once;
    memcpy(&generated, &jet, sizeof jet);
    memcpy(&generated_watch, &watch, sizeof watch);
    memcpy(&once, &fixed, sizeof fixed);
    constants = calloc(places, sizeof *constants);
    once(s->parameter_value, constants);
    memcpy(&once, &watch_fixed, sizeof watch_fixed);
    watch_constants = calloc(watch_places, sizeof *watch_constants);
    once(s->parameter_value, watch_constants);
}

static simulation *simulation_of(hamel_context *ctx, const char *problem) {
    hamel_model *m = NULL;
    mechanics *s;
    simulation *run = NULL;
    const completion_request where = {.mode = COMPLETE_STRICT, .zero_defaults = true};
    const hamel_status status =
        strcmp(problem, "pendulum")
            ? hamel_model_open(ctx, problem, &m)
            : hamel_model_parse(ctx, "pendulum", PENDULUM, strlen(PENDULUM), &m);
    if (status || mechanics_create(m, NULL, &s)) exit(1);
    equations *eq = formalism_derive(formalism_default(s), s);
    if (simulation_create(m, s, eq, &where, &run)) exit(1);
    return run;
}

static hand_result by_generated(const simulation *s, field *f) {
    double *z = malloc(sizeof(double) * s->o->size);
    memcpy(z, s->z0, sizeof(double) * s->o->size);
    run r = {.asked = {.method = integrator_find("taylor"),
                       .end = END,
                       .tolerance = TOLERANCE,
                       .interval = END}};
    run_open(&r, f, s->t0, z);
    if (run_begin(&r) || run_integrate(&r)) exit(1);
    hand_result out = {.steps = (long)r.record.steps, .t = r.state.t};
    for (uint32_t i = 0; i < s->o->size; i++) out.z[i] = z[i];
    run_free(&r);
    free(z);
    return out;
}

static hand_result by_hand(const char *problem, const simulation *s) {
    if (strcmp(problem, "pendulum") == 0)
        return hand_pendulum(9.81, 1, s->z0[0], s->z0[1], END, TOLERANCE);
    return hand_sleigh(1, 2, 0.5, s->z0, END, TOLERANCE);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    const bool hand = strcmp(argv[2], "hand") == 0;
    hamel_context *ctx = hamel_context_create();
    simulation *s = simulation_of(ctx, argv[1]);
    field *f = field_interpreted(s);
    if (!hand) compile(s), f->jet = run_generated, f->watch = run_watch;
    double least = INFINITY;
    hand_result r = {0};
    for (long i = atol(argv[3]); i > 0; i--) { // each long enough for the clock
        long steps = 0;
        const double from = now();
        while (steps < STEPS) {
            r = hand ? by_hand(argv[1], s) : by_generated(s, f);
            steps += r.steps;
        }
        least = fmin(least, (now() - from) / (double)steps);
    }
    printf("%ld %.4g", r.steps, least);
    for (uint32_t i = 0; i < s->o->size; i++) printf(" %.17g", r.z[i]);
    printf("\n");
    field_free(f);
    free(constants), free(watch_constants);
    simulation_free(s);
    hamel_context_destroy(ctx);
    return 0;
}
