// Divisors of the rates that take many operations, as the determinant of the mass matrix of a chain
// of links does. Over the box of a step ranges tell nothing about them: every link makes them
// wider. What has no other operations in it than those that cannot hide anything (lookout.h) is
// known from its values instead: at both ends of the step and between them they must be of one sign
// and like size. Make it once for a tape, ask for each step, free it.
#ifndef HAMEL_INTEGRATE_LONG_DIVISORS_H
#define HAMEL_INTEGRATE_LONG_DIVISORS_H

#include "integrate/curve.h"
#include "codegen/tape.h"

typedef struct long_divisors long_divisors;

// Takes quotients with such divisors out of those that are to be judged by ranges; NULL: none.
long_divisors *long_divisors_create(const tape *rate, const double *parameter_value, bool *judged);
void long_divisors_free(long_divisors *d);
// Do all of them stay within this factor from a to b after the beginning of the curve? NULL: yes.
bool long_divisors_stay(long_divisors *d, const curve *c, double a, double b, double fold);

#endif
