// What the files of the lookout share. Others use lookout.h.
#ifndef HAMEL_INTEGRATE_LOOKOUT_INTERNAL_H
#define HAMEL_INTEGRATE_LOOKOUT_INTERNAL_H

#include "execute/range_machine.h"
#include "integrate/clear_box.h"
#include "integrate/long_divisors.h"
#include "integrate/lookout.h"

typedef struct {
    uint32_t step;
    bool computed; // its value is needed to judge another one
    bool judged;   // it can hide something
} task;

// Of boxes in which all is settled
typedef struct {
    box_judge base; // first
    lookout *w;
} settled_judge;

struct lookout {
    range_machine at;
    double fold;
    uint32_t task_count;
    task *tasks;  // what the first look needs
    bool *wanted; // inputs that it needs: z, t
    bool *judged; // of each step
    long_divisors *known_by_values;
    range *hull; // of the registers by which steps are judged, over the parts of the step
    uint32_t *hulled, hulled_count; // which these are
    uint32_t parts, easy; // in how many the last looks were taken; how often that sufficed at once
    bool *exempt;         // of each step: it has a pole on the curve, or the edge of its domain
    uint32_t exempt_count, boxes;
    double *hidden;  // of each register: how far it may be from what its values elsewhere tell
    clear_box clear; // where all is settled
    settled_judge judge;
};

// Where the curve is from `a` to `b`; `first`: what the first look needs of it
void lookout_set_box(lookout *w, const curve *c, double a, double b, bool first);
// Does a step that can hide something change so little over the box that values tell all?
bool lookout_is_settled(lookout *w, uint32_t step);

// The first look (lookout_parts.c): is everything settled from `a` to `b`, over the whole box or
// over parts of it, where ranges are closer?
bool lookout_all_settled(lookout *w, const curve *c, double a, double b);
settled_judge lookout_judge_of(lookout *w);

#endif
