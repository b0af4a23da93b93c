// Whole turns and common ways, taken off and put on.
#include "integrate/angle_unwrapping.h"

#include "expr/period.h"
#include "expr/translation.h"
#include "model/mechanics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PERIOD_BITS = 192 };

static const double FAR = 8; // there coordinates that go away together are taken back

// Each coordinate can lose a multiple of direction[coordinate] * period[coordinate], all of them
// the same one; they do when the leader is far.
typedef struct {
    uint32_t leader;
    double far;
    int32_t *direction;
} way;

struct angle_unwrapping {
    uint32_t n, count;
    way *list;
    expansion *period; // of angles; 1 for coordinates that go away together, 0 for all the rest
};

// --- which ---------------------------------------------------------------------------------------

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

static way *add_way(angle_unwrapping *w, uint32_t leader, double far) {
    memory_grow(w->list, w->count + 1);
    way *added = &w->list[w->count++];
    *added = (way){leader, far, memory_zeros(int32_t, w->n)};
    return added;
}

static void find_angles(angle_unwrapping *w, const mechanics *s, uint32_t count, const expr *list) {
    fmpq_t period;
    fmpq_init(period);
    for (uint32_t i = 0; i < s->n; i++) {
        if (expr_period(s->pool, count, list, s->q[i], period) != PERIOD_FOUND) continue;
        w->period[i] = turn_of(period);
        add_way(w, i, w->period[i].part[0])->direction[i] = 1;
    }
    fmpq_clear(period);
}

// Directions with large numbers in them, which mechanics does not have, are passed over.
static bool is_small(const fmpz_mat_t v, uint32_t row) {
    enum { MOST_BITS = 10 };
    bool small = true;
    for (slong i = 0; i < fmpz_mat_ncols(v); i++)
        small = small && fmpz_bits(fmpz_mat_entry(v, row, i)) <= MOST_BITS;
    return small;
}

static void find_common_ways(angle_unwrapping *w, const mechanics *s, uint32_t count,
                             const expr *list) {
    bool *angle = memory_array(bool, s->n + 1);
    for (uint32_t i = 0; i < s->n; i++) angle[i] = w->period[i].part[0] > 0;
    fmpz_mat_t v;
    fmpz_mat_init(v, s->n, s->n);
    const uint32_t found = expr_translations(s->pool, count, list, s->n, s->q, angle, v);
    for (uint32_t k = 0; k < found; k++) {
        if (!is_small(v, k)) continue;
        way *added = add_way(w, s->n, 0);
        for (uint32_t i = s->n; i-- > 0;) {
            added->direction[i] = (int32_t)fmpz_get_si(fmpz_mat_entry(v, k, i));
            if (added->direction[i]) added->leader = i, w->period[i] = (expansion){{1}};
        }
        added->far = FAR * abs(added->direction[added->leader]);
    }
    fmpz_mat_clear(v);
    memory_free(angle);
}

angle_unwrapping *angle_unwrapping_create(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    angle_unwrapping *w = memory_new(angle_unwrapping);
    uint32_t count;
    expr *list = all_but_coordinates(sim, &count);
    w->n = s->n, w->period = memory_zeros(expansion, s->n + 1);
    find_angles(w, s, count, list);
    find_common_ways(w, s, count, list);
    memory_free(list);
    if (w->count) return w;
    angle_unwrapping_free(w);
    return NULL;
}

void angle_unwrapping_free(angle_unwrapping *w) {
    if (!w) return;
    for (uint32_t i = 0; i < w->count; i++) memory_free(w->list[i].direction);
    memory_free(w->list), memory_free(w->period);
    memory_free(w);
}

// --- turns ---------------------------------------------------------------------------------------

// value - turns * P, in steps that lose nothing but the last rounding
static long double less(const expansion *period, double turns, long double value) {
    return fmal(-turns, period->part[1], fmal(-turns, period->part[0], value));
}

bool angle_unwrapping_reduce(const angle_unwrapping *w, double *z, double *rest, double *turns) {
    bool turned = false;
    for (const way *k = w->list; k < w->list + w->count; k++) {
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
        turned = true;
    }
    return turned;
}

double angle_unwrapping_coordinate(const angle_unwrapping *w, uint32_t coordinate, double value,
                                   const double *turns) {
    return turns[coordinate] != 0 ? (double)less(&w->period[coordinate], -turns[coordinate], value)
                                  : value;
}

expansion angle_unwrapping_period(const angle_unwrapping *w, uint32_t coordinate) {
    return w->period[coordinate];
}
