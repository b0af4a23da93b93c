// Shifts taken off the state and put on again.
#include "integrate/shifts.h"

#include "model/mechanics.h"

#include <math.h>
#include <string.h>

// --- which ---------------------------------------------------------------------------------------

// Everything that is computed of a state: rates, columns, events, and the functions
// that projections and choices of velocities look at. The columns of the
// coordinates come first: t, q_1 .. q_n.
static expr *all_but_coordinates(const simulation *sim, uint32_t *count) {
    const mechanics *s = sim->eq->system;
    const uint32_t constraints = s->k + s->h, shown = sim->column_count - 1 - s->n;
    expr *list = memory_array(expr, sim->o->size + shown + sim->m->events_count + constraints + 1),
         *next = list;
    memcpy(next, sim->o->rate, sizeof(expr) * sim->o->size), next += sim->o->size;
    for (uint32_t i = 0; i < shown; i++) *next++ = sim->column[1 + s->n + i].value;
    for (uint32_t i = 0; i < sim->m->events_count; i++)
        *next++ = ode_expression(sim->o, sim->m->events[i].value);
    for (uint32_t i = 0; i < constraints; i++) *next++ = sim->m->constraints[s->constraint[i]].phi;
    *next++ = s->lagrangian;
    *count = (uint32_t)(next - list);
    return list;
}

shift *shifts_add(shifts *w, uint32_t leader, double far) {
    list_push(w, list, (shift){leader, far, memory_zeros(int32_t, w->n)});
    return &w->list[w->list_count - 1];
}

shifts *shifts_create(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    shifts *w = memory_new(shifts);
    uint32_t count;
    expr *seen = all_but_coordinates(sim, &count);
    w->n = s->n, w->period = memory_zeros(expansion, s->n + 1);
    angle_unwrapping_find(w, s, count, seen);
    common_translation_find(w, s, count, seen);
    memory_free(seen);
    if (w->list_count) return w;
    shifts_free(w);
    return NULL;
}

void shifts_free(shifts *w) {
    if (!w) return;
    for (uint32_t i = 0; i < w->list_count; i++) memory_free(w->list[i].direction);
    memory_free(w->list), memory_free(w->period);
    memory_free(w);
}

// --- turns ---------------------------------------------------------------------------------------

// value - turns * P, in steps that lose nothing but the last rounding
static long double less(const expansion *period, double turns, long double value) {
    return fmal(-turns, period->part[1], fmal(-turns, period->part[0], value));
}

bool shifts_take_off(const shifts *w, double *z, double *rest, double *turns) {
    bool changed = false;
    for (const shift *k = w->list; k < w->list + w->list_count; k++) {
        if (!(fabs(z[k->leader]) > k->far)) continue;
        const double whole =
            round(z[k->leader] / (w->period[k->leader].part[0] * k->direction[k->leader]));
        for (uint32_t i = 0; i < w->n; i++) {
            if (!k->direction[i]) continue;
            const long double left =
                less(&w->period[i], whole * k->direction[i], (long double)z[i] + rest[i]);
            z[i] = (double)left, rest[i] = (double)(left - z[i]);
            turns[i] += whole * k->direction[i];
        }
        changed = true;
    }
    return changed;
}

double shifts_put_on(const shifts *w, uint32_t coordinate, double value, const double *turns) {
    return turns[coordinate] != 0 ? (double)less(&w->period[coordinate], -turns[coordinate], value)
                                  : value;
}
