// A target of `hamel codegen`: one file, one descriptor, one line in targets.def.
//
// A target turns a `project`, the system as named functions of (t, z) with all names and numbers
// that code needs, into a list of files. The caller (api/codegen.c) makes the project, opens the
// folder and writes the files; a target only fills a text for each of them.
#ifndef HAMEL_CODEGEN_TARGET_H
#define HAMEL_CODEGEN_TARGET_H

#include "codegen/identifier.h"
#include "codegen/tape.h"

typedef struct {
    const char *id;    // "rate"
    const char *about; // what it computes, one line
    const tape *t;
    uint32_t columns; // of a matrix, that stands row by row; 0: a list
    // what the outputs of a list are called in the model; NULL: they have no names
    const char *const *entry;
    const char *const *entry_id; // as identifiers, like those of the state
    const char *const *unit; // of these, each NULL where none is known; NULL: no units are known
    bool in_rows;            // a row of a trajectory shows it
    bool is_law; // what the inputs are where the model says so: the only one that takes none
} project_function;

typedef struct {
    bool stop;     // the motion ends there
    int direction; // +1: only where it rises through 0, -1: only where it falls, 0: both
} project_event;

typedef struct {
    const char *name;      // an identifier
    const char *title;     // one line
    const char *equations; // for the comment: lines of text
    const char *version;   // of the program that writes this
    // Behind the parameters of the model tapes have its inputs, and behind these the numbers of one
    // piece of each function from data
    uint32_t state_count, parameter_count, input_count, data_count, argument_count;
    struct spline *const *data;
    const char *const *state, *const *parameter;           // as the model calls them
    const char *const *state_id, *const *parameter_id;     // as identifiers
    const char *const *state_unit, *const *parameter_unit; // "m/s"; NULL: none, or not known
    const double *start, *value;                           // of the state and of the parameters
    double t0, t1;
    uint32_t function_count; // the first is the rate z' = f(z, t)
    const project_function *function;
    const struct paper *about;         // for targets that are papers; else NULL
    const project_event *event;        // one for each output of the function "events"
    const struct project_fmu *fmu;     // fmu.h; NULL: the target is another one
    const struct project_sweep *sweep; // cuda.h; the same
} project;

typedef struct {
    const char *name; // @ stands for the name of the project: "@.h"
    void (*write)(const project *g, text *out);
} target_file;

enum { MOST_TARGET_FILES = 8 };

typedef struct target {
    const char *id;    // "c", as in --target c; the default folder is NAME-c
    const char *name;  // "C99"
    const char *about; // what is written, one line
    // in the order in which they are written; a file without a function ends the list
    target_file files[MOST_TARGET_FILES];
    const identifier_rules *rules;   // of names in its language
    const identifier_rules *program; // .. and of the name of the whole; NULL: the same
    // A folder in which this file begins with this text was written by hamel, and may be again.
    const char *mark_file, *mark;
    bool is_paper; // it needs the expressions as LaTeX
    // The files go into one archive, with the code that all FMUs share and a binary; resets and
    // clocks are followed (fmu.h).
    bool is_fmu;
    bool is_sweep; // it runs a sweep, as the model states it (cuda.h)
} target;

uint32_t target_count(void);
const target *target_at(uint32_t index);
const target *target_find(const char *id); // NULL if there is none

#endif
