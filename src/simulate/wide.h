// A run in wider numbers than double: its state, its steps (Taylor's method) and its rows.
// Parameters, constants and the initial state are taken with all their digits. Times are
// doubles where a step ends, since a step may end anywhere, and numbers of the wide type where
// a row is. Events are located in double.
#ifndef HAMEL_SIMULATE_WIDE_H
#define HAMEL_SIMULATE_WIDE_H

#include "expr/expansion.h"
#include "simulate/run.h"

typedef struct wide wide;
struct wide {
    const struct wide_kind *kind;
    run_status (*integrate)(wide *w, run *r);
    // From t, where a step was stopped, on in another system of the same size: its z_i is
    // column from[i] of the one before.
    void (*move)(wide *w, double t, const field *to, const uint32_t *from);
    // The row of this number, or at t if it has none; rounded to double in `out`. False where
    // a value is not a finite number.
    bool (*row)(wide *w, const run *r, int64_t number, double t, double *out);
    // A column of the last row with finite values, all of it
    expansion (*value)(const wide *w, uint32_t column);
    double *change; // of each column of the last row with finite values from the first
    // a value of that row, with all its digits
    void (*put)(const wide *w, uint32_t column, text *out);
    void (*release)(wide *w);
};

typedef struct wide_kind {
    const char *id; // as in --precision
    double finest;  // the smallest tolerance that says anything
    wide *(*create)(const run *r);
} wide_kind;

const wide_kind *wide_find(const char *id); // NULL: there is none
// The next wider one, the first for NULL (double); NULL: there is none
const wide_kind *wide_beyond(const wide_kind *k);
// At the initial state of its system; NULL: compiler or library does not have such numbers.
wide *wide_create(const wide_kind *k, const run *r);
void wide_free(wide *w);

#endif
