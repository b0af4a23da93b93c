// Equations in LaTeX broken into lines that fit a page.
//
// Widths are estimated from the letters, those of Computer Modern at 10 points. Lines break before
// plus and minus, then between factors; brackets and fractions that are longer than a line are
// opened: \left( becomes \bigl(, which may end in another line, and a/b is (1/b)(a).
#ifndef HAMEL_CODEGEN_LATEX_BREAK_H
#define HAMEL_CODEGEN_LATEX_BREAK_H

#include "base/text.h"

// The width of a formula in points.
double latex_break_width(const char *formula);
// left = right as lines of align: `width` points are there for the right-hand side. A left-hand
// side that is longer than `most_left` is written before the sign of equality, in lines of its own.
void latex_break(const char *left, const char *right, double width, double most_left, text *out);

#endif
