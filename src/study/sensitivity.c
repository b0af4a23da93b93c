// Derivatives at a fixed time and at an event.
#include "study/sensitivity.h"

#include "execute/machine.h"

#include <string.h>

typedef struct {
    flow *w;
    const variation_request *asked;
    arena *arena;
    uint32_t sets; // of numbers for each function: value, rate, slopes, second ones
} work;

// Values of functions with all their derivatives, set after set; NULL: one is not finite
static double *evaluate(const work *k, uint32_t count, const expr *function) {
    const simulation *sim = flow_system(k->w);
    expr *closed = arena_array(k->arena, expr, count + 1);
    ode_expressions(sim->o, count, function, closed);
    tape *t = variation_tape(sim, flow_extended(k->w), k->asked, count, closed);
    double *out = arena_array(k->arena, double, (size_t)count * k->sets + 1);
    machine run;
    machine_init(&run, t, sim->parameter_value);
    const bool finite = machine_run(&run, flow_time(k->w), flow_state(k->w), out);
    machine_free(&run);
    tape_free(t);
    return finite ? out : NULL;
}

// d/dt of a function of (z, t) along the motion
static expr rate_of(const work *k, expr g) {
    const simulation *sim = flow_system(k->w);
    const ode *o = sim->o;
    expr *variable = arena_array(k->arena, expr, 2 * (o->size + 1)), *rate = variable + o->size + 1;
    for (uint32_t i = 0; i < o->size; i++) variable[i] = o->state[i], rate[i] = o->rate[i];
    variable[o->size] = sim->m->time, rate[o->size] = EXPR_ONE;
    expr_pushforward(sim->m->pool, o->size + 1, variable, rate, 1, &g, &g);
    return g;
}

// g = 0 is touched, not crossed, where the depth g'^2/(2 |g''|) to which g goes on is no more than
// what the motion itself may be wrong by: then the time is not determined.
static bool is_touched(const work *k, expr g, double rate) {
    static const double TOLERANCES = 1e3;
    const simulation *sim = flow_system(k->w);
    ode_expressions(sim->o, 1, &g, &g);
    const expr first = rate_of(k, g);
    const double *second = evaluate(k, 1, &first), *z = flow_state(k->w);
    double size = 1;
    for (uint32_t i = 0; i < sim->o->size; i++) size = fmax(size, fabs(z[i]));
    const double unsure = TOLERANCES * fmax(flow_tolerance(k->w), 1e-16) * size;
    return !second || !(rate * rate > 2 * fabs(second[1]) * unsure);
}

static bool find_time(const work *k, const event *at, sensitivity *out) {
    const uint32_t data = k->asked->columns;
    const double *g = evaluate(k, 1, &at->value);
    if (!g) return false;
    out->grazes = is_touched(k, at->value, g[1]);
    for (uint32_t a = 0; a < data && !out->grazes; a++) out->time[a] = -g[2 + a] / g[1];
    return true;
}

bool sensitivity_look(flow *w, const variation_request *asked, uint32_t count, const expr *function,
                      const event *at, sensitivity *out) {
    const uint32_t data = asked->columns, pairs = asked->second ? variation_pairs(data) : 0;
    const work k = {
        .w = w, .asked = asked, .arena = &flow_system(w)->m->ctx->arena, .sets = 2 + data + pairs};
    *out = (sensitivity){.event = at ? at->name : NULL, .t = flow_time(w)};
    out->time = arena_array(k.arena, double, data + 1);
    out->value = arena_array(k.arena, double, count + 1);
    out->slope = arena_array(k.arena, double, (size_t)count *data + 1);
    if (pairs && !at) out->bend = arena_array(k.arena, double, (size_t)count *pairs + 1);
    if (at && !find_time(&k, at, out)) return false;
    const double *all = evaluate(&k, count, function);
    if (!all) return false;
    for (uint32_t i = 0; i < count; i++) {
        out->value[i] = all[i];
        for (uint32_t a = 0; a < data && !out->grazes; a++)
            out->slope[i * data + a] = all[(2 + a) * count + i] + all[count + i] * out->time[a];
        for (uint32_t b = 0; b < pairs && out->bend; b++)
            out->bend[i * pairs + b] = all[(2 + data + b) * count + i];
    }
    return true;
}
