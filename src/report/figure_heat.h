// A value for each cell of a net over a panel: colours, and the key that says what they mean, a
// scale or a list of categories. A panel points to one; the layout asks for the room of its key,
// figure_svg.h and figure_characters.h let it be drawn here.
#ifndef HAMEL_REPORT_FIGURE_HEAT_H
#define HAMEL_REPORT_FIGURE_HEAT_H

#include "report/figure_characters.h"
#include "report/figure_layout.h"

typedef struct figure_heat {
    uint32_t columns, rows;
    const double *x_edge, *y_edge; // one more of each; increasing
    const double *value;           // row by row from below; NaN: none
    axis scale;                    // what is shown, from low to high
    uint32_t category_count;       // else values are numbers of categories; 0: of the scale
    const char *const *category;
} figure_heat;

// Of the key, to the right of the frame
double figure_heat_width(const figure_heat *h, double frame_height);
void figure_heat_svg(const panel *p, const rectangle *frame, text *out);
void figure_heat_key_svg(const figure_heat *h, const rectangle *frame, text *out);

// (figure_heat_characters.c) Line `line` of a frame of so many characters; the line above it, and
// the key below
void figure_heat_line(const panel *p, const character_page *page, uint32_t line, uint32_t width,
                      uint32_t height, text *out);
void figure_heat_heading(const panel *p, text *out);
void figure_heat_key(const figure_heat *h, const character_page *page, text *out);

// What both share: the cell that shows a place, NaN outside or where it has no value; of a value
// its part of the scale; red, green and blue of a part, or of a category
double figure_heat_at(const figure_heat *h, double x, double y);
double figure_heat_part(const figure_heat *h, double value);
void figure_heat_colour(double part, unsigned char rgb[3]);
void figure_heat_category_colour(uint32_t category, unsigned char rgb[3]);

#endif
