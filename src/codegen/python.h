// What every module that `codegen` writes in Python has in common: texts, and words that names must
// not be. python.c puts the system between them.
#ifndef HAMEL_CODEGEN_PYTHON_H
#define HAMEL_CODEGEN_PYTHON_H

#include "codegen/identifier.h"

extern const identifier_rules python_rules, python_program_rules;
// In this order in a module: what is imported; the begin of the function whose inner functions are
// the system; how they are called. Then main.py.
extern const char python_head[], python_bodies[], python_runtime[], python_main[];

#endif
