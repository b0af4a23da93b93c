// The solution over one step as polynomials, z_i = sum_k c[k * n + i] (t - from)^k, and the box it
// stays in over a part of the step. The lookout, the search for events and the look at the rank
// follow a step through it, whatever method made the step.
#ifndef HAMEL_INTEGRATE_CURVE_H
#define HAMEL_INTEGRATE_CURVE_H

#include "execute/ranges.h"
#include "integrate/integration.h"

typedef struct curve {
    uint32_t n, order;
    double from, length;
    const double *c;
    double *bend; // a bound of |z_i''| over the step; below 0: not asked for yet
    // how far the solution may be from the polynomial, in parts of how far the polynomial is from a
    // straight line
    double slack;
    double *memory;
    size_t capacity;
    uint32_t placed; // of curve_of_dense(), the order whose places stand behind the coefficients
} curve;

// The polynomial with these coefficients over [from, from + length]; they stay the caller's.
void curve_of_series(curve *c, uint32_t n, uint32_t order, const double *coefficient, double from,
                     double length);
// From now on the coefficients are the curve's own.
void curve_keep(curve *c);
// The cubic of Hermite between two states with their slopes.
void curve_of_ends(curve *c, uint32_t n, double from, double length, const double *z0,
                   const double *f0, const double *z1, const double *f1);
// The polynomial of a dense output of that order, from its values at as many places.
void curve_of_dense(curve *c, uint32_t n, uint32_t order, const dense *inside, double from,
                    double length);
void curve_free(curve *c);

// Where component i is, and with which slopes, from `a` to `b` after the beginning of the step.
range curve_values(const curve *c, uint32_t i, double a, double b);
// Somewhat wider from the beginning to `b`, in a third of the time
range curve_reach(const curve *c, uint32_t i, double b);
range curve_slopes(const curve *c, uint32_t i, double a, double b);
// The first of them; slope may be NULL
void curve_at(const curve *c, uint32_t count, double s, double *z, double *slope);

#endif
