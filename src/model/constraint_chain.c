// Many constraints, of which each brings one dependent velocity more: a chain of links. They are
// solved one by one (expr/triangular.h), and the k x n slopes dPhi/dq' are made only where somebody
// asks for them.
#include "expr/triangular.h"
#include "model/mechanics.h"
#include "normal/normal.h"

#include <math.h>

// Fewer constraints are solved as a matrix, whose entries simplify.
enum { SHORTEST = 33 };
// a slope that is smaller than this part of the largest may be none
static const double SMALLEST = 1e-9;

struct slope_matrix {
    expr *entry;    // (k + h) x n; NULL before somebody asks
    expr *reaction; // n
};

slope_matrix *slope_matrix_create(arena *a) { return arena_new(a, slope_matrix); }

const expr *mechanics_slopes(const mechanics *s) {
    if (s->slopes->entry) return s->slopes->entry;
    const uint32_t count = s->k + s->h;
    arena *a = &s->model->ctx->arena;
    expr *entry = arena_array(a, expr, (size_t)count * s->n), *top = arena_array(a, expr, s->n);
    for (uint32_t nu = 0; nu < count; nu++) {
        for (uint32_t i = 0; i < s->n; i++)
            top[i] = expr_symbol_of_order(s->pool, s->q[i], mechanics_order(s, nu));
        expr_gradient(s->pool, s->phi[nu], s->n, top, entry + (size_t)nu * s->n);
    }
    const normal_budget budget = normal_budget_default();
    for (size_t i = 0; i < (size_t)count * s->n; i++)
        if (!expr_is_number(s->pool, entry[i]))
            entry[i] = normal_simplify(s->pool, entry[i], &budget);
    return s->slopes->entry = entry;
}

expr mechanics_chain_reaction(const mechanics *s, uint32_t i) {
    if (!s->slopes->reaction) {
        expr *r = arena_array(&s->model->ctx->arena, expr, s->n);
        expr_pullback(s->pool, s->k, s->phi, s->multiplier, s->n, s->qd, r);
        s->slopes->reaction = r;
    }
    return s->slopes->reaction[i];
}

bool constraint_chain_may_be(uint32_t constraints) { return constraints >= SHORTEST; }

slong model_bits(const model *m, slong bits) {
    enum { BITS_A_LINK = 4 }; // |v - 2 (v.n) n| with balls for v: each is 3.4 times as wide
    return constraint_chain_may_be(m->constraints_count) ? bits + BITS_A_LINK * m->constraints_count
                                                         : bits;
}

static bool is_named_independent(const model *m, expr q) {
    for (uint32_t i = 0; i < m->independent_count; i++)
        if (m->independent[i] == q) return true;
    return false;
}

// Are they clearly not 0 at this state?
static bool have_size(state *at, uint32_t count, const expr *slope) {
    const double *value = state_doubles(at, count, slope);
    double largest = 0;
    for (uint32_t i = 0; i < count; i++) largest = fmax(largest, fabs(value[i]));
    for (uint32_t i = 0; i < count; i++)
        if (!(fabs(value[i]) > SMALLEST * largest)) return false;
    return isfinite(largest);
}

bool mechanics_chain_never_breaks(const mechanics *s) {
    if (!s->chain) return false;
    uint32_t count;
    expr *nodes = expr_reachable(s->pool, s->k, s->chain_slope, &count);
    bool constant = true;
    for (uint32_t i = 0; i < count && constant; i++) {
        const symbol *x = expr_as_symbol(s->pool, nodes[i]);
        constant = !x || x->role == ROLE_PARAMETER;
    }
    memory_free(nodes);
    return constant;
}

bool mechanics_find_chain(mechanics *s, state *here) {
    const model *m = s->model;
    arena *a = &m->ctx->arena;
    if (!constraint_chain_may_be(s->k) || s->h || m->quasis_count || m->independent_count != s->m)
        return false;
    uint32_t *dependent = arena_array(a, uint32_t, s->n),
             *independent = arena_array(a, uint32_t, s->n), bound = 0, free = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (is_named_independent(m, s->q[i])) independent[free++] = i;
        else dependent[bound++] = i;
    }
    if (bound != s->k) return false;
    expr *unknown = arena_array(a, expr, s->k), *velocity = arena_array(a, expr, s->k),
         *slope = arena_array(a, expr, s->k);
    for (uint32_t i = 0; i < s->k; i++) unknown[i] = s->qd[dependent[i]];
    const normal_budget budget = normal_budget_default();
    triangular t;
    if (!triangular_solve(s->pool, s->k, s->phi, unknown, &t)) return false;
    uint32_t *row = arena_array(a, uint32_t, s->k), *column = arena_array(a, uint32_t, s->k);
    for (uint32_t i = 0; i < s->k; i++) {
        velocity[i] = t.solution[i], slope[i] = normal_simplify(s->pool, t.slope[i], &budget);
        row[i] = t.row[i], column[i] = t.column[i];
    }
    triangular_free(&t);
    if (!have_size(here, s->k, slope)) return false;
    s->dependent = dependent, s->independent = independent;
    s->chain = velocity, s->chain_slope = slope;
    s->block = (pivot_order){row, column};
    return true;
}
