// A field whose functions are compiled code, from the start or from where it pays. field_compiled()
// compiles at once or says why not; field_chosen() interprets first and compiles when the run turns
// out to be long enough to pay for it.
#ifndef HAMEL_EXECUTE_COMPILED_H
#define HAMEL_EXECUTE_COMPILED_H

#include "execute/field.h"

// NULL: there is no compiler or it failed; `error` says why. What is rarely asked for (the
// Jacobian) is compiled when it first is, long rates when they are asked for again and again, long
// rows where that pays on the way to `end`; interpreted if that fails.
field *field_compiled(simulation *s, double end, const char **error);

// Interpreted until that has become dearer than compiling, as far as can be told from the
// part of the way to `end` that was covered; compiled at once if the cache holds the
// code. Decided by counting steps, not by a clock. Results do not depend on it: both do
// the same operations in the same order.
field *field_chosen(simulation *s, double end);

// By "compiled" code, by the interpreter ("interpreted"), or as it pays on the way to `end`
// ("auto", NULL). Who asks for compiled code and cannot have it is told why, and gets the
// interpreter. NULL: there is no such word, which is said.
field *field_asked_for(simulation *s, const char *how, double end);

#endif
