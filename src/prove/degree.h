// Bounds for degrees, for the Schwartz-Zippel estimate.
#ifndef HAMEL_PROVE_DEGREE_H
#define HAMEL_PROVE_DEGREE_H

#include "derive/basis.h"
#include "equations/equations.h"

// log2 of a bound for the degree, in the random numbers behind a point, of anything that is tested: the given
// expressions in q, q', q'', lambda with q' on the constraints and q'', lambda from a linear system whose residuals are
// among them.
double degree_bits(const mechanics *system, const velocity_basis *v, double denominator, uint32_t count, const expr *e);

#endif
