// Fractions of polynomials modulo the relations variable^degree = top/bottom: arithmetic under the
// budget, where the size of a result is bounded before it is computed; rational denominators; and
// the choice between sin^2 and cos^2.
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
static void settle(ring *R, fraction *f) {
    fmpz_mpoly_t above, below;
    fmpz_mpoly_init(above, R->ctx);
    fmpz_mpoly_init(below, R->ctx);
    bool changed = false;
    for (bool again = true; again && !R->over;) { // numerator = n/above, denominator = d/below
        fmpz_mpoly_one(above, R->ctx);
        fmpz_mpoly_one(below, R->ctx);
        again = ring_reduce(R, fmpz_mpoly_q_numref(f), above);
        again = ring_reduce(R, fmpz_mpoly_q_denref(f), below) || again;
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
    settle(R, r);
}

static double product_cost(const fraction *a, const fraction *b) {
    return length(fmpz_mpoly_q_numref(a)) * length(fmpz_mpoly_q_numref(b)) +
           length(fmpz_mpoly_q_denref(a)) * length(fmpz_mpoly_q_denref(b));
}

void fraction_multiply(ring *R, fraction *r, const fraction *a, const fraction *b) {
    if (R->over || !ring_charge(R, product_cost(a, b))) return;
    fmpz_mpoly_q_mul(r, a, b, R->ctx);
    settle(R, r);
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
        settle(R, r);
    } else {
        fmpz_mpoly_q_one(r, R->ctx);
        for (ulong i = 0; i < n && !R->over; i++) fraction_multiply(R, r, r, &base);
    }
    fmpz_mpoly_q_clear(&base, R->ctx);
}

// f = sum A_k v^k  becomes  sum A_k v^(k mod d) top^(k div d) bottom^(K - k div d), where K is the
// largest k div d, and scale gains the factor bottom^K that f has to be divided by.
static void reduce_by(ring *R, const relation *r, fmpz_mpoly_t f, fmpz_mpoly_t scale) {
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_univar_init(u, R->ctx);
    fmpz_mpoly_to_univar(u, f, r->variable, R->ctx);
    // exponents descend
    const ulong most = (ulong)fmpz_mpoly_univar_get_term_exp_si(u, 0, R->ctx) / r->degree;
    fmpz_mpoly_t term, power;
    fmpz_mpoly_init(term, R->ctx), fmpz_mpoly_init(power, R->ctx);
    fmpz_mpoly_zero(f, R->ctx);
    for (slong i = 0; i < fmpz_mpoly_univar_length(u, R->ctx) && !R->over; i++) {
        const ulong k = (ulong)fmpz_mpoly_univar_get_term_exp_si(u, i, R->ctx),
                    whole = k / r->degree;
        fmpz_mpoly_univar_swap_term_coeff(term, u, i, R->ctx);
        fmpz_mpoly_gen(power, r->variable, R->ctx);
        fmpz_mpoly_pow_ui(power, power, k % r->degree, R->ctx);
        fmpz_mpoly_mul(term, term, power, R->ctx);
        for (ulong j = 0; j < most && !R->over; j++) {
            const fmpz_mpoly_struct *factor = j < whole ? r->top : r->bottom;
            if (fmpz_mpoly_is_one(factor, R->ctx)) continue;
            if (ring_charge(R, (double)term->length * (double)factor->length))
                fmpz_mpoly_mul(term, term, factor, R->ctx);
        }
        fmpz_mpoly_add(f, f, term, R->ctx);
        if (f->length > 4 * (slong)R->budget.terms) R->over = true;
    }
    for (ulong j = 0; j < most && !R->over; j++) fmpz_mpoly_mul(scale, scale, r->bottom, R->ctx);
    fmpz_mpoly_clear(term, R->ctx), fmpz_mpoly_clear(power, R->ctx);
    fmpz_mpoly_univar_clear(u, R->ctx);
}

// Later relations first: what they bring in is reduced by the earlier ones.
bool ring_reduce(ring *R, fmpz_mpoly_t f, fmpz_mpoly_t scale) {
    bool changed = false;
    for (uint32_t i = R->relations_count; i-- > 0 && !R->over;) {
        const relation *r = &R->relations[i];
        if (fmpz_mpoly_degree_si(f, r->variable, R->ctx) < (slong)r->degree) continue;
        reduce_by(R, r, f, scale);
        changed = true;
    }
    return changed;
}

// sin^2 = 1 - cos^2 <-> cos^2 = 1 - sin^2;  sinh^2 = cosh^2 - 1 <-> cosh^2 = 1 + sinh^2.
void relation_flip(ring *R, relation *r) {
    const slong variable = r->partner;
    r->partner = r->variable, r->variable = variable;
    const bool sine = r->variable < r->partner;
    fmpz_mpoly_gen(r->top, r->partner, R->ctx);
    fmpz_mpoly_mul(r->top, r->top, r->top, R->ctx);
    if (r->family == FAMILY_CIRCULAR) fmpz_mpoly_neg(r->top, r->top, R->ctx);
    fmpz_mpoly_add_si(r->top, r->top, r->family == FAMILY_HYPERBOLIC && sine ? -1 : 1, R->ctx);
}

// --- rational denominators -----------------------------------------------------------------------

