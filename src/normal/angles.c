// Addition theorems: sin, cos, sinh, cosh and exp of integer combinations of base angles.
#include "normal/ring.h"

#include <stdlib.h>

enum { MULTIPLE_LIMIT = 24 }; // largest multiple of a base angle that is expanded

// The integer coefficient*divisor, or over budget.
static slong multiple(ring *R, const fmpq *coefficient, const base_angle *angle) {
    fmpq_t n;
    fmpq_init(n);
    fmpq_mul_fmpz(n, coefficient, angle->divisor);
    const bool small = fmpz_cmp_si(fmpq_numref(n), MULTIPLE_LIMIT) <= 0 &&
                       fmpz_cmp_si(fmpq_numref(n), -MULTIPLE_LIMIT) >= 0;
    const slong value = small ? fmpz_get_si(fmpq_numref(n)) : 0;
    if (!small) R->over = true;
    fmpq_clear(n);
    return value;
}

// cos(a + b) = cos a cos b - sin a sin b, sin(a + b) = sin a cos b + cos a sin b; for the
// hyperbolic pair the minus is a plus.
static void turn(ring *R, family f, slong first, bool backwards, fmpz_mpoly_t sine,
                 fmpz_mpoly_t cosine) {
    if (!ring_charge(R, 4.0 * (double)(sine->length + cosine->length))) return;
    fmpz_mpoly_t s, c, ss, cs, scale;
    fmpz_mpoly_init(s, R->ctx), fmpz_mpoly_init(c, R->ctx), fmpz_mpoly_init(scale, R->ctx);
    fmpz_mpoly_init(ss, R->ctx), fmpz_mpoly_init(cs, R->ctx);
    fmpz_mpoly_gen(s, first, R->ctx);
    fmpz_mpoly_gen(c, first + 1, R->ctx);
    if (backwards) fmpz_mpoly_neg(s, s, R->ctx);
    fmpz_mpoly_mul(ss, sine, s, R->ctx);
    fmpz_mpoly_mul(cs, cosine, s, R->ctx);
    fmpz_mpoly_mul(cosine, cosine, c, R->ctx);
    fmpz_mpoly_mul(sine, sine, c, R->ctx);
    if (f == FAMILY_CIRCULAR) fmpz_mpoly_sub(cosine, cosine, ss, R->ctx);
    else fmpz_mpoly_add(cosine, cosine, ss, R->ctx);
    fmpz_mpoly_add(sine, sine, cs, R->ctx);
    fmpz_mpoly_one(scale, R->ctx); // pairs have polynomial relations: the scale stays 1
    relations_reduce(R, sine, scale);
    relations_reduce(R, cosine, scale);
    if (sine->length > (slong)R->budget.terms || cosine->length > (slong)R->budget.terms)
        R->over = true;
    fmpz_mpoly_clear(s, R->ctx), fmpz_mpoly_clear(c, R->ctx), fmpz_mpoly_clear(scale, R->ctx);
    fmpz_mpoly_clear(ss, R->ctx), fmpz_mpoly_clear(cs, R->ctx);
}

void angles_sine_cosine(ring *R, family f, expr whole, fmpz_mpoly_t sine, fmpz_mpoly_t cosine) {
    fmpz_mpoly_zero(sine, R->ctx);
    fmpz_mpoly_one(cosine, R->ctx);
    const argument *a = arguments_find(R, f, whole);
    for (uint32_t i = 0; i < a->count && !R->over; i++) {
        const base_angle *angle = arguments_find_angle(R, f, a->terms[i]);
        const slong k = multiple(R, &a->coefficients[i], angle);
        for (slong j = 0; j < labs(k) && !R->over; j++)
            turn(R, f, angle->first, k < 0, sine, cosine);
    }
}

// exp(n1*b1 + n2*b2 ...) = E1^n1 * E2^n2 ...
void angles_exponential(ring *R, expr whole, fraction *out) {
    fmpz_mpoly_q_one(out, R->ctx);
    const argument *a = arguments_find(R, FAMILY_EXPONENTIAL, whole);
    fmpz_mpoly_t power;
    fmpz_mpoly_init(power, R->ctx);
    for (uint32_t i = 0; i < a->count && !R->over; i++) {
        const base_angle *angle = arguments_find_angle(R, FAMILY_EXPONENTIAL, a->terms[i]);
        const slong k = multiple(R, &a->coefficients[i], angle);
        fmpz_mpoly_gen(power, angle->first, R->ctx);
        fmpz_mpoly_pow_ui(power, power, (ulong)labs(k), R->ctx);
        fmpz_mpoly_struct *side = k > 0 ? fmpz_mpoly_q_numref(out) : fmpz_mpoly_q_denref(out);
        fmpz_mpoly_mul(side, side, power, R->ctx);
    }
    fmpz_mpoly_clear(power, R->ctx);
}
