// Whole turns, taken off and put on.
#include "simulate/winding.h"

#include "expr/period.h"
#include "model/mechanics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PERIOD_BITS = 192 };

struct winding {
    uint32_t n;
    expansion period[]; // 0 for a coordinate that is no angle
};

// --- which ---------------------------------------------------------------------------------------------------------

// 2 pi times a rational number
static expansion turn_of(const fmpq_t period) {
    arb_t value;
    arb_init(value);
    arb_const_pi(value, PERIOD_BITS);
    arb_mul_2exp_si(value, value, 1);
    arb_mul_fmpz(value, value, fmpq_numref(period), PERIOD_BITS);
    arb_div_fmpz(value, value, fmpq_denref(period), PERIOD_BITS);
    const expansion turn = expansion_of(value);
    arb_clear(value);
    return turn;
}

// Everything that is computed of a state: rates, columns, events, and the functions that projections and choices of
// velocities look at. The columns of the coordinates come first: t, q_1 .. q_n.
static expr *all_but_coordinates(const simulation *s, uint32_t *count) {
    const mechanics *w = s->eq->system;
    const uint32_t constraints = w->k + w->h, shown = s->column_count - 1 - w->n;
    expr *list = memory_resize(NULL, sizeof(expr) * (s->o->size + shown + s->m->events_count + constraints + 1)),
         *next = list;
    memcpy(next, s->o->rate, sizeof(expr) * s->o->size), next += s->o->size;
    for (uint32_t i = 0; i < shown; i++) *next++ = s->column[1 + w->n + i].value;
    for (uint32_t i = 0; i < s->m->events_count; i++) *next++ = ode_expression(s->o, s->m->events[i].value);
    for (uint32_t i = 0; i < constraints; i++) *next++ = s->m->constraints[w->constraint[i]].phi;
    *next++ = w->lagrangian;
    *count = (uint32_t)(next - list);
    return list;
}

winding *winding_create(const simulation *s) {
    const mechanics *m = s->eq->system;
    winding *w = calloc(1, sizeof *w + sizeof(expansion) * m->n);
    uint32_t count, angles = 0;
    expr *list = all_but_coordinates(s, &count);
    fmpq_t period;
    fmpq_init(period);
    w->n = m->n;
    for (uint32_t i = 0; i < m->n; i++)
        if (expr_period(m->pool, count, list, m->q[i], period) == PERIOD_FOUND)
            w->period[i] = turn_of(period), angles++;
    fmpq_clear(period);
    free(list);
    if (angles) return w;
    free(w);
    return NULL;
}

void winding_free(winding *w) { free(w); }

// --- turns ---------------------------------------------------------------------------------------------------------

// angle - turns * P, in steps that lose nothing but the last rounding
static long double less(const expansion *period, double turns, long double angle) {
    return fmal(-turns, period->part[1], fmal(-turns, period->part[0], angle));
}

bool winding_unwind(const winding *w, double *z, double *rest, double *turns) {
    bool turned = false;
    for (uint32_t i = 0; i < w->n; i++) {
        const expansion *period = &w->period[i];
        if (!(period->part[0] > 0 && fabs(z[i]) > period->part[0])) continue;
        const double whole = round(z[i] / period->part[0]);
        const long double left = less(period, whole, (long double)z[i] + rest[i]);
        z[i] = (double)left, rest[i] = (double)(left - z[i]);
        turns[i] += whole;
        turned = true;
    }
    return turned;
}

double winding_angle(const winding *w, uint32_t coordinate, double angle, const double *turns) {
    return turns[coordinate] != 0 ? (double)less(&w->period[coordinate], -turns[coordinate], angle) : angle;
}

expansion winding_period(const winding *w, uint32_t coordinate) { return w->period[coordinate]; }
