// Algebraic numbers: radicals, and sin, cos, tan at rational multiples of pi. decider.h asks here
// about constants, which have no symbols that could be random.
#ifndef HAMEL_PROVE_ALGEBRAIC_H
#define HAMEL_PROVE_ALGEBRAIC_H

#include "normal/normal.h"

bool algebraic_is_constant(pool *p, expr e); // no symbol and no abstract function in it
// Is the constant zero? Exact, in the field of algebraic numbers; UNKNOWN where it
// lies outside, or too deep inside.
normal_truth algebraic_is_zero(pool *p, expr e);

#endif
