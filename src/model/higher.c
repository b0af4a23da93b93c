// Constraints of order 2 and higher beside the others: do their rows dPhi/dq^(p) say something of
// their own, and where do the reactions act?
#include "model/mechanics.h"

#include <string.h>

enum { HIGHER_BITS = 128, OTHER_STATES = 2 };

// The rows may hold q'' and more, which no state has: numbers of no meaning take their place.
static void set_stand_ins(const mechanics *s, state *at) {
    arb_t v;
    arb_init(v);
    for (uint32_t order = 2; order <= mechanics_order(s, s->k + s->h - 1); order++)
        for (uint32_t i = 0; i < s->n; i++) {
            arb_set_d(v, 0.4375 + 0.1875 * i + 0.0625 * order);
            state_set(at, expr_symbol_of_order(s->pool, s->q[i], order), v);
        }
    arb_clear(v);
}

// What stands beside row.q'' in constraint nu (order 1: in its time derivative); 0 for higher
// orders, where only the rows are compared.
static expr rest_of(const mechanics *s, uint32_t nu) {
    expr *zero = arena_array(&s->model->ctx->arena, expr, s->n);
    if (mechanics_order(s, nu) > 2) return EXPR_ZERO;
    return expr_replace(s->pool, nu < s->k ? expr_ddt(s->pool, s->phi[nu]) : s->phi[nu], s->n,
                        s->qdd, zero);
}

static uint32_t rank_of(const mechanics *s, uint32_t rows, uint32_t columns, const double *matrix) {
    arena *a = &s->model->ctx->arena;
    return pivots_choose(rows, columns, matrix, NULL, 1, arena_array(a, uint32_t, rows),
                         arena_array(a, uint32_t, rows));
}

typedef enum { ROW_NEW, ROW_REDUNDANT, ROW_CONTRADICTORY } row_kind;

// Row nu beside the rows before it at a state. One of order 3 and more that lies among
// them leaves the motion undetermined.
static row_kind row_at(const mechanics *s, state *at, uint32_t nu) {
    arena *a = &s->model->ctx->arena;
    const uint32_t n = s->n, count = nu + 1;
    expr *rest = arena_array(a, expr, count);
    for (uint32_t i = 0; i < count; i++) rest[i] = rest_of(s, i);
    set_stand_ins(s, at);
    const double *row = state_doubles(at, count * n, mechanics_slopes(s)),
                 *beside = state_doubles(at, count, rest);
    if (rank_of(s, count, n, row) > rank_of(s, nu, n, row)) return ROW_NEW;
    if (mechanics_order(s, nu) > 2) return ROW_CONTRADICTORY;
    double *full = arena_array(a, double, count *(n + 1));
    for (uint32_t i = 0; i < count; i++) {
        memcpy(full + i * (n + 1), row + i * n, sizeof(double) * n);
        full[i * (n + 1) + n] = beside[i];
    }
    return rank_of(s, count, n + 1, full) > rank_of(s, nu, n + 1, full) ? ROW_CONTRADICTORY
                                                                        : ROW_REDUNDANT;
}

// The same at other states: anything but ROW_NEW there, too?
static row_kind row_elsewhere(const mechanics *s, const completion_request *where, uint32_t nu) {
    row_kind kind = ROW_REDUNDANT;
    for (uint64_t seed = 1; seed <= OTHER_STATES && kind != ROW_NEW; seed++) {
        state other;
        const completion_request request = completion_request_generic(where, seed);
        if (state_find(&other, s->model, HIGHER_BITS, &request)) {
            const row_kind found = row_at(s, &other, nu);
            if (found != ROW_REDUNDANT) kind = found;
        }
        state_clear(&other);
    }
    return kind;
}

static hamel_status judge_row(mechanics *s, const completion_request *where, uint32_t nu,
                              row_kind here, bool *again) {
    context *ctx = s->model->ctx;
    constraint *c = (constraint *)&s->model->constraints[s->constraint[nu]];
    const row_kind elsewhere = row_elsewhere(s, where, nu);
    if (elsewhere == ROW_NEW) {
        diag_warning(ctx, c->at,
                     "start the motion elsewhere, or expect it to be undetermined there",
                     "the constraints lose rank at the initial state: `%s` does not restrict the "
                     "accelerations there",
                     c->name);
        return HAMEL_OK;
    }
    if (here == ROW_REDUNDANT && elsewhere == ROW_REDUNDANT) {
        diag_warning(ctx, c->at, NULL, "constraint `%s` follows from the others and is set aside",
                     c->name);
        c->status = CONSTRAINT_REDUNDANT;
        *again = true;
        return HAMEL_OK;
    }
    if (c->order > 2)
        diag_error(
            ctx, c->at, "remove one of them",
            "the reaction of constraint `%s` cannot be told from those of the other constraints",
            c->name);
    else
        diag_error(ctx, c->at, "no motion can satisfy them all: remove or correct one of them",
                   "constraint `%s` contradicts the others", c->name);
    return HAMEL_MODEL;
}

// k + h coordinates in which the rows are regular; at a loss of rank, any that are missing.
static void choose_carriers(mechanics *s, state *here) {
    arena *a = &s->model->ctx->arena;
    const uint32_t count = s->k + s->h;
    uint32_t *row = arena_array(a, uint32_t, count), *column = arena_array(a, uint32_t, count);
    uint32_t rank =
        pivots_choose(count, s->n, state_doubles(here, count * s->n, mechanics_slopes(s)), NULL,
                      INDEPENDENCE_THRESHOLD, row, column);
    bool *used = arena_array(a, bool, s->n);
    for (uint32_t i = 0; i < rank; i++) used[column[i]] = true;
    for (uint32_t j = 0; j < s->n && rank < count; j++)
        if (!used[j]) column[rank++] = j;
    s->carrier = column;
}

hamel_status mechanics_settle_higher(mechanics *s, const completion_request *where, state *here,
                                     bool *again) {
    *again = false;
    if (!s->h) return HAMEL_OK;
    for (uint32_t nu = s->k; nu < s->k + s->h; nu++) {
        // no form treats one that is not linear
        const bool linear = s->model->constraints[s->constraint[nu]].linear;
        const row_kind kind = linear ? row_at(s, here, nu) : ROW_NEW;
        const hamel_status status =
            kind == ROW_NEW ? HAMEL_OK : judge_row(s, where, nu, kind, again);
        if (status || *again) return status;
    }
    choose_carriers(s, here);
    return HAMEL_OK;
}
