// Expressions at a state of a run, where speed does not matter. diagnose.h asks for the values that
// it names when a run has ended.
#ifndef HAMEL_EXECUTE_VALUES_H
#define HAMEL_EXECUTE_VALUES_H

#include "execute/simulation.h"

// Values of expressions in q, q', q'', eta, lambda, t at (t, z); the caller frees them.
double *values_at(const simulation *s, uint32_t count, const expr *e, double t, const double *z);

#endif
