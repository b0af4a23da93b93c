// What is drawn, independent of where: panels with axes and curves. The api fills a figure in from
// the columns of a run or of a file; figure_layout.h then finds places on a page, and figure_svg.h
// or figure_characters.h draw it.
#ifndef HAMEL_REPORT_FIGURE_H
#define HAMEL_REPORT_FIGURE_H

#include "base/arena.h"
#include "report/figure_area.h"
#include "report/ticks.h"

typedef struct {
    const char *x_name, *y_name; // columns: "t", "x'", "error(energy)"
    const char *label;           // what it is called, as it is; NULL: by y_name
    uint64_t count;
    const double *x, *y; // in the order of time; what is not finite leaves a gap
    bool single;         // a sign at each point and no line
} curve;

typedef struct {
    uint32_t name_count;
    const char **name; // of what it measures, each once
    const char **unit; // of each; NULL: none
    const char *words; // that stand there instead of the names; NULL: none
    bool log;
    bool is_time;
    double low, high; // what the frame shows
} axis;

const char *axis_unit(const axis *a); // that all it measures has; NULL: none

typedef struct {
    const char *name;
    double t;
} figure_event;

typedef struct { // what lies between two curves, filled; of several each the darker
    uint64_t count;
    const double *x, *low, *high; // x increases; what is not finite leaves a gap
} band;

typedef struct {
    axis x, y;
    const double *frame; // x from and to, y from and to, as they are; NULL: by the curves
    bool equal;          // the same scale on both axes
    uint32_t curve_count;
    curve *curve;
    uint32_t band_count; // behind the curves
    const band *band;
    const struct figure_heat *heat; // figure_heat.h; NULL: none
    // Places of events, on each curve in turn: curve_count * (events of the figure) of them, not
    // finite where there is none.
    uint32_t mark_count;
    double *mark_x, *mark_y;
} panel;

typedef enum {
    LEGEND_AUTO,
    LEGEND_NONE,
    LEGEND_TOP_LEFT,
    LEGEND_TOP_RIGHT,
    LEGEND_BOTTOM_LEFT,
    LEGEND_BOTTOM_RIGHT,
    LEGEND_ABOVE
} legend_place;

typedef struct figure {
    const char *title; // NULL: none
    uint32_t panel_count;
    panel *panel;
    // LEGEND_AUTO: where there are several curves, in the corner that they leave free, else above
    legend_place legend;
    bool grid;
    bool marks; // a sign at each point, another for each curve
    uint32_t event_count;
    figure_event *event;
    uint32_t stretch_count;
    const double (*stretch)[2]; // of time, from and to: shaded
    uint32_t area_count;
    const figure_area *area;
    double width, height; // 0: by the panels
} figure;

// The ranges of a panel from its curves. False if there is nothing that could be shown.
bool panel_set_range(panel *p);
// Both ranges widened until the areas are in it
void panel_hold_areas(panel *p, uint32_t count, const figure_area *area);
// Both ranges widened about their middles until a unit is as long on both axes of a frame of this
// size.
void panel_set_equal(panel *p, double width, double height);
// Where events lie on the curves: by linear interpolation between rows at the times `t`.
void figure_mark_events(figure *f, arena *a, const double *t);

bool axis_can_show(const axis *a, double value);
double axis_place(const axis *a, double value); // 0 at its low end, 1 at its high one
double axis_value(const axis *a, double place); // the other way round
ticks axis_ticks(const axis *a, int wanted);

#endif
