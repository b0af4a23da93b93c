// Ranges [lo, hi] of doubles that hold every value of a function over a set of arguments: each
// result is rounded outward. What nothing is known of is EVERYTHING.
#ifndef HAMEL_EXECUTE_RANGES_H
#define HAMEL_EXECUTE_RANGES_H

#include "codegen/tape.h"

#include <math.h>

typedef struct {
    double lo, hi;
} range;

#define EVERYTHING ((range){-INFINITY, INFINITY})

static inline range range_of(double x) { return (range){x, x}; }
static inline range range_around(double middle, double radius) {
    return (range){middle - radius, middle + radius};
}
static inline bool range_has_zero(range a) { return !(a.lo > 0 || a.hi < 0); }
// The largest |x|; fmax() would be a call
static inline double range_size(range a) {
    const double lo = fabs(a.lo), hi = fabs(a.hi);
    return lo > hi || isnan(hi) ? lo : hi;
}
static inline double range_least(range a) {
    if (range_has_zero(a)) return 0;
    return a.lo > 0 ? a.lo : -a.hi;
}
static inline double range_width(range a) { return a.hi - a.lo; }

range range_add(range a, range b);
range range_mul(range a, range b);
range range_square(range a);
// Outside a function's domain (the root of a negative number) the result is EVERYTHING.
range range_apply(tape_operation operation, range a, range b);
// d/dt of operation(a, b) = r, where a and b change at the rates da and db
range range_rate(tape_operation operation, range a, range b, range r, range da, range db);

#endif
