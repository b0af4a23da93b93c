// The part of a curve that can be seen: points of the page, without those that make no visible
// difference. A run may have a million rows, and a figure of it must stay small and show the same
// picture; both drawings, SVG and characters, begin here.
#ifndef HAMEL_REPORT_STROKE_H
#define HAMEL_REPORT_STROKE_H

#include "report/figure.h"

typedef struct {
    double left, top, width, height;
} rectangle;

typedef struct {
    double x, y; // x to the right, y downwards
} spot;

typedef struct {
    uint64_t count;
    spot *at;
} stroke; // a connected piece

typedef struct {
    uint32_t count, capacity;
    stroke *piece;
} strokes;

static inline spot spot_of(const panel *p, const rectangle *frame, double x, double y) {
    return (spot){frame->left + frame->width * axis_place(&p->x, x),
                  frame->top + frame->height * (1 - axis_place(&p->y, y))};
}

// The pieces of a curve between its gaps, in a frame. What is left out is nearer than `tolerance`
// to what is drawn; extremes are where they were.
strokes strokes_of(const panel *p, const curve *c, const rectangle *frame, double tolerance);
void strokes_free(strokes *s);
// Where signs of its points stand: those that are `apart` from the one before. memory_free()
// releases `at`.
stroke stroke_spots(const panel *p, const curve *c, const rectangle *frame, double apart);

#endif
