// A figure in characters, for a terminal. The page says how many columns and lines there are and
// whether braille patterns and colours may be used; one call draws all panels below one another.
#ifndef HAMEL_REPORT_FIGURE_CHARACTERS_H
#define HAMEL_REPORT_FIGURE_CHARACTERS_H

#include "report/figure.h"

typedef struct {
    unsigned columns, lines; // of the page; of the drawing within the axes of one panel
    // braille patterns of 2 x 4 dots; else a character of its own for each curve
    bool unicode;
    bool colour;
} character_page;

void figure_characters(figure *f, const character_page *page, text *out);

#endif
