// Arithmetic of fractions modulo the relations, under the budget: the size of a result
// is bounded before it is computed.
#include "normal/ring.h"

enum {
    // a product may have this many times the term budget before like terms are collected
    PRODUCT_SLACK = 16,
    WORK_PER_TERM = 2000 // term operations allowed in all, times the term budget
};

// May we do an operation that touches so many terms?
bool ring_charge(ring *R, double terms) {
    R->work += terms;
    if (terms > (double)PRODUCT_SLACK * R->budget.terms ||
        R->work > (double)WORK_PER_TERM * R->budget.terms)
        R->over = true;
    return !R->over;
}

static double length(const fmpz_mpoly_struct *f) { return (double)f->length; }

static bool is_polynomial(const ring *R, const fraction *f) {
    return fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(f), R->ctx);
}

static void check_size(ring *R, const fraction *f) {
    const slong limit = (slong)R->budget.terms;
    if (fmpz_mpoly_q_numref(f)->length > limit || fmpz_mpoly_q_denref(f)->length > limit)
        R->over = true;
}

// Bring numerator and denominator below the degrees of the relations, then
// cancel what became common.
void fraction_settle(ring *R, fraction *f) {
    fmpz_mpoly_t above, below;
    fmpz_mpoly_init(above, R->ctx);
    fmpz_mpoly_init(below, R->ctx);
    bool changed = false;
    for (bool again = true; again && !R->over;) { // numerator = n/above, denominator = d/below
        fmpz_mpoly_one(above, R->ctx);
        fmpz_mpoly_one(below, R->ctx);
        again = relations_reduce(R, fmpz_mpoly_q_numref(f), above);
        again = relations_reduce(R, fmpz_mpoly_q_denref(f), below) || again;
        changed = changed || again;
        again = !fmpz_mpoly_is_one(above, R->ctx) ||
                !fmpz_mpoly_is_one(below, R->ctx); // products may exceed the degrees anew
        if (!again || R->over) break;
        fmpz_mpoly_mul(fmpz_mpoly_q_numref(f), fmpz_mpoly_q_numref(f), below, R->ctx);
        fmpz_mpoly_mul(fmpz_mpoly_q_denref(f), fmpz_mpoly_q_denref(f), above, R->ctx);
        check_size(R, f);
    }
    fmpz_mpoly_clear(above, R->ctx);
    fmpz_mpoly_clear(below, R->ctx);
    // a hidden division by zero
    if (fmpz_mpoly_is_zero(fmpz_mpoly_q_denref(f), R->ctx)) R->over = true;
    check_size(R, f);
    if (changed && !R->over) fmpz_mpoly_q_canonicalise(f, R->ctx);
    if (R->over) fmpz_mpoly_q_zero(f, R->ctx);
}

void fraction_add(ring *R, fraction *r, const fraction *a, const fraction *b) {
    const double cost = is_polynomial(R, a) && is_polynomial(R, b)
                            ? length(fmpz_mpoly_q_numref(a)) + length(fmpz_mpoly_q_numref(b))
                            : length(fmpz_mpoly_q_numref(a)) * length(fmpz_mpoly_q_denref(b)) +
                                  length(fmpz_mpoly_q_numref(b)) * length(fmpz_mpoly_q_denref(a)) +
                                  length(fmpz_mpoly_q_denref(a)) * length(fmpz_mpoly_q_denref(b));
    if (R->over || !ring_charge(R, cost)) return;
    fmpz_mpoly_q_add(r, a, b, R->ctx);
    fraction_settle(R, r);
}

static double product_cost(const fraction *a, const fraction *b) {
    return length(fmpz_mpoly_q_numref(a)) * length(fmpz_mpoly_q_numref(b)) +
           length(fmpz_mpoly_q_denref(a)) * length(fmpz_mpoly_q_denref(b));
}

void fraction_multiply(ring *R, fraction *r, const fraction *a, const fraction *b) {
    if (R->over || !ring_charge(R, product_cost(a, b))) return;
    fmpz_mpoly_q_mul(r, a, b, R->ctx);
    fraction_settle(R, r);
}

void fraction_divide(ring *R, fraction *r, const fraction *a, const fraction *b) {
    if (fmpz_mpoly_q_is_zero(b, R->ctx)) R->over = true;
    if (R->over) return;
    fraction inverse;
    fmpz_mpoly_q_init(&inverse, R->ctx);
    fmpz_mpoly_q_inv(&inverse, b, R->ctx);
    fraction_multiply(R, r, a, &inverse);
    fmpz_mpoly_q_clear(&inverse, R->ctx);
}

static bool is_monomial_fraction(const fraction *f) {
    return fmpz_mpoly_q_numref(f)->length == 1 && fmpz_mpoly_q_denref(f)->length == 1;
}

void fraction_power(ring *R, fraction *r, const fraction *a, slong exponent) {
    enum { EXPONENT_LIMIT = 64 };
    const ulong n = exponent < 0 ? -(ulong)exponent : (ulong)exponent;
    if ((n > EXPONENT_LIMIT && !is_monomial_fraction(a)) || n > UINT16_MAX) R->over = true;
    if (exponent < 0 && fmpz_mpoly_q_is_zero(a, R->ctx)) R->over = true;
    if (R->over) return;
    fraction base;
    fmpz_mpoly_q_init(&base, R->ctx);
    if (exponent < 0) fmpz_mpoly_q_inv(&base, a, R->ctx);
    else fmpz_mpoly_q_set(&base, a, R->ctx);
    if (is_monomial_fraction(a)) {
        fmpz_mpoly_pow_ui(fmpz_mpoly_q_numref(r), fmpz_mpoly_q_numref(&base), n, R->ctx);
        fmpz_mpoly_pow_ui(fmpz_mpoly_q_denref(r), fmpz_mpoly_q_denref(&base), n, R->ctx);
        fraction_settle(R, r);
    } else {
        fmpz_mpoly_q_one(r, R->ctx);
        for (ulong i = 0; i < n && !R->over; i++) fraction_multiply(R, r, r, &base);
    }
    fmpz_mpoly_q_clear(&base, R->ctx);
}
