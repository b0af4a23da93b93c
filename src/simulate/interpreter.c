// The interpreter: three-address code run over doubles, step by step; its Taylor coefficients by the recurrences of Taylor arithmetic are in jets.c.
#include "simulate/field.h"
#include "simulate/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    field base;
    simulation *system;
    machine rate, columns, events, jacobian;
} interpreter;

void machine_init(machine *m, const tape *t, const simulation *s) {
    *m = (machine){.t = t, .value = memory_resize(NULL, sizeof(double) * (tape_register_count(t) + 1)), .fresh = true};
    memcpy(m->value + t->state_count + 1, s->parameter_value, sizeof(double) * s->parameter_count);
    for (uint32_t i = 0; i < t->constant_count; i++) m->value[t->input_count + i] = tape_constant(t, i);
}

static double sign_of(double x) { return (x > 0) - (x < 0); }

static double execute(tape_operation operation, double a, double b) {
    switch (operation) {
    case TAPE_ADD: return a + b;
    case TAPE_SUB: return a - b;
    case TAPE_MUL: return a * b;
    case TAPE_DIV: return a / b;
    case TAPE_NEG: return -a;
    case TAPE_SQRT: return sqrt(a);
    case TAPE_POW: return pow(a, b);
    case TAPE_SIN: return sin(a);
    case TAPE_COS: return cos(a);
    case TAPE_TAN: return tan(a);
    case TAPE_ASIN: return asin(a);
    case TAPE_ACOS: return acos(a);
    case TAPE_ATAN: return atan(a);
    case TAPE_ATAN2: return atan2(a, b);
    case TAPE_SINH: return sinh(a);
    case TAPE_COSH: return cosh(a);
    case TAPE_TANH: return tanh(a);
    case TAPE_EXP: return exp(a);
    case TAPE_LOG: return log(a);
    case TAPE_ABS: return fabs(a);
    case TAPE_SIGN: return sign_of(a);
    case TAPE_KINDS: break;
    }
    return NAN;
}

// Steps that do not depend on the state are run again only when they must be.
bool machine_run(machine *m, double t, const double *z, double *out) {
    const tape *g = m->t;
    memcpy(m->value, z, sizeof(double) * g->state_count);
    m->value[g->state_count] = t;
    const tape_level from = m->fresh ? TAPE_FIXED : t != m->time ? TAPE_TIMED : TAPE_STATE;
    double *result = m->value + g->input_count + g->constant_count;
    for (uint32_t i = 0; i < g->step_count; i++) {
        const tape_step *s = &g->step[i];
        if (s->level >= from) result[i] = execute(s->operation, m->value[s->a], m->value[s->b]);
    }
    m->fresh = false, m->time = t;
    bool finite = true;
    for (uint32_t i = 0; i < g->output_count; i++) {
        out[i] = m->value[g->output[i]];
        finite = finite && isfinite(out[i]);
    }
    return finite;
}

static bool rate(field *f, double t, const double *z, double *dz) {
    f->rate_calls++;
    return machine_run(&((interpreter *)f)->rate, t, z, dz);
}

static bool columns(field *f, double t, const double *z, double *out) { return machine_run(&((interpreter *)f)->columns, t, z, out); }
static bool events(field *f, double t, const double *z, double *out) { return machine_run(&((interpreter *)f)->events, t, z, out); }

static bool jacobian(field *f, double t, const double *z, double *out) {
    interpreter *w = (interpreter *)f;
    f->jacobian_calls++;
    if (!w->jacobian.t) machine_init(&w->jacobian, simulation_jacobian(w->system), w->system);
    return machine_run(&w->jacobian, t, z, out);
}

static void release(field *f) {
    interpreter *w = (interpreter *)f;
    free(w->rate.value), free(w->columns.value), free(w->events.value), free(w->jacobian.value);
    free(w);
}

field *field_interpreted(simulation *s) {
    interpreter *w = memory_resize(NULL, sizeof *w);
    *w = (interpreter){.system = s};
    w->base = (field){.system = s, .size = s->o->size, .rate = rate, .columns = columns, .jacobian = jacobian, .release = release, .how = "interpreted"};
    machine_init(&w->rate, s->rate, s);
    machine_init(&w->columns, s->columns, s);
    if (s->events) machine_init(&w->events, s->events, s), w->base.events = events;
    return &w->base;
}

void field_free(field *f) {
    if (f) f->release(f);
}
