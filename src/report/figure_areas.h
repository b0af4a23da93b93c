// Rectangles behind the curves of a panel, as SVG: the regions of a map. figure_svg.h calls it for
// each panel, before grid and curves are drawn.
#ifndef HAMEL_REPORT_FIGURE_AREAS_H
#define HAMEL_REPORT_FIGURE_AREAS_H

#include "base/text.h"
#include "report/figure_layout.h"

void figure_areas_svg(const figure *f, const panel *p, const rectangle *frame, text *out);

#endif
