// A field whose functions are compiled code, from the start or from where it pays. One call makes
// it as it was asked for; its callers cannot tell interpreted functions from compiled ones.
#ifndef HAMEL_EXECUTE_COMPILED_H
#define HAMEL_EXECUTE_COMPILED_H

#include "execute/field.h"

// By "compiled" code, by the interpreter ("interpreted"), or as it pays on the way to `end`
// ("auto", NULL). Where compiled code was asked for and cannot be had, a warning says why
// and the field is interpreted. NULL: there is no such word; an error says so.
field *field_asked_for(simulation *sim, const char *how, double end);

#endif
