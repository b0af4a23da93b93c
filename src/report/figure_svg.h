// A figure as SVG and, through it, as PNG and PDF. figure_svg() writes text; the other two hand
// that text to librsvg and cairo, in a child process; figure_raster.c alone sees these.
#ifndef HAMEL_REPORT_FIGURE_SVG_H
#define HAMEL_REPORT_FIGURE_SVG_H

#include "report/figure.h"
#include "base/byte_writer.h"

// Text stays text. The same figure gives the same bytes.
void figure_svg(figure *f, arena *a, text *out);

// (figure_raster.c) 288 dots to an inch, or a page of the figure's size. False, with the reason in
// `why`, if it cannot be drawn or written.
bool figure_png(const text *svg, const byte_writer *to, text *why);
bool figure_pdf(const text *svg, const char *title, const byte_writer *to, text *why);

#endif
