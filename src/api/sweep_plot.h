// Rows of a sweep as a figure: to a file, to standard output or in characters, as `plot` draws
// those of a run. Panels are "NAME" for a quantity over what is varied along grids, "X:NAME" and
// "X:Y:NAME" over one or two columns that are named, and `ended` says how runs ended; without
// panels all that was collected is drawn.
#ifndef HAMEL_API_SWEEP_PLOT_H
#define HAMEL_API_SWEEP_PLOT_H

#include "api/plot_figure.h"
#include "report/sweep_figure.h"

// HAMEL_USAGE after naming what is not there, before any run is made: `rows` needs its names only.
hamel_status sweep_plot_check(context *ctx, const sweep_rows *rows, const hamel_plot *asked);
// The figure to where it was asked for; `result` is NULL for a file
hamel_status sweep_plot(context *ctx, const sweep_rows *rows, const hamel_plot *asked,
                        byte_writer standard, char **result);

#endif
