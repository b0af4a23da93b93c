// Regions of a map as rectangles; the ranges of the panel hold them all (panel_hold_areas).
#include "report/figure_areas.h"

void figure_areas_svg(const figure *f, const panel *p, const rectangle *frame, text *out) {
    for (uint32_t i = 0; i < f->area_count; i++) {
        const figure_area *a = &f->area[i];
        const double left = frame->left + frame->width * axis_place(&p->x, a->x0),
                     right = frame->left + frame->width * axis_place(&p->x, a->x1),
                     top = frame->top + frame->height * (1 - axis_place(&p->y, a->y1)),
                     bottom = frame->top + frame->height * (1 - axis_place(&p->y, a->y0));
        text_format(out,
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" "
                    "shape-rendering=\"crispEdges\"/>\n",
                    left, top, right - left, bottom - top, a->colour);
    }
}
