// Expressions at rational points: everything that moves becomes a rational number, parameters stay
// symbols. integrals.h takes the linear equations for the coefficients of its ansatz at such
// points.
#ifndef HAMEL_ANALYSE_RATIONAL_POINT_H
#define HAMEL_ANALYSE_RATIONAL_POINT_H

#include "model/mechanics.h"

// out[i] = in[i] at the point of this seed. Coordinates, t, givens and scratch symbols become small
// rationals; sin and cos of a moving angle come from a rational point of the circle for each
// independent part of the argument, so that the addition theorems hold; exp likewise from a
// rational base; other functions become rational numbers of their own.
void rational_point_values(const mechanics *s, uint64_t seed, uint32_t count, const expr *in,
                           expr *out);

#endif
