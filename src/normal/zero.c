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

bool normal_depends_on(pool *p, expr f, expr x) {
    if (expr_is_number(p, f) || !expr_depends_on(p, f, 1, &x)) return false;
    const normal_budget budget = normal_budget_default();
    const expr slope = expr_diff(p, f, x);
    return slope != EXPR_ZERO && normal_is_zero(p, slope, &budget) != NORMAL_YES;
}
