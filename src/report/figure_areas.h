// What lies behind the curves of a panel, as SVG: rectangles, which are the regions of a map, and
// bands. figure_svg.h calls both for each panel, before grid and curves are drawn.
#ifndef HAMEL_REPORT_FIGURE_AREAS_H
#define HAMEL_REPORT_FIGURE_AREAS_H

#include "base/text.h"
#include "report/figure_layout.h"

void figure_areas_svg(const figure *f, const panel *p, const rectangle *frame, text *out);
void figure_bands_svg(const panel *p, const rectangle *frame, text *out); // between curves

#endif
