// What a real polynomial, the characteristic one of a linear motion, says of its roots without
// finding them: conditions of Routh and Hurwitz, and functions whose zeros are the critical values
// of a parameter. All in balls: a sign that is certain is a proof.
#ifndef HAMEL_STUDY_SPECTRUM_H
#define HAMEL_STUDY_SPECTRUM_H

#include "study/linearise.h"

#include <arb_poly.h>

// Where each of them changes its sign as a parameter moves, something happens to the roots:
enum {
    TEST_ZERO,   // a root is 0: the constant coefficient
    TEST_HOPF,   // two roots have the sum 0: Hurwitz's determinant of order n - 1
    TEST_DOUBLE, // two roots are equal: the discriminant
    TESTS
};

// Of a polynomial c with leading coefficient 1. `even`: it is known to be one, c(x) = P(x^2), so
// that the discriminant is that of P, and TEST_HOPF is not looked at. `zeros`: so many of the
// lowest coefficients are left out.
typedef struct {
    bool even;
    bool guessed; // `even` is what digits say, and nothing is proved by it
    uint32_t zeros;
} spectrum_kind;

// A polynomial, or all that it is while a parameter goes through a ball. There, with the polynomial
// at the middle, its derivative over the ball and the ball less its middle, everything is looked at
// a second way: f(middle) + f'(ball) shift.
typedef struct {
    const arb_poly_struct *c;
    const arb_poly_struct *middle, *rate; // NULL: c alone
    arb_srcptr shift;
} spectrum;

void spectrum_test(const spectrum *s, spectrum_kind kind, int test, slong bits, arb_t out);
// Its derivative by the parameter, of a polynomial with its rate at one value
void spectrum_test_rate(const spectrum *s, spectrum_kind kind, int test, slong bits, arb_t out);

// STABLE_YES: all roots have negative real parts. STABLE_NO: one has a positive real part.
// STABLE_MARGINAL, of even polynomials only: all roots are simple and imaginary, none is 0.
stability_verdict spectrum_judge(const spectrum *s, spectrum_kind kind, slong bits);

// Near a zero of one of the conditions, TEST_ZERO or TEST_HOPF (of even polynomials TEST_DOUBLE),
// that changes its sign there once: are all others good over the ball? `rises`: that test does so
// with the parameter. Then the roots are as for STABLE_YES or STABLE_MARGINAL where it is positive,
// and one has a positive real part where it is negative.
bool spectrum_turns(const spectrum *s, spectrum_kind kind, int test, slong bits, bool *rises);

#endif
