// Working modulo variable^degree = top/bottom: reduction, rational denominators, and the
// choice between sin^2 and cos^2.
#include "normal/ring.h"

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
bool relations_reduce(ring *R, fmpz_mpoly_t f, fmpz_mpoly_t scale) {
    bool changed = false;
    for (uint32_t i = R->relation_count; i-- > 0 && !R->over;) {
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
    for (uint32_t i = R->relation_count; i-- > 0 && !R->over;) {
        const relation *r = &R->relations[i];
        fmpz_mpoly_struct *n = fmpz_mpoly_q_numref(f), *d = fmpz_mpoly_q_denref(f);
        if (fmpz_mpoly_degree_si(d, r->variable, R->ctx) <= 0 || !conjugate(R, r, d, factor))
            continue;
        if (!ring_charge(R, (double)factor->length * (double)(n->length + d->length))) break;
        fmpz_mpoly_mul(n, n, factor, R->ctx);
        fmpz_mpoly_mul(d, d, factor, R->ctx);
        fraction_settle(R, f);
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
    for (uint32_t i = 0; i < R->relation_count && !R->over; i++) {
        relation *r = &R->relations[i];
        flipped[i] = false;
        if (r->partner < 0 ||
            (fmpz_mpoly_degree_si(fmpz_mpoly_q_numref(f), r->partner, R->ctx) < 2 &&
             fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(f), r->partner, R->ctx) < 2))
            continue;
        fmpz_mpoly_q_set(&other, f, R->ctx);
        relation_flip(R, r);
        fraction_settle(R, &other);
        flipped[i] = size_of(&other) < size_of(f);
        if (flipped[i]) fmpz_mpoly_q_swap(&other, f, R->ctx);
        else relation_flip(R, r);
    }
    fmpz_mpoly_q_clear(&other, R->ctx);
}

void ring_flip_back(ring *R, const bool *flipped) {
    for (uint32_t i = 0; i < R->relation_count; i++)
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

void relations_contract_squares(ring *R, fmpz_mpoly_t f) {
    enum { LENGTH_LIMIT = 150 };
    if (f->length > LENGTH_LIMIT) return;
    for (uint32_t i = 0; i < R->relation_count; i++)
        if (R->relations[i].partner >= 0 &&
            fmpz_mpoly_degree_si(f, R->relations[i].partner, R->ctx) >= 2)
            contract_pairs(R, &R->relations[i], f);
}
