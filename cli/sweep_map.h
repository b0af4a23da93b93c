// What `basin` and `map` have in common: their options, and the call.
// Both are one map of what becomes of runs; `basin` is over two initial values, `map` over two
// parameters or whatever else.
#ifndef HAMEL_CLI_SWEEP_MAP_H
#define HAMEL_CLI_SWEEP_MAP_H

#include "command.h"

extern const option *const map_options[], *const basin_options[];
int map_run(const arguments *a);

#endif
