// Which polynomials functions from data are now, and until when.
#include "execute/data_pieces.h"

#include <float.h>
#include <math.h>

enum { BITS = 192 }; // quadruple precision has 113

void data_pieces_add(simulation *sim, expr *symbol) {
    const pool *p = sim->m->pool;
    arena *a = &sim->m->ctx->arena;
    const uint32_t count = pool_spline_count(p);
    if (!count) return;
    data_pieces *d = arena_new(a, data_pieces);
    *d = (data_pieces){.count = count,
                       .function = arena_array(a, spline *, count),
                       .piece = arena_array(a, uint32_t, count),
                       .used = arena_array(a, bool, count)};
    for (uint32_t i = 0; i < count; i++) {
        d->function[i] = pool_spline_at(p, i), d->piece[i] = UINT32_MAX;
        for (int k = 0; k < SPLINE_PIECE; k++)
            symbol[sim->parameter_count++] = d->function[i]->piece[k];
    }
    sim->data = d;
}

void data_pieces_note_use(const simulation *sim, uint32_t count, const expr *e) {
    data_pieces *d = sim->data;
    if (!d || !count) return;
    uint32_t n, order;
    expr *nodes = expr_reachable(sim->m->pool, count, e, &n);
    for (uint32_t k = 0; k < n; k++) {
        const spline *f = expr_spline(sim->m->pool, nodes[k], &order);
        for (uint32_t i = 0; i < d->count && f; i++) d->used[i] = d->used[i] || d->function[i] == f;
    }
    memory_free(nodes);
}

// t_i, c_0 .. c_3
static void set_numbers(simulation *sim, uint32_t first, spline *f, uint32_t piece) {
    arb_ptr value = _arb_vec_init(SPLINE_PIECE);
    arb_set_fmpq(value, &f->at[piece], BITS);
    spline_piece_terms(f, piece, BITS, value + 1);
    for (uint32_t k = 0; k < SPLINE_PIECE; k++) {
        sim->exact.parameter[first + k] = expansion_of(value + k);
        sim->parameter_value[first + k] = sim->exact.parameter[first + k].part[0];
    }
    _arb_vec_clear(value, SPLINE_PIECE);
}

// A point that no step could lead to any more has been reached.
static double just_behind(double t) { return t + fmax(8 * DBL_EPSILON * fabs(t), 1e-290); }

bool data_pieces_enter(simulation *sim, double t) {
    data_pieces *d = sim->data;
    bool changed = false;
    for (uint32_t i = 0; d && i < d->count; i++) {
        const uint32_t piece = spline_piece_at(d->function[i], just_behind(t));
        if (piece == d->piece[i]) continue;
        d->piece[i] = piece, changed = true;
        set_numbers(sim, sim->stated_count + SPLINE_PIECE * i, d->function[i], piece);
    }
    return changed;
}

double data_pieces_next(const simulation *sim, double t) {
    const data_pieces *d = sim->data;
    double next = INFINITY;
    for (uint32_t i = 0; d && i < d->count; i++) {
        if (!d->used[i]) continue;
        const uint32_t piece = spline_piece_at(d->function[i], just_behind(t));
        if (piece + 2 < d->function[i]->count)
            next = fmin(next, spline_knots(d->function[i])[piece + 1]);
    }
    return next;
}

double data_pieces_between(const simulation *sim, double from, double to) {
    const data_pieces *d = sim->data;
    double count = 0;
    for (uint32_t i = 0; d && i < d->count; i++)
        if (d->used[i])
            count += spline_piece_at(d->function[i], to) - spline_piece_at(d->function[i], from);
    return count;
}

spline *data_pieces_short(const simulation *sim, double from, double to) {
    static const double ROUNDING = 8 * DBL_EPSILON;
    const data_pieces *d = sim->data;
    for (uint32_t i = 0; d && i < d->count; i++) {
        spline *f = d->function[i];
        const double *knot = spline_knots(f), last = knot[f->count - 1];
        if (d->used[i] &&
            (from < knot[0] - ROUNDING * fabs(from) || to > last + ROUNDING * fabs(to)))
            return f;
    }
    return NULL;
}
