// Expressions at a state of a run, where speed does not matter.
#ifndef HAMEL_SIMULATE_VALUES_H
#define HAMEL_SIMULATE_VALUES_H

#include "simulate/system.h"

// Values of expressions in q, q', q'', eta, lambda, t at (t, z).
// heap
double *values_at(const simulation *s, uint32_t count, const expr *e, double t, const double *z);

#endif
