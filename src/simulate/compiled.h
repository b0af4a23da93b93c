// A field whose functions are compiled code.
#ifndef HAMEL_SIMULATE_COMPILED_H
#define HAMEL_SIMULATE_COMPILED_H

#include "simulate/field.h"

// NULL: there is no compiler or it failed; `error` says why. The Jacobian is compiled when it is first asked for, and interpreted if that fails.
field *field_compiled(simulation *s, const char **error);
// The same if the cache holds the code already; else NULL, and nothing was compiled.
field *field_from_cache(simulation *s);

// Interpreted until that has become dearer than compiling what is left of the way to `end`; compiled at once if the cache holds the code. Results do not depend on it:
// both do the same operations in the same order. Decided by counting, so that equal runs decide alike.
field *field_chosen(simulation *s, double end);

#endif
