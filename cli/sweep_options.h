// The options of `hamel sweep` as requests to the library. The command reads them for itself, and
// hamel-mpi (mpi/main.c) for every rank of a job: both take the same.
#ifndef HAMEL_CLI_SWEEP_OPTIONS_H
#define HAMEL_CLI_SWEEP_OPTIONS_H

#include "command.h"

typedef struct {
    const char *varied[MOST_GIVEN], *collected[MOST_GIVEN];
    hamel_sweep asked; // points to both
    hamel_run run;
    hamel_plot drawing;
    bool streams; // rows have standard output
} sweep_options;

// HAMEL_OK, or another status after saying what does not go together. `out` stays where it is;
// callbacks are left to the caller.
int sweep_options_read(const arguments *a, sweep_options *out);

#endif
