// Code of a system for several threads, and what each thread has of its own.
#include "execute/shared_code.h"

#include "base/processor.h"
#include "base/recovery.h"
#include "execute/bundle.h"
#include "execute/data_pieces.h"
#include "execute/jets.h"
#include "execute/machine.h"

#include <math.h>
#include <string.h>

struct shared_code {
    simulation *sim;
    uint32_t kinds;
    bundle main, rows, slopes, series;
    routine routine[SHARED_KINDS], watch, events; // the last two only stand in the same code
};

struct shared_work {
    const shared_code *code;
    simulation sim;                // as the code's, with parameters and pieces of data of its own
    double *c[SHARED_KINDS];       // of compiled code: what depends on parameters alone
    machine machine[SHARED_KINDS]; // .. of what is not compiled
    jets *taylor;
};

static bool has(const shared_code *w, shared_kind kind) { return w->kinds >> kind & 1; }

// --- code ----------------------------------------------------------------------------------------

static const char *load(bundle *b, const simulation *sim) {
    return b->count ? bundle_load(b, sim, LOAD) : NULL;
}

// The same code as that of a field (compiled.c), so that one compilation serves both.
static const char *compile(shared_code *w) {
    simulation *sim = w->sim;
    routine *r = w->routine;
    bundle_add(&w->main, &r[SHARED_RATE], "hamel_rate", sim->rate);
    bundle *rows = sim->columns->step_count <= LONG ? &w->main : &w->rows;
    if (rows == &w->main || has(w, SHARED_COLUMNS)) {
        bundle_add(rows, &r[SHARED_COLUMNS], "hamel_columns", sim->columns);
        if (sim->watch) bundle_add(rows, &w->watch, "hamel_watch", sim->watch);
    }
    if (sim->events) bundle_add(&w->main, &w->events, "hamel_events", sim->events);
    if (has(w, SHARED_JACOBIAN))
        bundle_add(&w->slopes, &r[SHARED_JACOBIAN], "hamel_jacobian", sim->jacobian);
    if (has(w, SHARED_SERIES))
        bundle_add_series(&w->series, &r[SHARED_SERIES], sim->rate, SHARED_MOST_ORDER);
    const char *error = load(&w->main, sim);
    if (!error) error = load(&w->rows, sim);
    if (!error) error = load(&w->slopes, sim);
    return error ? error : load(&w->series, sim);
}

shared_code *shared_code_create(simulation *sim, uint32_t kinds, bool compiled,
                                const char **error) {
    shared_code *w = memory_new(shared_code);
    *w = (shared_code){.sim = sim, .kinds = kinds};
    *error = NULL;
    if (has(w, SHARED_JACOBIAN)) simulation_jacobian(sim);
    if (compiled) *error = compile(w);
    return w;
}

void shared_code_free(shared_code *w) {
    if (!w) return;
    bundle_free(&w->main), bundle_free(&w->rows), bundle_free(&w->slopes), bundle_free(&w->series);
    memory_free(w);
}

static bool is_loaded(const routine *r) { return r->run || r->series; }

static const tape *tape_of(const shared_code *w, shared_kind kind) {
    const simulation *sim = w->sim;
    return kind == SHARED_JACOBIAN  ? sim->jacobian
           : kind == SHARED_COLUMNS ? sim->columns
                                    : sim->rate;
}

// --- work areas ----------------------------------------------------------------------------------

static void own_parameters(shared_work *w) {
    const simulation *of = w->code->sim;
    const size_t count = of->parameter_count;
    w->sim = *of;
    w->sim.parameter_value = memory_array(double, count + 1);
    w->sim.exact.parameter = memory_array(expansion, count + 1);
    memcpy(w->sim.parameter_value, of->parameter_value, count * sizeof(double));
    memcpy(w->sim.exact.parameter, of->exact.parameter, count * sizeof(expansion));
    if (!of->data) return;
    w->sim.data = memory_new(data_pieces);
    *w->sim.data = *of->data;
    w->sim.data->piece = memory_array(uint32_t, of->data->count + 1);
    memcpy(w->sim.data->piece, of->data->piece, of->data->count * sizeof(uint32_t));
}

