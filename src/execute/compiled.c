// A field whose functions are compiled code, from the start or from where it pays.
#include "execute/compiled.h"

#include "base/processor.h"
#include "base/recovery.h"
#include "codegen/emit.h"
#include "execute/module.h"

#include <math.h>
#include <string.h>

// In steps of the interpreter, which does about 1e9 a second: a compiler takes 0.04 s to start and
// 0.15 ms for each step of the tape; for Taylor series, loops where they are long, 0.15 s, 0.01 ms.
static const double PRICE_OF_COMPILER = 40e6, PRICE_OF_STEP = 150e3, PRICE_OF_SERIES = 150e6,
                    PRICE_OF_SERIES_STEP = 10e3;
// The part of an interpreted step that compiled code saves, and often more; of long series,
// whose loops the interpreter runs too.
static const double SAVED = 0.6, SAVED_OF_LONG_SERIES = 0.2;
enum {
    // after this part of the price the pace so far is taken as that of the rest of the run
    FIRST_LOOK = 8,
    // steps; columns with more are compiled apart from the rates and only if it pays, since rows
    // are few
    LONG = 1000,
    // calls of long rates before they are compiled: choosing a method takes no more
    TRIALS = 200,
    MOST_ROUTINES = 4, // of one module
    MOST_SERIES = 30,  // order of compiled Taylor coefficients; beyond it they are interpreted
};

// As emit_tape() writes them.
typedef void fixed_function(const double *p, double *c);
typedef void moving_function(double t, const double *z, const double *p, const double *c,
                             double *out);
// As emit_jet() writes it.
typedef int series_function(double t, const double *z, const double *p, const double *c, int order,
                            double *out);

typedef struct {
    const char *name;
    const tape *t;
    bool is_series;          // Taylor coefficients of the solution, not the values of the tape
    uint32_t place_count;    // of c
    moving_function *run;    // NULL: not loaded, interpreted
    series_function *series; // the same for Taylor coefficients
    fixed_function *fix;     // what depends on parameters only,
    double *c;               // .. computed once
} routine;

// What is compiled together.
typedef struct {
    uint32_t count;
    routine *list[MOST_ROUTINES];
    module *code;
    bool tried;
    // how often it was asked for; how often it may be before it is compiled
    uint32_t calls, patience;
    double spent, price, look_at; // in steps of the interpreter
    double saved;                 // the part of them that compiled code saves
} bundle;

typedef struct {
    field base;
    simulation *sim;
    bool at_once;      // compile when first asked, whatever it costs
    double start, end; // of the run
    bool started;
    bundle main, rows, slopes, series;
    uint32_t order; // of the compiled series: the first that was asked for
    routine rate, columns, watch, events, jacobian, jet;
    field *interpreter; // for what is not loaded
} compiled;

// --- loading -------------------------------------------------------------------------------------

// What $CC may add changes types and calls (-Ddouble=int, -mabi=ms). A module has this function
// with arguments as the others have them, which reads and writes nothing: its value tells whether
// the others can be called.
typedef double probe_function(double t, const double *z, int order);
static const char PROBE[] =
    "double hamel_probe(double t, const double *z, int order) {\n"
    "    return t / 2 + order + 64 * (int)sizeof *z + (int)((long)z & 63);\n"
    "}\n\n";

static bool can_be_called(const module *code) {
    probe_function *probe = (probe_function *)module_symbol(code, "hamel_probe");
    _Alignas(64) const double z[64] = {0};
    return probe && probe(3, z + 5, 1000) == 1.5 + 1000 + 64 * 8 + 40;
}

static void add_routine(bundle *b, routine *r, const char *name, const tape *t) {
    *r = (routine){.name = name, .t = t};
    b->list[b->count++] = r;
    b->price = (b->count == 1 ? PRICE_OF_COMPILER : b->price) + PRICE_OF_STEP * t->step_count;
    b->look_at = b->price / FIRST_LOOK;
    b->saved = SAVED;
}

static void add_series(bundle *b, routine *r, const tape *t) {
    add_routine(b, r, "hamel_jet", t);
    r->is_series = true;
    b->price = PRICE_OF_SERIES + PRICE_OF_SERIES_STEP * t->step_count;
    b->look_at = b->price / FIRST_LOOK;
    if (t->step_count > LONG) b->saved = SAVED_OF_LONG_SERIES;
}

static void write_source(const compiled *w, bundle *b, text *source) {
    scalar_type as = scalar_type_double;
    as.qualifier = ""; // symbols that the loader can find
    as.fused = processor_fuses();
    text_format(source, "%s\n\n%s", as.include, PROBE);
    for (uint32_t i = 0; i < b->count; i++) {
        routine *r = b->list[i];
        r->place_count = r->is_series
                             ? emit_jet(r->t, &as, r->name, w->order, EMIT_JET_SHORT, source)
                             : emit_tape(r->t, &as, r->name, source);
    }
}

static module_function find_fixed(const routine *r, const module *code) {
    text name = {0};
    text_format(&name, "%s_fixed", r->name);
    const module_function found = module_symbol(code, text_string(&name));
    text_free(&name);
    return found;
}

// The functions of a routine in loaded code. False: they are not there.
static bool attach(routine *r, const module *code, const simulation *sim) {
    r->fix = (fixed_function *)find_fixed(r, code);
    const module_function moving = module_symbol(code, r->name);
    if (!r->fix || !moving) return false;
    r->c = memory_array(double, r->place_count + 1);
    r->fix(sim->parameter_value, r->c);
    if (r->is_series) r->series = (series_function *)moving;
    else r->run = (moving_function *)moving;
    return true;
}

