// Conditions on the roots of a polynomial c(x) = x^n + .. + c_1 x + c_0.
//
// Hurwitz's matrix has the entries H_ij = c_(n - 2 j + i), i, j = 1 .. n, and D_k is its leading
// minor of order k. All roots have negative real parts where D_1 .. D_n are positive; where none
// has a positive real part, no D_k and no c_k is negative (a limit of polynomials with D_k, c_k
// positive). Orlando: D_(n-1) is, but for its sign, the product of all x_i + x_j, i < j.
//
// An even one, c(x) = P(x^2), has imaginary roots only where all roots of P are real and negative.
// With Hermite and Biehler: they are that and simple where P(x^2) + x P'(x^2) has all its roots in
// the left half plane.
#include "study/spectrum.h"

// --- determinants --------------------------------------------------------------------------------

// Rows of coefficients: each of the quantities is the determinant of such a matrix, linear in c
typedef void builder(const arb_poly_t c, slong n, slong order, slong bits, arb_mat_t out);

static void hurwitz_matrix(const arb_poly_t c, slong n, slong order, slong bits, arb_mat_t out) {
    (void)bits;
    for (slong i = 0; i < order; i++)
        for (slong j = 0; j < order; j++) {
            const slong k = n - 2 * (j + 1) + (i + 1);
            if (k >= 0 && k <= n) arb_poly_get_coeff_arb(arb_mat_entry(out, i, j), c, k);
        }
}

// Of c and its derivative: the discriminant but for the sign (-1)^(n (n - 1)/2)
static void sylvester_matrix(const arb_poly_t c, slong n, slong order, slong bits, arb_mat_t out) {
    (void)order;
    for (slong i = 0; i < n - 1; i++)
        for (slong k = 0; k <= n; k++)
            arb_poly_get_coeff_arb(arb_mat_entry(out, i, i + n - k), c, k);
    for (slong i = 0; i < n; i++)
        for (slong k = 1; k <= n; k++) {
            arb_ptr to = arb_mat_entry(out, n - 1 + i, i + n - k);
            arb_poly_get_coeff_arb(to, c, k);
            arb_mul_si(to, to, k, bits);
        }
}

static void determinant(builder *build, const arb_poly_t c, slong n, slong order, slong bits,
                        arb_t out) {
    arb_mat_t m;
    arb_mat_init(m, order, order);
    build(c, n, order, bits, m);
    arb_mat_det_precond(out, m, bits);
    arb_mat_clear(m);
}

// (det M)' = sum_i det(M with row i of M')
static void determinant_rate(builder *build, const arb_poly_t c, const arb_poly_t rate, slong n,
                             slong order, slong bits, arb_t out) {
    arb_mat_t m, d, part;
    arb_t v;
    arb_init(v);
    arb_mat_init(m, order, order), arb_mat_init(d, order, order);
    arb_mat_init(part, order, order);
    build(c, n, order, bits, m), build(rate, n, order, bits, d);
    arb_zero(out);
    for (slong i = 0; i < order; i++) {
        arb_mat_set(part, m);
        for (slong j = 0; j < order; j++)
            arb_set(arb_mat_entry(part, i, j), arb_mat_entry(d, i, j));
        arb_mat_det_precond(v, part, bits);
        arb_add(out, out, v, bits);
    }
    arb_mat_clear(m), arb_mat_clear(d), arb_mat_clear(part);
    arb_clear(v);
}

// --- a polynomial over a ball --------------------------------------------------------------------

typedef struct {
    arb_poly_t c, middle, rate;
    arb_srcptr shift;
    bool narrow; // the last three are there
    slong n, bits;
} family;

// P with P(x^2) = c(x), or c itself where it is not even
static void reduce(const arb_poly_t c, spectrum_kind kind, arb_poly_t out) {
    arb_poly_shift_right(out, c, kind.zeros);
    if (!kind.even) return;
    arb_poly_t half;
    arb_t v;
    arb_poly_init(half), arb_init(v);
    for (slong k = 0; 2 * k <= arb_poly_degree(out); k++) {
        arb_poly_get_coeff_arb(v, out, 2 * k);
        arb_poly_set_coeff_arb(half, k, v);
    }
    arb_poly_swap(out, half);
    arb_poly_clear(half), arb_clear(v);
}

// P(x^2) + x P'(x^2)
static void hermite_biehler(arb_poly_t p, slong bits) {
    arb_poly_t q;
    arb_t v;
    arb_poly_init(q), arb_init(v);
    for (slong k = 0; k <= arb_poly_degree(p); k++) {
        arb_poly_get_coeff_arb(v, p, k);
        arb_poly_set_coeff_arb(q, 2 * k, v);
        arb_mul_si(v, v, k, bits);
        if (k) arb_poly_set_coeff_arb(q, 2 * k - 1, v);
    }
    arb_poly_swap(p, q);
    arb_poly_clear(q), arb_clear(v);
}

// The smaller of two balls that both hold a number
static void take_narrower(arb_t v, const arb_t other) {
    if (arb_is_finite(other) &&
        (!arb_is_finite(v) || mag_cmp(arb_radref(other), arb_radref(v)) < 0))
        arb_set(v, other);
}

static void family_init(const spectrum *s, spectrum_kind kind, slong bits, family *out) {
    *out = (family){.shift = s->shift, .narrow = s->middle && s->rate && s->shift, .bits = bits};
    arb_poly_init(out->c), arb_poly_init(out->middle), arb_poly_init(out->rate);
    reduce(s->c, kind, out->c);
    out->n = arb_poly_degree(out->c);
    if (!out->narrow) return;
    reduce(s->middle, kind, out->middle), reduce(s->rate, kind, out->rate);
    arb_t v, w;
    arb_init(v), arb_init(w);
    for (slong k = 0; k < out->n; k++) {
        arb_poly_get_coeff_arb(v, out->rate, k);
        arb_mul(v, v, s->shift, bits);
        arb_poly_get_coeff_arb(w, out->middle, k);
        arb_add(w, w, v, bits);
        arb_poly_get_coeff_arb(v, out->c, k);
        take_narrower(v, w);
        arb_poly_set_coeff_arb(out->c, k, v);
    }
    arb_clear(v), arb_clear(w);
}

