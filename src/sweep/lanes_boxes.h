// Boxes of states in which nothing has to be looked at, as the lanes of one worker have found them
// for the usual parameters: lanes take them from each other. Ask where a step is, then whether a
// box holds it; a lane that has found another one keeps it here.
#ifndef HAMEL_SWEEP_LANES_BOXES_H
#define HAMEL_SWEEP_LANES_BOXES_H

#include "sweep/lanes_host.h"

typedef struct {
    double *bound; // low and high of each input, box after box
    double *reach; // of the step that was last asked about
    uint32_t count, next;
} lanes_boxes;

lanes_boxes lanes_boxes_create(uint32_t inputs);
void lanes_boxes_free(lanes_boxes *b);
// Where the step is, as clear_box_holds_ends() sees it; the slopes at its end stand behind view->z1
void lanes_boxes_reach(lanes_boxes *b, const lanes_plan *plan, const lanes_view *v);
// A box that holds it, into the view
bool lanes_boxes_find(const lanes_boxes *b, const lanes_plan *plan, lanes_view *v);
// That of the view, if it holds it
void lanes_boxes_keep(lanes_boxes *b, const lanes_plan *plan, const lanes_view *v);

#endif
