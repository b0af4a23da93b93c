// Pieces of SVG that the drawings of a figure share: numbers as short as they can be, rectangles,
// labels with indices and dots. Each appends to a text.
#ifndef HAMEL_REPORT_FIGURE_PIECES_H
#define HAMEL_REPORT_FIGURE_PIECES_H

#include "report/label.h"
#include "report/stroke.h"

// To a hundredth of a pixel, as short as possible.
void figure_number(text *out, double value);
void figure_attribute(text *out, const char *name, double value);
void figure_rectangle(text *out, const rectangle *r, const char *more);
void figure_move_to(text *out, double x, double y);
// Indices are set smaller, lower or higher; what follows them comes back to the line.
void figure_label(text *out, const label *l, double x, double y, double size, const char *more);
void figure_tick_label(const ticks *t, int i, label *out);

#endif
