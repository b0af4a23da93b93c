// A field whose functions are compiled code, from the start or from where it pays. One call makes
// it as it was asked for; who calls its functions cannot tell which they are.
#ifndef HAMEL_EXECUTE_COMPILED_H
#define HAMEL_EXECUTE_COMPILED_H

#include "execute/field.h"

// By "compiled" code, by the interpreter ("interpreted"), or as it pays on the way to `end`
// ("auto", NULL). Who asks for compiled code and cannot have it is told why, and gets the
// interpreter. NULL: there is no such word, which is said.
field *field_asked_for(simulation *sim, const char *how, double end);

#endif
