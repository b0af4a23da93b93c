// Mathematics on a page: the LaTeX that the printers of this room write, as presentation MathML.
//
// One notation is the source of the other, so that what is seen is what is copied. Known is what
// hamel itself writes: names with indices, dots and tildes, fractions, roots, brackets, functions,
// sums, primes, matrices.
#ifndef HAMEL_PRINT_MATHML_H
#define HAMEL_PRINT_MATHML_H

#include "base/text.h"

#include <stdbool.h>

// <math> within a line. False if something in it is not known: it then stands there as the LaTeX it
// is.
bool mathml_inline(const char *latex, text *out);

// <math display="block">: a long sum continues on a new line, indented, before a + or - or =; so do
// sums in brackets, fractions, roots and cells of matrices that are too long for what is left of
// their line.
bool mathml_block(const char *latex, text *out);

#endif
