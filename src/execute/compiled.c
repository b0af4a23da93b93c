// A field whose functions are compiled code, from the start or from where it pays.
#include "execute/compiled.h"

#include "base/processor.h"
#include "base/recovery.h"
#include "execute/bundle.h"

#include <math.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum {
    // calls of long rates before they are compiled: choosing a method takes no more
    TRIALS = 200,
    MOST_SERIES = 30, // order of compiled Taylor coefficients; beyond it they are interpreted
};

typedef struct {
    field base;
    simulation *sim;
    bool at_once;      // compile when first asked, whatever it costs
    double start, end; // of the run
    bool started;
    bundle main, rows, slopes, series, pair;
    uint32_t own_rates; // that the attempt of a step is about to ask for, and are counted with it
    routine rate, columns, watch, events, jacobian, jet, step;
    field *interpreter; // for what is not loaded
} compiled;

// --- choosing ------------------------------------------------------------------------------------

// After the first look, twice, four times .. as much: is what is left, at the
// pace so far, worth the price? Where motion follows motion there is no end.
static bool pays(const compiled *w, bundle *b, double steps, double t) {
    b->spent += steps;
    if (b->spent < b->look_at) return false;
    b->look_at = 2 * b->spent;
    if (w->base.repeats) return true;
    const double covered = (t - w->start) / (w->end - w->start);
    return !(covered > 0) || b->saved * b->spent * (1 - covered) / covered > b->price;
}

// field.how of an interpreter that stands in: the first line of the reason.
static const char *interpreted_because(const simulation *sim, const char *error) {
    return arena_format(&sim->m->ctx->arena, "interpreted: %.*s", (int)strcspn(error, "\n"), error);
}

static void warn(const simulation *sim, const char *error) {
    diag_warning(sim->m->ctx, (span){0}, "the run is interpreted, with the same results", "%s",
                 error);
}

static void compile(compiled *w, bundle *b) {
    const char *error = bundle_load(b, w->sim, LOAD);
    if (b == &w->pair && w->main.code) return; // its rates are compiled already
    if (error && w->at_once) warn(w->sim, error);
    if (error) w->base.how = interpreted_because(w->sim, error);
    else if (!w->at_once && (b == &w->main || b == &w->series || b == &w->pair))
        w->base.how = "interpreted, then compiled";
}

// Compiles the bundle where it is time for that. With `at_once` that is as soon as patience is
// over, except for rows and steps.
static void prepare(compiled *w, bundle *b, double steps, double t) {
    if (b->code || b->tried) return;
    if (w->at_once && b != &w->rows && b != &w->pair ? b->calls++ >= b->patience
                                                     : pays(w, b, steps, t))
        compile(w, b);
}

// 0 x is 0 where x is finite, else not a number. Several sums, so that none waits for another:
// every coefficient of every step is looked at.
static bool are_finite(size_t count, const double *x) {
    double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        a += 0 * x[i], b += 0 * x[i + 1], c += 0 * x[i + 2], d += 0 * x[i + 3];
        e += 0 * x[i + 4], f += 0 * x[i + 5], g += 0 * x[i + 6], h += 0 * x[i + 7];
    }
    for (; i < count; i++) a += 0 * x[i];
    return (a + b) + (c + d) + ((e + f) + (g + h)) == 0;
}

// The same for many of them
#ifdef __x86_64__
__attribute__((target("avx2,fma"))) static bool many_are_finite_by_vectors(size_t count,
                                                                           const double *x) {
    __m256d a = _mm256_setzero_pd(), b = a, c = a, d = a;
    const __m256d zero = a;
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        a = _mm256_fmadd_pd(zero, _mm256_loadu_pd(x + i), a);
        b = _mm256_fmadd_pd(zero, _mm256_loadu_pd(x + i + 4), b);
        c = _mm256_fmadd_pd(zero, _mm256_loadu_pd(x + i + 8), c);
        d = _mm256_fmadd_pd(zero, _mm256_loadu_pd(x + i + 12), d);
    }
    a = _mm256_add_pd(_mm256_add_pd(a, b), _mm256_add_pd(c, d));
    // a number is not equal to itself only if it is none
    return _mm256_movemask_pd(_mm256_cmp_pd(a, a, _CMP_UNORD_Q)) == 0 &&
           are_finite(count - i, x + i);
}
#endif

static bool many_are_finite(size_t count, const double *x) {
#ifdef __x86_64__
    if (processor_fuses()) return many_are_finite_by_vectors(count, x);
#endif
    return are_finite(count, x);
}

// Runs the routine if it is compiled, or if compiling it now pays. False: it is to be interpreted.
static bool run_compiled(compiled *w, bundle *b, const routine *r, double t, const double *z,
                         double *out, bool *finite) {
    prepare(w, b, r->t->step_count, t);
    if (!r->run) return false;
    r->run(t, z, w->sim->parameter_value, r->c, out);
    *finite = are_finite(r->t->output_count, out);
    return true;
}