// A factor that clears v from the denominator d: A - B*v for d = A + B*v with a square
// relation, v^(degree-k) for d = B*v^k.
static bool conjugate(ring *R, const relation *r, const fmpz_mpoly_t d, fmpz_mpoly_t out) {
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_univar_init(u, R->ctx);
    fmpz_mpoly_to_univar(u, d, r->variable, R->ctx);
    const ulong k = (ulong)fmpz_mpoly_univar_get_term_exp_si(u, 0, R->ctx);
    const slong length = fmpz_mpoly_univar_length(u, R->ctx);
    bool found = true;
    if (length == 1 && k > 0) {
        fmpz_mpoly_gen(out, r->variable, R->ctx);
        fmpz_mpoly_pow_ui(out, out, r->degree - k, R->ctx);
    } else if (length == 2 && r->degree == 2) {
        fmpz_mpoly_t b;
        fmpz_mpoly_init(b, R->ctx);
        fmpz_mpoly_gen(out, r->variable, R->ctx);
        fmpz_mpoly_univar_get_term_coeff(b, u, 0, R->ctx);
        fmpz_mpoly_mul(out, out, b, R->ctx);
        fmpz_mpoly_univar_get_term_coeff(b, u, 1, R->ctx);
        fmpz_mpoly_sub(out, b, out, R->ctx);
        fmpz_mpoly_clear(b, R->ctx);
    } else {
        found = false;
    }
    fmpz_mpoly_univar_clear(u, R->ctx);
    return found;
}

void fraction_rationalise(ring *R, fraction *f) {
    fmpz_mpoly_t factor;
    fmpz_mpoly_init(factor, R->ctx);
    for (uint32_t i = R->relations_count; i-- > 0 && !R->over;) {
        const relation *r = &R->relations[i];
        fmpz_mpoly_struct *n = fmpz_mpoly_q_numref(f), *d = fmpz_mpoly_q_denref(f);
        if (fmpz_mpoly_degree_si(d, r->variable, R->ctx) <= 0 || !conjugate(R, r, d, factor))
            continue;
        if (!ring_charge(R, (double)factor->length * (double)(n->length + d->length))) break;
        fmpz_mpoly_mul(n, n, factor, R->ctx);
        fmpz_mpoly_mul(d, d, factor, R->ctx);
        settle(R, f);
    }
    fmpz_mpoly_clear(factor, R->ctx);
}

// --- sin^2 or cos^2? -----------------------------------------------------------------------------

static slong size_of(const fraction *f) {
    return fmpz_mpoly_q_numref(f)->length + fmpz_mpoly_q_denref(f)->length;
}

void fraction_orient(ring *R, fraction *f, bool *flipped) {
    fraction other;
    fmpz_mpoly_q_init(&other, R->ctx);
    for (uint32_t i = 0; i < R->relations_count && !R->over; i++) {
        relation *r = &R->relations[i];
        flipped[i] = false;
        if (r->partner < 0 ||
            (fmpz_mpoly_degree_si(fmpz_mpoly_q_numref(f), r->partner, R->ctx) < 2 &&
             fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(f), r->partner, R->ctx) < 2))
            continue;
        fmpz_mpoly_q_set(&other, f, R->ctx);
        relation_flip(R, r);
        settle(R, &other);
        flipped[i] = size_of(&other) < size_of(f);
        if (flipped[i]) fmpz_mpoly_q_swap(&other, f, R->ctx);
        else relation_flip(R, r);
    }
    fmpz_mpoly_q_clear(&other, R->ctx);
}

void ring_flip_back(ring *R, const bool *flipped) {
    for (uint32_t i = 0; i < R->relations_count; i++)
        if (flipped[i]) relation_flip(R, &R->relations[i]);
}

// Replace pairs of terms a*k*M + b*k*M*p^2 by k*M*v^2, where v^2 = a + b*p^2 is the
// relation: one term less each.
static void contract_pairs(ring *R, const relation *r, fmpz_mpoly_t f) {
    const slong nvars = fmpz_mpoly_ctx_nvars(R->ctx);
    const bool circular = r->family == FAMILY_CIRCULAR;
    const bool sine = r->variable < r->partner;
    const int a = !circular && sine ? -1 : 1, b = circular ? -1 : 1;
    ulong *exponents = memory_array(ulong, nvars);
    fmpz_t high, low, zero;
    fmpz_init(high), fmpz_init(low), fmpz_init(zero);
    for (slong i = 0; i < f->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, f, i, R->ctx);
        if (exponents[r->partner] < 2) continue;
        fmpz_mpoly_get_term_coeff_fmpz(high, f, i, R->ctx);
        exponents[r->partner] -= 2;
        fmpz_mpoly_get_coeff_fmpz_ui(low, f, exponents, R->ctx);
        if (a * b < 0) fmpz_neg(low, low);
        // high = b*k and a*b*low = b*k, low the coefficient a*k of M
        if (!fmpz_equal(high, low)) continue;
        fmpz_mpoly_set_coeff_fmpz_ui(f, zero, exponents, R->ctx);
        exponents[r->partner] += 2;
        fmpz_mpoly_set_coeff_fmpz_ui(f, zero, exponents, R->ctx);
        exponents[r->partner] -= 2;
        exponents[r->variable] += 2;
        if (b < 0) fmpz_neg(high, high);
        fmpz_mpoly_get_coeff_fmpz_ui(low, f, exponents, R->ctx);
        fmpz_add(high, high, low);
        fmpz_mpoly_set_coeff_fmpz_ui(f, high, exponents, R->ctx);
        i = -1; // positions moved: start again
    }
    fmpz_clear(high), fmpz_clear(low), fmpz_clear(zero);
    memory_free(exponents);
}

void ring_contract_squares(ring *R, fmpz_mpoly_t f) {
    enum { LENGTH_LIMIT = 150 };
    if (f->length > LENGTH_LIMIT) return;
    for (uint32_t i = 0; i < R->relations_count; i++)
        if (R->relations[i].partner >= 0 &&
            fmpz_mpoly_degree_si(f, R->relations[i].partner, R->ctx) >= 2)
            contract_pairs(R, &R->relations[i], f);
}
