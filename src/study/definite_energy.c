// The energy of small motions, (p'^T M p' + p^T K p)/2, is an integral where no force but those of
// L acts and all constraints are on positions. If M and K are positive definite it bounds p and p'.
#include "study/definite_energy.h"

// Cholesky's factors exist for all matrices in the balls. M and K are symmetric: of the same energy.
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

// Without symmetries a steady motion is a state of rest.
bool definite_energy_at(const steady_motion *at, const linearisation *l, const second_order *form) {
    const slong bits = at->x.precision;
    if (!at->proved || at->speeds || l->neutral || form->refusal || 2 * form->count != l->count)
        return false;
    return is_conservative(at->s) && is_positive_definite(form->m, bits) &&
           is_positive_definite(form->k, bits);
}
