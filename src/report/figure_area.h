// A rectangle in the units of a panel's axes, with a colour, drawn behind the curves. The api fills
// them in from the regions of a map; figure_areas.h writes them.
#ifndef HAMEL_REPORT_FIGURE_AREA_H
#define HAMEL_REPORT_FIGURE_AREA_H

typedef struct {
    double x0, x1, y0, y1;
    const char *colour; // as SVG writes it
} figure_area;

#endif