// With the memory that the highest order takes
static jets *make_series(const shared_work *w) {
    const size_t size = w->sim.o->size;
    jets *made = jets_create(w->sim.rate, true, w->sim.parameter_value, processor_fuses());
    double *out = memory_array(double, (SHARED_MOST_ORDER + 1) * size + 1);
    jets_of_solution(made, w->sim.t0, w->sim.z0, SHARED_MOST_ORDER, out);
    memory_free(out);
    return made;
}

// What was computed of the parameters
static void take_parameters(shared_work *w) {
    const double *p = w->sim.parameter_value;
    for (int k = 0; k < SHARED_KINDS; k++) {
        if (w->c[k]) w->code->routine[k].fix(p, w->c[k]);
        if (w->machine[k].t) machine_set_parameters(&w->machine[k], p);
    }
    if (!w->taylor) return;
    jets *made = make_series(w);
    jets_free(w->taylor);
    w->taylor = made;
}

shared_work *shared_work_create(const shared_code *code) {
    shared_work *w = memory_new(shared_work);
    *w = (shared_work){.code = code};
    own_parameters(w);
    const double *p = w->sim.parameter_value;
    for (int k = 0; k < SHARED_KINDS; k++) {
        const routine *r = &code->routine[k];
        if (!has(code, (shared_kind)k)) continue;
        if (is_loaded(r)) w->c[k] = memory_array(double, r->place_count + 1);
        else if (k == SHARED_SERIES) w->taylor = make_series(w);
        else machine_init(&w->machine[k], tape_of(code, (shared_kind)k), p);
    }
    for (int k = 0; k < SHARED_KINDS; k++)
        if (w->c[k]) code->routine[k].fix(p, w->c[k]);
    return w;
}

void shared_work_free(shared_work *w) {
    if (!w) return;
    for (int k = 0; k < SHARED_KINDS; k++) memory_free(w->c[k]), machine_free(&w->machine[k]);
    jets_free(w->taylor);
    if (w->sim.data) memory_free(w->sim.data->piece), memory_free(w->sim.data);
    memory_free(w->sim.parameter_value), memory_free(w->sim.exact.parameter);
    memory_free(w);
}

const double *shared_work_parameters(const shared_work *w) { return w->sim.parameter_value; }

void shared_work_set(shared_work *w, const double *parameter) {
    for (uint32_t i = 0; i < w->sim.stated_count; i++) {
        if (w->sim.parameter_value[i] == parameter[i]) continue; // its further digits stay
        w->sim.parameter_value[i] = parameter[i];
        w->sim.exact.parameter[i] = (expansion){{parameter[i]}};
    }
    take_parameters(w);
}

bool shared_work_has_data(const shared_work *w) { return w->sim.data != NULL; }

void shared_work_forget(shared_work *w) {
    for (uint32_t i = 0; w->sim.data && i < w->sim.data->count; i++)
        w->sim.data->piece[i] = UINT32_MAX;
}

bool shared_work_enter(shared_work *w, double t) {
    if (data_pieces_short(&w->sim, t, t)) return false;
    if (data_pieces_enter(&w->sim, t)) take_parameters(w);
    return true;
}

// --- running -------------------------------------------------------------------------------------

// 0 x is 0 where x is finite, else not a number.
static bool are_finite(size_t count, const double *x) {
    double a = 0, b = 0, c = 0, d = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        a += 0 * x[i], b += 0 * x[i + 1], c += 0 * x[i + 2], d += 0 * x[i + 3];
    for (; i < count; i++) a += 0 * x[i];
    return (a + b) + (c + d) == 0;
}

bool shared_work_run(shared_work *w, shared_kind kind, double t, const double *z, double *out) {
    const routine *r = &w->code->routine[kind];
    if (!r->run) return machine_run(&w->machine[kind], t, z, out);
    r->run(t, z, w->sim.parameter_value, w->c[kind], out);
    return are_finite(r->t->output_count, out);
}

bool shared_work_series(shared_work *w, double t, const double *z, uint32_t order, double *out) {
    const routine *r = &w->code->routine[SHARED_SERIES];
    if (!r->series) return jets_of_solution(w->taylor, t, z, order, out);
    if (r->series(t, z, w->sim.parameter_value, w->c[SHARED_SERIES], (int)order, out))
        recovery_jump(RECOVERY_NO_MEMORY);
    return are_finite((size_t)(order + 1) * w->sim.o->size, out);
}