static void detach(routine *r) {
    memory_free(r->c);
    r->c = NULL, r->run = NULL, r->series = NULL;
}

typedef enum { FIND, LOAD } effort;

// Compiled if need be, or taken from the cache or not at all. NULL, or why it failed.
static const char *load(compiled *w, bundle *b, effort how) {
    const char *error = NULL;
    text source = {0};
    write_source(w, b, &source);
    context *ctx = w->sim->m->ctx;
    if (how == FIND) b->code = module_find(ctx, text_string(&source), scalar_type_double.library);
    else b->code = module_load(ctx, text_string(&source), scalar_type_double.library, &error);
    text_free(&source);
    b->tried = how == LOAD;
    if (!b->code) return error;
    const bool callable = can_be_called(b->code);
    uint32_t found = 0;
    while (callable && found < b->count && attach(b->list[found], b->code, w->sim)) found++;
    if (found == b->count) return NULL;
    for (uint32_t i = 0; i < b->count; i++) detach(b->list[i]);
    module_discard(b->code), b->code = NULL;
    return "the compiled code cannot be called: does $CC hide its symbols, or change types or "
           "calls?";
}

// --- choosing ------------------------------------------------------------------------------------

// After the first look, twice, four times .. as much: is what is left, at the
// pace so far, worth the price?
static bool pays(const compiled *w, bundle *b, double steps, double t) {
    b->spent += steps;
    if (b->spent < b->look_at) return false;
    b->look_at = 2 * b->spent;
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
    const char *error = load(w, b, LOAD);
    if (error && w->at_once) warn(w->sim, error);
    if (error) w->base.how = interpreted_because(w->sim, error);
    else if (!w->at_once && (b == &w->main || b == &w->series))
        w->base.how = "interpreted, then compiled";
}

// Compiles the bundle where it is time for that. With `at_once` that is as soon as patience is
// over, except for rows.
static void prepare(compiled *w, bundle *b, double steps, double t) {
    if (b->code || b->tried) return;
    if (w->at_once && b != &w->rows ? b->calls++ >= b->patience : pays(w, b, steps, t))
        compile(w, b);
}

// 0 x is 0 where x is finite, else not a number. Several sums, so that none waits for another:
// every coefficient of every step is looked at.
static bool are_finite(size_t count, const double *x) {
    enum { ABREAST = 4 };
    double sum[ABREAST] = {0};
    size_t i = 0;
    for (; i + ABREAST <= count; i += ABREAST)
        for (size_t a = 0; a < ABREAST; a++) sum[a] += 0 * x[i + a];
    for (; i < count; i++) sum[0] += 0 * x[i];
    return sum[0] + sum[1] + (sum[2] + sum[3]) == 0;
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
    prepare(w, &w->main, w->rate.t->step_count, t);
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

static bool watch(field *f, double t, const double *z, double *out) {
    compiled *w = (compiled *)f;
    bool finite;
    bundle *b = w->rows.count ? &w->rows : &w->main;
    return run_compiled(w, b, &w->watch, t, z, out, &finite)
               ? finite
               : w->interpreter->watch(w->interpreter, t, z, out);
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
        add_routine(&w->slopes, &w->jacobian, "hamel_jacobian", simulation_jacobian(w->sim));
        if (!w->at_once) load(w, &w->slopes, FIND);
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
        w->order = order;
        add_series(&w->series, &w->jet, w->sim->rate);
        if (!w->at_once) {
            load(w, &w->series, FIND);
            // by series is how this run is done
            w->base.how = w->series.code ? "compiled" : w->interpreter->how;
        }
    }
    if (order <= w->order)
        prepare(w, &w->series, 0.2 * order * order * w->sim->rate->step_count, t);
    if (!w->jet.series || order > w->order)
        return w->interpreter->jet(w->interpreter, t, z, order, out);
    if (w->jet.series(t, z, w->sim->parameter_value, w->jet.c, (int)order, out))
        recovery_jump(RECOVERY_NO_MEMORY); // no memory
    return are_finite((size_t)(order + 1) * f->size, out);
}

static void take_parameters(field *f) {
    compiled *w = (compiled *)f;
    const routine *const all[] = {&w->rate,   &w->columns,  &w->watch,
                                  &w->events, &w->jacobian, &w->jet};
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->c) all[i]->fix(w->sim->parameter_value, all[i]->c);
    w->interpreter->take_parameters(w->interpreter);
}

static void release(field *f) {
    compiled *w = (compiled *)f;
    memory_free(w->rate.c), memory_free(w->columns.c), memory_free(w->watch.c),
        memory_free(w->events.c), memory_free(w->jacobian.c), memory_free(w->jet.c);
    module_free(w->main.code), module_free(w->rows.code), module_free(w->slopes.code),
        module_free(w->series.code);
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
    add_routine(&w->main, &w->rate, "hamel_rate", sim->rate);
    bundle *rows = sim->columns->step_count <= LONG ? &w->main : &w->rows;
    add_routine(rows, &w->columns, "hamel_columns", sim->columns);
    if (sim->watch) add_routine(rows, &w->watch, "hamel_watch", sim->watch);
    if (sim->events)
        add_routine(&w->main, &w->events, "hamel_events", sim->events), w->base.events = events;
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
    *error = load(w, &w->main, w->main.patience ? FIND : LOAD);
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
    load(w, &w->main, FIND);
    if (w->rows.count && w->main.code) load(w, &w->rows, FIND);
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