static void family_clear(family *f) {
    arb_poly_clear(f->c), arb_poly_clear(f->middle), arb_poly_clear(f->rate);
}

static void family_determinant(const family *f, builder *build, slong order, arb_t out) {
    determinant(build, f->c, f->n, order, f->bits, out);
    if (!f->narrow) return;
    arb_t v, w;
    arb_init(v), arb_init(w);
    determinant_rate(build, f->c, f->rate, f->n, order, f->bits, v);
    determinant(build, f->middle, f->n, order, f->bits, w);
    arb_addmul(w, v, f->shift, f->bits);
    take_narrower(out, w);
    arb_clear(v), arb_clear(w);
}

// --- what is asked for ---------------------------------------------------------------------------

typedef struct {
    builder *build; // NULL: the constant coefficient
    slong order;
    bool negative, is_one;
} test_of;

static test_of find_test(const family *f, spectrum_kind kind, int test) {
    const slong n = f->n;
    if (test == TEST_ZERO) return (test_of){0};
    if (test == TEST_DOUBLE)
        return (test_of){.build = sylvester_matrix,
                         .order = 2 * n - 1,
                         .negative = n * (n - 1) / 2 % 2,
                         .is_one = n < 2};
    return (test_of){.build = hurwitz_matrix, .order = n - 1, .is_one = kind.even || n < 2};
}

void spectrum_test(const spectrum *s, spectrum_kind kind, int test, slong bits, arb_t out) {
    family f;
    family_init(s, kind, bits, &f);
    const test_of t = find_test(&f, kind, test);
    if (t.is_one) arb_one(out);
    else if (!t.build) arb_poly_get_coeff_arb(out, f.c, 0);
    else family_determinant(&f, t.build, t.order, out);
    if (t.negative) arb_neg(out, out);
    family_clear(&f);
}

void spectrum_test_rate(const spectrum *s, spectrum_kind kind, int test, slong bits, arb_t out) {
    family f;
    arb_t zero;
    arb_init(zero);
    spectrum here = *s;
    here.shift = zero;
    family_init(&here, kind, bits, &f);
    const test_of t = find_test(&f, kind, test);
    if (t.is_one) arb_zero(out);
    else if (!t.build) arb_poly_get_coeff_arb(out, f.rate, 0);
    else determinant_rate(t.build, f.c, f.rate, f.n, t.order, bits, out);
    if (t.negative) arb_neg(out, out);
    family_clear(&f);
    arb_clear(zero);
}

// The polynomial whose roots are to lie in the left half plane
static void family_of_conditions(const spectrum *s, spectrum_kind kind, slong bits, family *f) {
    family_init(s, kind, bits, f);
    if (!kind.even) return;
    hermite_biehler(f->c, bits), hermite_biehler(f->middle, bits), hermite_biehler(f->rate, bits);
    f->n *= 2;
}

stability_verdict spectrum_judge(const spectrum *s, spectrum_kind kind, slong bits) {
    family f;
    arb_t v;
    arb_init(v);
    // what digits say of it, that there are zeros or that it is even, proves nothing
    const spectrum_kind whole = {.even = kind.even && !kind.guessed};
    family_of_conditions(s, whole, bits, &f);
    bool negative = false, positive = true;
    for (slong k = 0; k < f.n && !negative; k++) {
        arb_poly_get_coeff_arb(v, f.c, k);
        negative = arb_is_negative(v);
        positive = positive && arb_is_positive(v);
    }
    for (slong k = 1; k <= f.n && !negative; k++) {
        family_determinant(&f, hurwitz_matrix, k, v);
        negative = arb_is_negative(v);
        positive = positive && arb_is_positive(v);
    }
    family_clear(&f);
    arb_clear(v);
    if (negative) return STABLE_NO;
    if (!positive) return STABLE_UNDECIDED;
    return whole.even ? STABLE_MARGINAL : STABLE_YES;
}

// D_n = c_0 D_(n-1): the conditions are D_1 .. D_(n-1) and c_0. Of P(x^2) + x P'(x^2), D_(n-1) is
// the resultant of P and P'.
bool spectrum_turns(const spectrum *s, spectrum_kind kind, int test, slong bits, bool *rises) {
    family f;
    arb_t v;
    arb_init(v);
    family_of_conditions(s, kind, bits, &f);
    bool good = f.narrow && !kind.zeros && !kind.guessed && f.n > 0;
    for (slong k = 1; k <= f.n - 2 && good; k++) {
        family_determinant(&f, hurwitz_matrix, k, v);
        good = arb_is_positive(v);
    }
    if (good && test != TEST_ZERO) {
        arb_poly_get_coeff_arb(v, f.c, 0);
        good = arb_is_positive(v);
        determinant_rate(hurwitz_matrix, f.c, f.rate, f.n, f.n - 1, bits, v);
    } else if (good) {
        family_determinant(&f, hurwitz_matrix, f.n - 1, v);
        good = f.n < 2 || arb_is_positive(v);
        arb_poly_get_coeff_arb(v, f.rate, 0);
    }
    good = good && (arb_is_positive(v) || arb_is_negative(v));
    *rises = arb_is_positive(v);
    family_clear(&f);
    arb_clear(v);
    return good;
}
