// Regions of a map as rectangles; the ranges of the panel hold them all (panel_hold_areas).
#include "report/figure_areas.h"

#include "report/figure_pieces.h"

#include <math.h>

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

static bool can_show(const panel *p, const band *b, uint64_t i) {
    return axis_can_show(&p->x, b->x[i]) && axis_can_show(&p->y, b->low[i]) &&
           axis_can_show(&p->y, b->high[i]);
}

// From i to before `end`: along the upper edge and back along the lower one
static void add_piece(const panel *p, const band *b, const rectangle *frame, uint64_t i,
                      uint64_t end, text *out) {
    for (uint64_t k = 0; k < 2 * (end - i); k++) {
        const bool back = k >= end - i;
        const uint64_t at = back ? end - 1 - (k - (end - i)) : i + k;
        const spot s = spot_of(p, frame, b->x[at], back ? b->low[at] : b->high[at]);
        if (!k) figure_move_to(out, s.x, s.y);
        else {
            text_char(out, k == 1 ? 'L' : ' ');
            figure_number(out, s.x), text_char(out, ' '), figure_number(out, s.y);
        }
    }
    text_char(out, 'z');
}

void figure_bands_svg(const panel *p, const rectangle *frame, text *out) {
    for (uint32_t k = 0; k < p->band_count; k++) {
        const band *b = &p->band[k];
        text_append(out, "<path class=\"band\" fill=\"#0072b2\" fill-opacity=\"0.2\" d=\"");
        for (uint64_t i = 0; i < b->count;) {
            uint64_t end = i;
            while (end < b->count && can_show(p, b, end)) end++;
            if (end > i) add_piece(p, b, frame, i, end, out);
            i = end + 1;
        }
        text_append(out, "\"/>\n");
    }
}
