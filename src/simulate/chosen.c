// A field that is interpreted while that is cheaper, and compiled from then on.
#include "simulate/compiled.h"

#include <math.h>
#include <stdlib.h>

// In steps of the interpreter, of which there are about 4e8 a second: a compiler takes 0.04 s to start and 0.15 ms for each step of the tape.
static const double PRICE_OF_COMPILER = 16e6, PRICE_OF_STEP = 60e3;
// The part of what is left that compiled code saves.
static const double SAVED = 0.9;
enum { FIRST_LOOK = 8 }; // a part of the price after which the way that was covered says something about what is left

// What running one tape has cost so far, and what compiling it would.
typedef struct {
    double spent, price, look_at;
} meter;

typedef struct {
    field base;
    simulation *system;
    double start, end; // of the run
    meter rate, jacobian;
    bool failed;
    field *interpreted, *compiled; // compiled: NULL until then
} chosen;

static meter meter_for(double steps) {
    const double price = PRICE_OF_COMPILER + PRICE_OF_STEP * steps;
    return (meter){.price = price, .look_at = price / FIRST_LOOK};
}

// After twice, four times, .. the first look: is what is left, at the pace so far, worth the price?
static bool pays(meter *m, double steps, double covered) {
    m->spent += steps;
    if (m->spent < m->look_at) return false;
    m->look_at = 2 * m->spent;
    return !(covered > 0) || m->spent * (1 - covered) / covered * SAVED > m->price;
}

static double covered(const chosen *w, double t) { return (t - w->start) / (w->end - w->start); }

static void compile(chosen *w) {
    const char *error = NULL;
    w->compiled = field_compiled(w->system, &error);
    w->failed = !w->compiled;
    if (w->compiled) w->base.how = "interpreted, then compiled";
    else w->base.how = arena_format(&w->system->m->ctx->arena, "interpreted (%.*s)", (int)strcspn(error, "\n"), error);
}

static bool rate(field *f, double t, const double *z, double *dz) {
    chosen *w = (chosen *)f;
    if (!f->rate_calls++) w->start = t;
    if (!w->compiled && !w->failed && pays(&w->rate, w->system->rate->step_count, covered(w, t))) compile(w);
    field *by = w->compiled ? w->compiled : w->interpreted;
    return by->rate(by, t, z, dz);
}

static bool columns(field *f, double t, const double *z, double *out) {
    chosen *w = (chosen *)f;
    field *by = w->compiled ? w->compiled : w->interpreted;
    return by->columns(by, t, z, out);
}

static bool events(field *f, double t, const double *z, double *out) {
    chosen *w = (chosen *)f;
    field *by = w->compiled ? w->compiled : w->interpreted;
    return by->events(by, t, z, out);
}

// The Jacobian has a price of its own, and is compiled only where the rates are.
static bool jacobian(field *f, double t, const double *z, double *out) {
    chosen *w = (chosen *)f;
    const double steps = simulation_jacobian(w->system)->step_count;
    if (!f->jacobian_calls++) w->jacobian = meter_for(steps);
    const bool pay = w->jacobian.paid || pays(&w->jacobian, steps, covered(w, t));
    field *by = w->compiled && pay ? w->compiled : w->interpreted;
    return by->jacobian(by, t, z, out);
}
