// One of the tests along a scan, for the files behind critical.h: its values, its zeros, and what
// is at them. Make a critical_test of a scan and a kind, then look between two values where its
// signs differ.
#ifndef HAMEL_STUDY_CRITICAL_TEST_H
#define HAMEL_STUDY_CRITICAL_TEST_H

#include "study/critical.h"

enum { CRITICAL_BITS = 256, CRITICAL_CLOSE = -124 }; // 2^-124, relative: the radius that is proved

typedef struct {
    scan *s;
    spectrum_kind kind;
    int test;
    bool slope; // its derivative is meant
} critical_test;

bool critical_test_value(const critical_test *f, const arb_t p, arb_t out);
// The Illinois variant of false position, in midpoints; a and b have values of opposite signs.
bool critical_test_root(const critical_test *f, arb_t a, arb_t b, arb_t fa, arb_t fb, arb_t out);
// A zero between two values where its signs differ, refined and proved if it can be
void critical_test_between(const critical_test *f, const arb_t left, const arb_t right,
                           critical_values *out);
// The frequency of the pair that crosses at TEST_HOPF; 0 if there is none. `certain`: no other two
// can be meant.
double critical_test_pair(const critical_test *f, const arb_t p, bool *certain);

void critical_push(critical_values *out, const critical_value *v);
int critical_by_value(const void *a, const void *b); // for qsort

#endif
