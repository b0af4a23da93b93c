// A system as a stand-alone C project: NAME.h, NAME.c, main.c, Makefile;
// C99 and libm, nothing else.
#ifndef HAMEL_CODEGEN_PROJECT_H
#define HAMEL_CODEGEN_PROJECT_H

#include "codegen/tape.h"

typedef struct {
    const char *id;    // "rate"
    const char *about; // what it computes, one line
    const tape *t;
    uint32_t columns; // of a matrix, that stands row by row; 0: a list
    // what the outputs of a list are called in the model; NULL: they have no names
    const char *const *entry;
    bool in_rows; // main.c prints it
} project_function;

typedef struct {
    const char *name;      // a C identifier
    const char *title;     // one line
    const char *equations; // for the comment: lines of text
    const char *version;   // of the program that writes this
    uint32_t state_count, parameter_count;
    const char *const *state, *const *parameter;       // as the model calls them
    const char *const *state_id, *const *parameter_id; // as C does
    const double *start, *value;                       // of the state and of the parameters
    double t0, t1;
    uint32_t function_count; // the first is the rate z' = f(z, t)
    const project_function *function;
} project;

// The first line of every Makefile: a folder that has it was made here.
#define PROJECT_MARK "# Written by hamel"

void project_header(const project *g, text *out);
void project_source(const project *g, text *out);
void project_main(const project *g, text *out);
void project_makefile(const project *g, text *out);

#endif
