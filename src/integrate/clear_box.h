// A box of states in which nothing can hide. Looking at a step in ranges takes as long as some
// evaluations of the rates; so where a step is clear, a wider box around it is looked at once, and
// the steps that follow only have to stay in it. lookout.c keeps one and asks it first.
#ifndef HAMEL_INTEGRATE_CLEAR_BOX_H
#define HAMEL_INTEGRATE_CLEAR_BOX_H

#include "execute/ranges.h"

struct curve;

typedef struct {
    uint32_t count; // inputs that matter
    uint32_t *input;
    range *box;           // of each of them; empty until one is known
    double reach;         // how far beyond a step the next one goes, in lengths of the step
    uint32_t pause, wait; // looks until the next is tried; how many these are after a failure
} clear_box;

// `matters`: of each of the inputs
void clear_box_init(clear_box *w, uint32_t inputs, const bool *matters);
void clear_box_forget(clear_box *w); // as if no box had been found yet
void clear_box_free(clear_box *w);

// Is a step that stays in these ranges of its inputs in the box?
bool clear_box_holds(const clear_box *w, const range *value);
// .. a step of the length h from (t, z) to z1, with the slopes f and f1, as curve_of_ends() sees
// it?
bool clear_box_holds_ends(const clear_box *w, uint32_t n, double t, double h, const double *z,
                          const double *f, const double *z1, const double *f1);
// .. a step along a curve, from its beginning to h, of which the first n inputs are components and
// the next is t? By wider bounds than others: what is in the box need not be found so.
bool clear_box_holds_curve(const clear_box *w, uint32_t n, const struct curve *c, double h);
// Is it time to look at a wider box than that of a step? Then the ranges become those of it, and
// clear_box_learn() is to be told whether it is clear.
bool clear_box_widen(clear_box *w, range *value);
void clear_box_learn(clear_box *w, const range *value, bool clear);

#endif
