// Algebraic numbers: radicals, and sin, cos, tan at rational multiples of pi. decider.h asks here
// about constants, which have no symbols that could be random.
#ifndef HAMEL_PROVE_ALGEBRAIC_H
#define HAMEL_PROVE_ALGEBRAIC_H

#include "normal/normal.h"

// Is the constant zero? Exact, in the field of algebraic numbers; UNKNOWN where e is no constant,
// lies outside of that field, or is of too high a degree.
normal_truth algebraic_is_zero(pool *p, expr e);

#endif
