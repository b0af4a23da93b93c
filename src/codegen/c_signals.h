// What changes from call to call in generated C: inputs, which are arguments u, and functions from
// data, which are looked up. Where a system has neither, its functions are plain ones of (t, z);
// where it has some, they stand behind the parameters for the length of a call.
#ifndef HAMEL_CODEGEN_C_SIGNALS_H
#define HAMEL_CODEGEN_C_SIGNALS_H

#include "codegen/target.h"

bool c_signals_any(const project *g);
// void NAME_rate(const NAME_system *s, double t, const double *z, const double *u, double *out)
void c_signals_prototype(const project *g, const project_function *f, text *out);
// Data, and the function that puts everything behind the parameters
void c_signals_write(const project *g, text *out);
// The body of a function whose fixed values take so many places
void c_signals_call(const project *g, const project_function *f, uint32_t places, text *out);

#endif
