// Expressions with the values that the model states. Geometry is decided twice, in general and with
// these.
#ifndef HAMEL_ANALYSE_STATED_H
#define HAMEL_ANALYSE_STATED_H

#include "model/mechanics.h"

// out = in with parameters that have values, givens and functions that have definitions in their
// places, exactly. False if that changes nothing.
bool with_stated_values(const mechanics *s, uint32_t count, const expr *in, expr *out);

#endif
