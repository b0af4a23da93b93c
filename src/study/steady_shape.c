// The speed that belongs to a shape.
//
// Let the admissible motions of the group have dimension 1: q' = u Z(q), Z scaled so that one of
// its components is 1. Along a steady motion u is constant, and q'' = u^2 (dZ/dq) Z. For a system
// that is the same forwards and backwards Maggi's rows are
//   E_s = sum_i N_i B_is = a_s(q) u^2 + b_s(q),
// one of which follows from the others (sum_i N_i Z_i = 0 is an identity). So u^2 = -b_1/a_1 from
// one of them, and a_1 b_s - a_s b_1 = 0 from each of the rest.
#include "study/steady_shape.h"

#include "derive/basis.h"
#include "derive/lagrange.h"
#include "expr/vanish.h"
#include "model/points.h"

typedef struct {
    steady_problem *w;
    pool *p;
    arena *a;
    points at;
    uint32_t gauges;
    const expr *gauge;
    uint32_t leader;      // Z of it is 1
    expr *field;          // Z
    expr *still, *square; // b and a, by independent velocity
} work;

static void put_gauge(const work *w, uint32_t count, expr *e) {
    expr *zero = arena_array(w->a, expr, w->gauges + 1);
    expr_substitute(w->p, w->gauges, w->gauge, zero, count, e, e);
}

// The one identity along an admissible motion of the group: Z. Its leader: an independent velocity.
static bool take_field(work *w) {
    const steady_problem *p = w->w;
    const mechanics *s = p->s;
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; i < p->identities; i++) {
        const expr *along = p->identity + i * s->n;
        bool moves = false; // not d/dq_i of a coordinate that nothing moves, nor the energy
        for (uint32_t j = 0; j < s->n; j++)
            moves = moves || (along[j] != EXPR_ZERO && p->field[j] != EXPR_ZERO);
        if (!moves || expr_any_depends_on(p->p, s->n, along, p->group->count, p->speed)) continue;
        count++, at = i;
    }
    if (count != 1) return false;
    w->field = arena_array(w->a, expr, s->n);
    for (uint32_t j = 0; j < s->n; j++) w->field[j] = p->identity[at * s->n + j];
    for (uint32_t k = s->m; k-- > 0;) {
        w->leader = s->independent[k];
        if (points_vanish(&w->at, w->field[w->leader]) == VANISHES_NO) break;
        if (!k) return false;
    }
    const expr lead = w->field[w->leader];
    for (uint32_t j = 0; j < s->n; j++) w->field[j] = expr_div(w->p, w->field[j], lead);
    return true;
}

// E_s with q' = u Z, q'' = u^2 (dZ/dq) Z; false where it is not even in u
static bool find_rows(work *w) {
    const mechanics *s = w->w->s;
    const uint32_t n = s->n, m = s->m;
    const expr u = expr_symbol(w->p, "u", ROLE_LOCAL), back = expr_neg(w->p, u);
    expr *defect = arena_array(w->a, expr, n), *row = arena_array(w->a, expr, m + 1),
         *rate = arena_array(w->a, expr, n), *from = arena_array(w->a, expr, 2 * n),
         *to = arena_array(w->a, expr, 2 * n);
    mechanics plain = mechanics_without_quasi(s);
    const velocity_basis basis = basis_create(&plain);
    if (!basis.explicit_velocities) return false;
    expr_pushforward(w->p, n, s->q, w->field, n, w->field, rate);
    lagrange_defect(s, defect);
    for (uint32_t k = 0; k < m; k++)
        for (uint32_t i = 0; i < n; i++)
            row[k] = expr_add_product(w->p, row[k], defect[i], basis.column[i * m + k]);
    for (uint32_t i = 0; i < n; i++) {
        from[i] = s->qd[i], to[i] = expr_mul(w->p, u, w->field[i]);
        from[n + i] = s->qdd[i], to[n + i] = expr_mul(w->p, expr_square(w->p, u), rate[i]);
    }
    expr_substitute(w->p, 2 * n, from, to, m, row, row);
    put_gauge(w, m, row);
    for (uint32_t k = 0; k < m; k++) {
        const expr odd = expr_sub(w->p, row[k], expr_replace(w->p, row[k], 1, &u, &back)),
                   slope = expr_diff(w->p, expr_diff(w->p, row[k], u), u);
        if (points_vanish(&w->at, odd) != VANISHES_YES ||
            points_vanish(&w->at, expr_diff(w->p, slope, u)) != VANISHES_YES)
            return false;
        w->still[k] = expr_at_zero(w->p, row[k], 1, &u);
        w->square[k] = expr_mul(w->p, EXPR_HALF, expr_at_zero(w->p, slope, 1, &u));
        expr_clear_vanishing(w->p, 1, &w->still[k]);
        expr_clear_vanishing(w->p, 1, &w->square[k]);
    }
    return true;
}