// --- the field -----------------------------------------------------------------------------------

// The way covered counts from where this field was first used.
static void begin_at(compiled *w, double t) {
    if (!w->started) w->start = t, w->started = true;
}

// Once the code is there nothing is left to be decided.
static bool loaded_rate(field *f, double t, const double *z, double *dz) {
    const compiled *w = (const compiled *)f;
    f->rate_calls++;
    w->rate.run(t, z, w->sim->parameter_value, w->rate.c, dz);
    return are_finite(f->size, dz);
}

static bool rate(field *f, double t, const double *z, double *dz) {
    compiled *w = (compiled *)f;
    begin_at(w, t);
    if (w->own_rates) w->own_rates--;
    else prepare(w, &w->main, w->rate.t->step_count, t);
    if (w->rate.run) return (f->rate = loaded_rate)(f, t, z, dz);
    f->rate_calls++;
    return w->interpreter->rate(w->interpreter, t, z, dz);
}

static bool columns(field *f, double t, const double *z, double *out) {
    compiled *w = (compiled *)f;
    bool finite;
    bundle *b = w->rows.count ? &w->rows : &w->main;
    return run_compiled(w, b, &w->columns, t, z, out, &finite)
               ? finite
               : w->interpreter->columns(w->interpreter, t, z, out);
}

static void loaded_watch(field *f, double t, const double *z, double *out) {
    const compiled *w = (const compiled *)f;
    w->watch.run(t, z, w->sim->parameter_value, w->watch.c, out);
}

static void watch(field *f, double t, const double *z, double *out) {
    compiled *w = (compiled *)f;
    prepare(w, w->rows.count ? &w->rows : &w->main, w->watch.t->step_count, t);
    if (w->watch.run) (f->watch = loaded_watch)(f, t, z, out);
    else w->interpreter->watch(w->interpreter, t, z, out);
}

static bool events(field *f, double t, const double *z, double *out) {
    compiled *w = (compiled *)f;
    bool finite;
    return run_compiled(w, &w->main, &w->events, t, z, out, &finite)
               ? finite
               : w->interpreter->events(w->interpreter, t, z, out);
}

static bool jacobian(field *f, double t, const double *z, double *out) {
    compiled *w = (compiled *)f;
    bool finite;
    f->jacobian_calls++;
    if (!w->slopes.count) {
        bundle_add(&w->slopes, &w->jacobian, "hamel_jacobian", simulation_jacobian(w->sim));
        if (!w->at_once) bundle_load(&w->slopes, w->sim, FIND);
    }
    return run_compiled(w, &w->slopes, &w->jacobian, t, z, out, &finite)
               ? finite
               : w->interpreter->jacobian(w->interpreter, t, z, out);
}

// Coefficient k of a product costs k multiplications, and about half of the steps are products:
// with what else there is, an order p costs about p^2/5 runs of the tape.
static bool jet(field *f, double t, const double *z, uint32_t order, double *out) {
    compiled *w = (compiled *)f;
    f->jet_calls++;
    begin_at(w, t);
    if (!w->series.count && order <= MOST_SERIES) {
        bundle_add_series(&w->series, &w->jet, w->sim->rate, order);
        if (!w->at_once) {
            bundle_load(&w->series, w->sim, FIND);
            // by series is how this run is done
            w->base.how = w->series.code ? "compiled" : w->interpreter->how;
        }
    }
    if (order <= w->jet.order)
        prepare(w, &w->series, 0.2 * order * order * w->sim->rate->step_count, t);
    if (!w->jet.series || order > w->jet.order)
        return w->interpreter->jet(w->interpreter, t, z, order, out);
    if (w->jet.series(t, z, w->sim->parameter_value, w->jet.c, (int)order, out))
        recovery_jump(RECOVERY_NO_MEMORY); // no memory
    return many_are_finite((size_t)(order + 1) * f->size, out);
}

// What compiled steps save of an attempt, in steps of the interpreter: sums, calls and looks for
// what is finite; and the rates, where these are not compiled
static double saved_by_steps(const compiled *w, const tableau *pair) {
    static const double OF_SUMS = 2, OF_CALLS = 8, OF_RATES = 0.6;
    const double beside = OF_CALLS + OF_SUMS * w->base.size;
    return pair->last * (beside + (w->rate.run ? 0 : OF_RATES * w->sim->rate->step_count));
}

