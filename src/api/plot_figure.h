// What was asked to be drawn, made into a figure of a run's rows.
#ifndef HAMEL_API_PLOT_FIGURE_H
#define HAMEL_API_PLOT_FIGURE_H

#include "api/run_job.h"
#include "report/figure.h"

// Columns and options that there are not are said before the run.
hamel_status plot_check(const run_job *j);
// After the run: the figure, in the arena.
hamel_status plot_figure(const run_job *j, figure *out);
// The same drawn in characters.
hamel_status plot_characters(const run_job *j, text *out);

#endif
