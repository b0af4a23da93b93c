// The canonical layout of a text: blanks between tokens, indentation, blank lines, long lines. The
// tokens and comments stay what they are and where they are; line ends that the author chose stay,
// too, and laying out twice is the same as once. docs/layout.md has the rules in words.
#ifndef HAMEL_PARSE_LAYOUT_H
#define HAMEL_PARSE_LAYOUT_H

#include "base/text.h"
#include "expr/expr.h"

// A line that is longer than `most` columns is broken into lines of at most `goal`.
typedef struct {
    uint32_t most, goal;
} layout_width;

// Appends the text, laid out, to `out`. A text that cannot be read is reported, and nothing is
// appended; an include that is not there is no error. Returns context_status(ctx).
hamel_status parse_layout(context *ctx, pool *p, const source *from, layout_width width, text *out);

#endif
