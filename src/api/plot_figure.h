// What was asked to be drawn, made into a figure, and written where it was asked for. A call checks
// first (plot_figure_check, plot_output_check), so that a misspelt column is an error before a long
// run and not after it; with the rows it makes the figure and writes it.
#ifndef HAMEL_API_PLOT_FIGURE_H
#define HAMEL_API_PLOT_FIGURE_H

#include "api/plot_request.h"
#include "report/figure.h"
#include "record/sinks.h"

// Columns and options that there are not are said before there are rows.
hamel_status plot_figure_check(const plot_rows *r);
// With the rows: the figure, in the arena.
hamel_status plot_figure(const plot_rows *r, figure *out);
// The same drawn in characters.
hamel_status plot_figure_characters(const plot_rows *r, text *out);

// Does the name of the output say how the figure is to be written (plot_output.c)?
hamel_status plot_output_check(context *ctx, const hamel_plot *asked);
// The figure in its file, "-" through `standard`, or the result in characters.
hamel_status plot_output_write(const plot_rows *r, byte_writer standard, char **result);

#endif