static void list_velocities(const work *w, shape_form *out) {
    const mechanics *s = w->w->s;
    expr *velocity = arena_array(w->a, expr, s->n), *ratio = arena_array(w->a, expr, s->n);
    out->velocity = velocity, out->ratio = ratio;
    for (uint32_t i = 0; i < s->n; i++) {
        expr e = w->field[i];
        put_gauge(w, 1, &e);
        expr_clear_vanishing(w->p, 1, &e);
        if (i == w->leader) continue;
        velocity[out->velocities] = s->qd[i], ratio[out->velocities++] = e;
    }
}

static void list_relations(work *w, uint32_t chosen, shape_form *out) {
    const mechanics *s = w->w->s;
    expr *relation = arena_array(w->a, expr, s->k + s->m + 1);
    out->relation = relation;
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &s->model->constraints[s->constraint[nu]];
        if (c->order) continue;
        relation[out->relations] = c->phi;
        put_gauge(w, 1, &relation[out->relations++]);
    }
    for (uint32_t k = 0; k < s->m; k++) {
        if (k == chosen || s->independent[k] == w->leader) continue;
        expr e = expr_sub(w->p, expr_mul(w->p, w->square[chosen], w->still[k]),
                          expr_mul(w->p, w->square[k], w->still[chosen]));
        expr_clear_vanishing(w->p, 1, &e);
        if (e != EXPR_ZERO) relation[out->relations++] = e;
    }
}

static void list_shape(const work *w, shape_form *out) {
    const mechanics *s = w->w->s;
    expr *shape = arena_array(w->a, expr, s->n);
    out->shape = shape;
    for (uint32_t i = 0; i < s->n; i++)
        if (expr_depends_on(w->p, out->square, 1, &s->q[i]) ||
            expr_any_depends_on(w->p, out->relations, out->relation, 1, &s->q[i]))
            shape[out->shapes++] = s->q[i];
}

shape_form steady_shape_form(steady_problem *p, uint32_t gauges, const expr *gauge) {
    shape_form out = {0};
    work w = {
        .w = p, .p = p->p, .a = p->arena, .at = points_of(p->s), .gauges = gauges, .gauge = gauge};
    const mechanics *s = p->s;
    w.still = arena_array(w.a, expr, s->m + 1), w.square = arena_array(w.a, expr, s->m + 1);
    if (!p->identities || !take_field(&w) || !find_rows(&w)) return out;
    uint32_t chosen = s->m;
    for (uint32_t k = 0; k < s->m && chosen == s->m; k++)
        if (s->independent[k] != w.leader && w.square[k] != EXPR_ZERO && w.still[k] != EXPR_ZERO)
            chosen = k;
    if (chosen == s->m) return out;
    out.found = true;
    out.speed = s->qd[w.leader];
    out.square = expr_neg(w.p, expr_div(w.p, w.still[chosen], w.square[chosen]));
    list_velocities(&w, &out);
    list_relations(&w, chosen, &out);
    list_shape(&w, &out);
    return out;
}
