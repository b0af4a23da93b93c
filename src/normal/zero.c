// Deciding whether an expression is identically zero.
#include "normal/ring.h"

// In the field Q(generators), modulo the relations, every element is sum_k C_k v^k with 0 <= k <
// degree for each related variable v, and these powers are linearly independent over the field
// of the remaining generators: s has degree 2 over Q(.., c), since 1 - c^2 is no square there.
// So e is zero exactly when its reduced numerator is the zero polynomial. That YES is a proof
// needs only the truth of the relations; that NO is one needs that no others hold, which the
// ring knows where it can (R.sound).
normal_truth normal_is_zero(pool *p, expr e, const normal_budget *b) {
    if (e == EXPR_ZERO) return NORMAL_YES;
    if (expr_is_number(p, e)) return NORMAL_NO;
    ring R;
    if (!ring_create(&R, p, 1, &e, ANGLES_EXPANDED, b)) return NORMAL_UNKNOWN;
    const bool zero = fmpz_mpoly_q_is_zero(ring_value(&R, e), R.ctx);
    const bool sound = R.sound;
    ring_clear(&R);
    return zero ? NORMAL_YES : sound ? NORMAL_NO : NORMAL_UNKNOWN;
}

void normal_mark_dependence(pool *p, expr f, uint32_t count, const expr *x, bool *depends) {
    if (expr_is_number(p, f)) return;
    const normal_budget budget = normal_budget_default();
    expr *slope = memory_array(expr, count);
    expr_gradient(p, f, count, x, slope);
    for (uint32_t i = 0; i < count; i++)
        if (!depends[i] && slope[i] != EXPR_ZERO)
            depends[i] = normal_is_zero(p, slope[i], &budget) != NORMAL_YES;
    memory_free(slope);
}

bool normal_depends_on(pool *p, expr f, expr x) {
    bool depends = false;
    normal_mark_dependence(p, f, 1, &x, &depends);
    return depends;
}
