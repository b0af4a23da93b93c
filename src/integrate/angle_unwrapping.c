// Angles that wind: coordinates in which everything that is computed is periodic.
#include "integrate/shifts.h"

#include "expr/period.h"
#include "model/mechanics.h"

enum { PERIOD_BITS = 192 };

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

void angle_unwrapping_find(shifts *out, const mechanics *s, uint32_t count, const expr *seen) {
    fmpq *period = _fmpq_vec_init(s->n);
    period_kind *kind = memory_array(period_kind, s->n + 1);
    expr_periods(s->pool, count, seen, s->n, s->q, kind, period);
    for (uint32_t i = 0; i < s->n; i++) {
        if (kind[i] != PERIOD_FOUND) continue;
        out->period[i] = turn_of(&period[i]);
        shifts_add(out, i, out->period[i].part[0])->direction[i] = 1;
    }
    memory_free(kind);
    _fmpq_vec_clear(period, s->n);
}
