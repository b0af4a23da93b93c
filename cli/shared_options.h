// Options that several commands have, declared once, and the requests to the library that they
// fill. A command lists those it takes; one whose meaning is its own it declares itself.
#ifndef HAMEL_CLI_SHARED_OPTIONS_H
#define HAMEL_CLI_SHARED_OPTIONS_H

#include "command.h"

extern const option option_set, option_limit, option_json, option_at, option_form;
extern const option option_matrix_format; // --format of matrices
extern const option option_digits;
// of a run
extern const option option_method, option_tol, option_until, option_every, option_step, option_exec,
    option_project;

// What the options of a run say; those that were not given or that the command does not have are
// left to the model. Where rows go is not among them.
hamel_run shared_run(const arguments *a);

#endif
