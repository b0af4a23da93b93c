// A run in wider numbers than double: its state, its steps (Taylor's method) and its rows.
// Parameters, constants and the initial state are taken with all their digits. Times are
// doubles where a step ends, since a step may end anywhere, and numbers of the extended type where
// a row is. Events are located in double.
#ifndef HAMEL_INTEGRATE_EXTENDED_H
#define HAMEL_INTEGRATE_EXTENDED_H

#include "expr/expansion.h"
#include "integrate/integration.h"

typedef struct extended extended;
struct extended {
    const struct extended_kind *kind;
    run_status (*integrate)(extended *w, integration *in);
    // From t, where a step was stopped, on in another system of the same size: its z_i is
    // column from[i] of the one before.
    void (*move)(extended *w, double t, const field *to, const uint32_t *from);
    // On from in->t, where a step has ended, with the parameters that the system has now
    void (*renew)(extended *w, const integration *in);
    // The row of this number, or at t if it has none; rounded to double in `out`. False where
    // a value is not a finite number.
    bool (*row)(extended *w, const integration *in, int64_t number, double t, double *out);
    // How far each column that should stay is from its first value, at the end t of a step
    void (*watch)(extended *w, double t, double *change);
    // A column of the last row with finite values, all of it
    expansion (*value)(const extended *w, uint32_t column);
    // a value of that row, with all its digits
    void (*put)(const extended *w, uint32_t column, text *out);
    void (*release)(extended *w);
};

typedef struct extended_kind {
    const char *id; // as in --precision
    double finest;  // the smallest tolerance that says anything
    extended *(*create)(const integration *in);
} extended_kind;

const extended_kind *extended_find(const char *id); // NULL: there is none
// The next wider one, the first for NULL (double); NULL: there is none
const extended_kind *extended_beyond(const extended_kind *k);
// At the initial state of its system; NULL: the compiler or the C library has no such numbers.
extended *extended_create(const extended_kind *k, const integration *in);
void extended_free(extended *w);

// One file a precision; extended.c lists them.
extended *extended_create_long(const integration *in);
extended *extended_create_quad(const integration *in);

#endif
