// Critical values of a parameter: where an eigenvalue passes through 0, a pair through the
// imaginary
// axis, or two meet. Each is found between two rows of a scan, refined, and proved by a change of
// sign that is certain, over a ball of the parameter for which the steady motion is enclosed.
#ifndef HAMEL_STUDY_CRITICAL_H
#define HAMEL_STUDY_CRITICAL_H

#include "study/scan.h"

typedef struct {
    int kind; // TEST_ZERO, ..
    arb_t value;
    bool proved; // there is one in the ball
    bool even;   // the test keeps its sign: it touches 0, or two pass at once
    bool stable_above;
    double frequency; // of the pair, at TEST_HOPF
} critical_value;

typedef struct {
    uint32_t count, capacity;
    critical_value *at; // by increasing value
} critical_values;

// Which of the tests vanish at all values of p, as far as 60 digits tell: `kind` gets the number of
// zeros among the eigenvalues, and `even` where it is not set but seems so. `idle`: the tests that
// say nothing.
void critical_look_at(scan *s, spectrum_kind *kind, bool idle[TESTS]);
void critical_find(scan *s, spectrum_kind kind, const bool idle[TESTS], arb_srcptr low,
                   arb_srcptr high, critical_values *out);
void critical_clear(critical_values *c);
// Without a proof: between a critical value and the next one
bool critical_seems_stable(scan *s, spectrum_kind kind, const critical_value *from, double to);
double critical_middle(const critical_value *c);

// A short gap in which no proof succeeds, and what is proved on both sides of it
typedef struct {
    arb_srcptr low, high;
    stability_verdict left, right;
} critical_gap;
// Critical values in it: of tests that change their sign there, once or twice, or touch 0; or where
// it is stable on one side and not on the other. Then add them to the others.
void critical_look_into(scan *s, spectrum_kind kind, const bool idle[TESTS], const critical_gap *at,
                        critical_values *out);
// Is a test nearly 0 at both ends of a gap, against what it is elsewhere?
bool critical_is_small(scan *s, spectrum_kind kind, int test, const critical_gap *at);
void critical_add(critical_values *out, int kind, arb_srcptr value); // not proved
void critical_merge(critical_values *out, critical_values *more);

// A point at p, or over its ball, from the nearest row, with so many bits: linearised, and enclosed
// where `prove`. With the point at the middle of the ball: derivatives along the path too.
bool critical_point(scan *s, const arb_t p, slong bits, bool prove, path_point *middle,
                    path_point *out);

#endif
