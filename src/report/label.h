// How the name of a column is typeset on an axis: x' is an x with a dot, theta[1] a theta with a
// small 1 below it. A label is a list of runs of letters in one style; names, words and numbers are
// added to it in turn, and the file that draws writes run after run.
#ifndef HAMEL_REPORT_LABEL_H
#define HAMEL_REPORT_LABEL_H

#include "report/figure.h"

typedef enum { LEVEL_BASE, LEVEL_BELOW, LEVEL_ABOVE } label_level;

typedef struct {
    text words; // UTF-8
    bool italic;
    // a dot or two over the tall letter before it, where a combining character would run into it
    bool is_mark;
    label_level level;
} label_run;

enum { LABEL_MOST_RUNS = 64 };

typedef struct {
    label_run run[LABEL_MOST_RUNS];
    int count;
} label;

// Each adds to what is there.
void label_add_words(label *l, const char *words);                      // upright, as they are
void label_add_number(label *l, const char *digits, label_level level); // with a true minus sign
void label_add_curve(label *l, const curve *c); // its label, or the name of its column
void label_add_axis(label *l, const axis *a);   // names of what it measures
// "x 10^-3", "+ 0.6": what applies to all labels of an axis; false if nothing does
bool label_add_ticks_note(label *l, const ticks *t);
void label_clear(label *l);

// at this font size, in the fonts that are wide: an upper bound for most
double label_width(const label *l, double size);

#endif
