// The interpreter: three-address code run over doubles; its Taylor coefficients by the recurrences
// of Taylor arithmetic are in jets.c.
#include "execute/field.h"

#include "base/processor.h"
#include "execute/jets.h"
#include "execute/machine.h"

typedef struct {
    field base;
    simulation *sim;
    machine rate, columns, watch, events, jacobian;
    jets *taylor;
} interpreter;

static bool rate(field *f, double t, const double *z, double *dz) {
    f->rate_calls++;
    return machine_run(&((interpreter *)f)->rate, t, z, dz);
}

static bool columns(field *f, double t, const double *z, double *out) {
    return machine_run(&((interpreter *)f)->columns, t, z, out);
}
static void watch(field *f, double t, const double *z, double *out) {
    machine_run(&((interpreter *)f)->watch, t, z, out);
}
static bool events(field *f, double t, const double *z, double *out) {
    return machine_run(&((interpreter *)f)->events, t, z, out);
}

static bool jacobian(field *f, double t, const double *z, double *out) {
    interpreter *w = (interpreter *)f;
    f->jacobian_calls++;
    if (!w->jacobian.t)
        machine_init(&w->jacobian, simulation_jacobian(w->sim), w->sim->parameter_value);
    return machine_run(&w->jacobian, t, z, out);
}

static bool jet(field *f, double t, const double *z, uint32_t order, double *out) {
    interpreter *w = (interpreter *)f;
    f->jet_calls++;
    if (!w->taylor)
        w->taylor = jets_create(w->sim->rate, true, w->sim->parameter_value, processor_fuses());
    return jets_of_solution(w->taylor, t, z, order, out);
}

static void take_parameters(field *f) {
    interpreter *w = (interpreter *)f;
    machine *const all[] = {&w->rate, &w->columns, &w->watch, &w->events, &w->jacobian};
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->t) machine_set_parameters(all[i], w->sim->parameter_value);
    jets_free(w->taylor), w->taylor = NULL; // made when they are asked for
}

static void release(field *f) {
    interpreter *w = (interpreter *)f;
    jets_free(w->taylor);
    machine_free(&w->rate), machine_free(&w->columns), machine_free(&w->watch),
        machine_free(&w->events), machine_free(&w->jacobian);
    memory_free(w);
}

field *field_interpreted(simulation *sim) {
    interpreter *w = memory_new(interpreter);
    *w = (interpreter){.sim = sim};
    w->base = (field){.sim = sim,
                      .size = sim->o->size,
                      .rate = rate,
                      .columns = columns,
                      .watch = watch,
                      .jacobian = jacobian,
                      .jet = jet,
                      .take_parameters = take_parameters,
                      .release = release,
                      .how = "interpreted"};
    machine_init(&w->rate, sim->rate, sim->parameter_value);
    machine_init(&w->columns, sim->columns, sim->parameter_value);
    if (sim->watch) machine_init(&w->watch, sim->watch, sim->parameter_value);
    if (sim->events)
        machine_init(&w->events, sim->events, sim->parameter_value), w->base.events = events;
    return &w->base;
}

void field_free(field *f) {
    if (f) f->release(f);
}