// Is there code for it, or does it pay to look for it in the cache or to compile it now?
static bool has_step(compiled *w, const tableau *pair, double t) {
    static const double PRICE_OF_LOOKING = 1e6;
    if (w->step.attempt || (w->pair.count && w->step.pair != pair)) return w->step.pair == pair;
    begin_at(w, t);
    if (!w->pair.count) bundle_add_pair(&w->pair, &w->step, w->sim->rate, pair);
    const double saved = saved_by_steps(w, pair), before = w->pair.spent;
    prepare(w, &w->pair, saved, t);
    if (before < PRICE_OF_LOOKING && before + saved >= PRICE_OF_LOOKING)
        bundle_load(&w->pair, w->sim, FIND);
    return w->step.attempt != NULL;
}

static bool attempt(field *f, const tableau *pair, double t, const double *z, double h,
                    double tolerance, double *k, double *work, double *z1, double *size) {
    compiled *w = (compiled *)f;
    if (!has_step(w, pair, t)) {
        w->own_rates = w->pair.tried ? 0 : pair->last - 1;
        return false;
    }
    *size = w->step.attempt(t, z, w->sim->parameter_value, w->step.c, h, tolerance, k, work, z1);
    f->rate_calls += pair->last - 1 + (pair->error_needs_last || *size <= 1 || isinf(*size));
    return true;
}

static void take_parameters(field *f) {
    compiled *w = (compiled *)f;
    const routine *const all[] = {&w->rate,     &w->columns, &w->watch, &w->events,
                                  &w->jacobian, &w->jet,     &w->step};
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->c) all[i]->fix(w->sim->parameter_value, all[i]->c);
    w->interpreter->take_parameters(w->interpreter);
}

static void release(field *f) {
    compiled *w = (compiled *)f;
    bundle_free(&w->main), bundle_free(&w->rows), bundle_free(&w->slopes), bundle_free(&w->series),
        bundle_free(&w->pair);
    field_free(w->interpreter);
    memory_free(w);
}

static compiled *create(simulation *sim) {
    compiled *w = memory_new(compiled);
    *w = (compiled){.sim = sim, .interpreter = field_interpreted(sim)};
    w->base = (field){.sim = sim,
                      .size = sim->o->size,
                      .rate = rate,
                      .columns = columns,
                      .watch = watch,
                      .jacobian = jacobian,
                      .take_parameters = take_parameters,
                      .release = release};
    if (w->interpreter->jet) w->base.jet = jet;
    if (sim->o->size && sim->rate->step_count <= LONG) w->base.attempt = attempt;
    bundle_add(&w->main, &w->rate, "hamel_rate", sim->rate);
    bundle *rows = sim->columns->step_count <= LONG ? &w->main : &w->rows;
    bundle_add(rows, &w->columns, "hamel_columns", sim->columns);
    if (sim->watch) bundle_add(rows, &w->watch, "hamel_watch", sim->watch);
    if (sim->events)
        bundle_add(&w->main, &w->events, "hamel_events", sim->events), w->base.events = events;
    return w;
}

// At once, or NULL: there is no compiler or it failed, and `error` says why. What is rarely asked
// for (the Jacobian) is compiled when it first is, long rates when they are asked for again and
// again, long rows where that pays on the way to `end`; interpreted if that fails.
static field *compiled_field(simulation *sim, double end, const char **error) {
    compiled *w = create(sim);
    w->start = sim->t0, w->end = end;
    w->at_once = true;
    w->base.how = "compiled";
    if (sim->rate->step_count > LONG) w->main.patience = TRIALS;
    *error = bundle_load(&w->main, sim, w->main.patience ? FIND : LOAD);
    if (!*error) return &w->base;
    release(&w->base);
    return NULL;
}

// Interpreted until that has become more expensive than compiling, as far as can be told from the
// part of the way to `end` that was covered; compiled at once if the cache holds the code. Decided
// by counting steps, not by a clock. Results do not depend on it: both do the same operations in
// the same order.
static field *cheapest_field(simulation *sim, double end) {
    compiled *w = create(sim);
    w->start = sim->t0, w->end = end;
    bundle_load(&w->main, sim, FIND);
    if (w->rows.count && w->main.code) bundle_load(&w->rows, sim, FIND);
    w->base.how = w->main.code ? "compiled" : w->interpreter->how;
    return &w->base;
}

field *field_asked_for(simulation *sim, const char *how, double end) {
    const char *error = NULL;
    if (!how || strcmp(how, "auto") == 0) return cheapest_field(sim, end);
    if (strcmp(how, "compiled") != 0 && strcmp(how, "interpreted") != 0) {
        diag_error(sim->m->ctx, (span){0}, "there are: auto, compiled, interpreted",
                   "there is no execution `%s`", how);
        return NULL;
    }
    field *f = strcmp(how, "compiled") == 0 ? compiled_field(sim, end, &error) : NULL;
    if (f) return f;
    f = field_interpreted(sim);
    if (error) {
        warn(sim, error);
        f->how = interpreted_because(sim, error);
    }
    return f;
}
