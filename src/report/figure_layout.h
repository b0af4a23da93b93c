// Where everything of a figure stands on a page, in pixels of 1/96 inch. figure_lay_out() is called
// once with the figure; the drawing files ask nothing but its result.
#ifndef HAMEL_REPORT_FIGURE_LAYOUT_H
#define HAMEL_REPORT_FIGURE_LAYOUT_H

#include "report/label.h"
#include "report/stroke.h"

static const double NAME_SIZE = 14, TICK_SIZE = 12, LEGEND_LINE = 18, LEGEND_SAMPLE = 26,
                    LEGEND_GAP = 7, LEGEND_PADDING = 6, TITLE_SIZE = 15;

typedef struct {
    rectangle frame;
    ticks x, y;
    bool has_x_labels;   // else the panel below has them
    double event_line;   // height of the line with the names of events above the frame; 0: none
    double name_line;    // where the name of the ordinate stands, from the left
    legend_place legend; // never LEGEND_AUTO
    rectangle legend_box;
    uint32_t legend_columns;
} panel_layout;

typedef struct {
    double width, height;
    panel_layout *panel; // one for each panel of the figure
} figure_layout;

// Panels over the same time stand below one another and share its labels; others side by side.
// Ranges of panels with equal scales are widened to fit.
void figure_lay_out(figure *f, arena *a, figure_layout *out);

#endif
