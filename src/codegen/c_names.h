// Names of a model as C identifiers, no two alike: q[2,-1]' is q_2_m1_dot, lambda[roll.x]
// lambda_roll_x. Stand-alone projects use it for every coordinate, parameter and multiplier, so
// that generated code can be read.
#ifndef HAMEL_CODEGEN_C_NAMES_H
#define HAMEL_CODEGEN_C_NAMES_H

#include "base/names.h"

// A new identifier for `name`, different from all that `taken` holds, from keywords, and from what
// generated bodies call things themselves.
const char *c_names_identifier(arena *a, names *taken, const char *name);

#endif
