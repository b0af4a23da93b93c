// The energy of small motions, (p'^T M p' + p^T K p)/2, is an integral where no force but those of
// L acts and all constraints are on positions. If M and K are positive definite it bounds p and p'.
#include "study/definite_energy.h"

#include "model/points.h"

// Cholesky's factors exist for all matrices in the balls. M and K are symmetric by what they are.
static bool is_positive_definite(const arb_mat_t a, slong bits) {
    arb_mat_t factor;
    arb_mat_init(factor, arb_mat_nrows(a), arb_mat_ncols(a));
    const bool positive = arb_mat_cho(factor, a, bits);
    arb_mat_clear(factor);
    return positive;
}

static bool is_conservative(const mechanics *s) {
    for (uint32_t i = 0; i < s->n; i++)
        if (s->force[i] != EXPR_ZERO) return false;
    for (uint32_t nu = 0; nu < s->k; nu++)
        if (s->model->constraints[s->constraint[nu]].order) return false;
    return !s->h;
}

// L(q, -q') = L(q, q')
static bool is_reversible(const mechanics *s) {
    expr *back = arena_array(&s->model->ctx->arena, expr, s->n + 1);
    for (uint32_t i = 0; i < s->n; i++) back[i] = expr_neg(s->pool, s->qd[i]);
    points all = points_on(s->model, 0, NULL, false);
    return points_vanish(&all,
                         expr_sub(s->pool, expr_replace(s->pool, s->lagrangian, s->n, s->qd, back),
                                  s->lagrangian)) == VANISHES_YES;
}

// With (q', xi) also (-q', -xi) is a steady motion with these q. If the balls lie symmetric about 0
// they hold both, and since they hold one only that is at rest.
static bool is_at_rest(const steady_motion *at) {
    for (uint32_t i = 0; i < at->s->n; i++)
        if (!arf_is_zero(arb_midref(state_get((state *)&at->x, at->s->qd[i])))) return false;
    for (uint32_t a = 0; a < at->speeds; a++)
        if (!arf_is_zero(arb_midref(at->speed + a))) return false;
    return !at->speeds || is_reversible(at->s);
}

bool definite_energy_at(const steady_motion *at, const linearisation *l, const second_order *form) {
    const slong bits = at->x.precision;
    if (!at->proved || !is_at_rest(at) || l->neutral || form->refusal ||
        2 * form->count != l->count)
        return false;
    return is_conservative(at->s) && is_positive_definite(form->m, bits) &&
           is_positive_definite(form->k, bits);
}
