// Boxes of states in which nothing can hide. Looking at a step in ranges takes as long as some
// evaluations of the rates; so where a step is clear, a wider box around it is looked at once, and
// the steps that follow only have to stay in it. A box grows in the directions in which the motion
// leaves it, until something is in the way; several are kept, for a motion that comes back.
// lookout.c keeps some and asks them first.
#ifndef HAMEL_INTEGRATE_CLEAR_BOX_H
#define HAMEL_INTEGRATE_CLEAR_BOX_H

#include "execute/ranges.h"

struct curve;

// What a box is judged by: ranges over a box are wide, and those over its parts are closer. So a
// box is looked at part by part, and judged by what holds the numbers of all parts.
typedef struct box_judge {
    // Is it clear over these ranges of the inputs? Its numbers, clear or not
    bool (*part)(struct box_judge *j, const range *value, range *numbers);
    // .. where the numbers of all parts are in these ranges? NULL: yes, if each part is
    bool (*whole)(struct box_judge *j, const range *numbers);
} box_judge;

typedef struct {
    uint32_t inputs, count; // all of them; those that matter
    uint32_t *input;
    uint32_t numbers;    // by which a box is judged
    uint32_t known, now; // boxes; the one in which the last step was
    range *box;          // .. of each box its inputs
    range *held;         // .. and its numbers
    range *step;         // the step that was asked about last
    uint32_t next;       // the box that gives way to a new one
    double reach;        // how far beyond a step a new box goes, in lengths of the step
    int32_t credit, pay; // parts of boxes that may be looked at; how many a step earns
    struct box_growth *growth;
} clear_box;

// `matters`: of each of the inputs
void clear_box_init(clear_box *w, uint32_t inputs, const bool *matters, uint32_t numbers);
void clear_box_forget(clear_box *w); // as if no box had been found yet
void clear_box_free(clear_box *w);
// Many motions will ask it, each of them seldom: more work on boxes pays
void clear_box_share(clear_box *w);

// Is a step that stays in these ranges of its inputs in a box?
bool clear_box_holds(clear_box *w, const range *value);
// .. a step of the length h from (t, z) to z1, with the slopes f and f1, as curve_of_ends() sees
// it?
bool clear_box_holds_ends(clear_box *w, uint32_t n, double t, double h, const double *z,
                          const double *f, const double *z1, const double *f1);
// .. a step along a curve, from its beginning to h, of which the first n inputs are components and
// the next is t? By wider bounds than others: what is in the box need not be found so.
bool clear_box_holds_curve(clear_box *w, uint32_t n, const struct curve *c, double h);
// The box in which the last step was that is in one; NULL: there is none
const range *clear_box_now(const clear_box *w);

// A step with these ranges of the inputs is clear, and in no box: is it time for one that holds it?
// The ranges stay as they are (clear_box_growth.c)
void clear_box_grow(clear_box *w, const range *value, box_judge *j);
// What is taken there
void clear_box_growth_free(struct box_growth *g);

#endif
