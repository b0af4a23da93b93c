// Figures of what is computed from the rows first: spectra of columns, and which rows are near to
// which. Each makes a small table of its own that is drawn as any other, and says in words or as
// JSON what it found. plot.c calls one of them where a plot asks for it, with the rows there.
#ifndef HAMEL_API_PLOT_SPECTRUM_H
#define HAMEL_API_PLOT_SPECTRUM_H

#include "api/plot_figure.h"

hamel_status plot_spectrum(const plot_rows *r, byte_writer standard, char **result);
hamel_status plot_recurrence(const plot_rows *r, byte_writer standard, char **result);

// The table of either as a figure to where it was asked for, and behind what is in `out` if it is
// drawn in characters; `out` becomes the result.
hamel_status plot_write_derived(const plot_rows *r, byte_writer standard, text *out, char **result);

#endif
