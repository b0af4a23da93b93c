// Functions of time that are given by data: points (t_i, f_i) with a cubic spline through them, or
// straight lines. A spline is the meaning of an abstract function of one argument
// (function.data): where numbers are wanted it is evaluated, and proofs see any function.
// Data are exact numbers, as they stand in a file, and every polynomial follows from them.
#ifndef HAMEL_EXPR_SPLINE_H
#define HAMEL_EXPR_SPLINE_H

#include "expr/ball.h"

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

enum { SPLINE_TERMS = 4, SPLINE_PIECE = 1 + SPLINE_TERMS }; // terms of a cubic; t_i and its terms

// What was worked out of all points with so many bits: by splines, and by the typed room
typedef struct {
    slong precision; // 0: nothing yet
    arb_ptr ball;    // count of them
} spline_memory;

typedef struct spline {
    const char *name;          // of the function
    const char *file, *column; // where the data are
    uint32_t count;            // of points, at least 2, times increase
    fmpq *at, *value;
    bool linear;           // straight lines; else a cubic spline, not-a-knot
    double *knot;          // the times as doubles; NULL until asked for
    double *coefficient;   // SPLINE_TERMS for each piece, likewise
    spline_memory slopes;  // f' at the points
    spline_memory moments; // f'' there, for the typed room
    // symbols t_i, c_0 .. c_3 of a piece: f = sum_j c_j (t - t_i)^j; parameters of runs
    uint32_t piece[SPLINE_PIECE];
} spline;

// The pool owns it from then on (pool_tabulate). Points are still to be set.
spline *spline_create(uint32_t count, bool linear);
void spline_free(spline *f);

// Between two points f is a polynomial of this degree: higher derivatives are 0 there, and do not
// exist at the points.
static inline uint32_t spline_degree(const spline *f) { return f->linear ? 1 : 3; }
const double *spline_knots(spline *f);
// Is t not certainly outside of the data? The double nearest to an end is not.
bool spline_reaches(const spline *f, const arb_t t, slong precision);
// The piece that begins at or before t and ends behind it; the first or last one outside.
uint32_t spline_piece_at(spline *f, double t);
// c_0 .. c_3 of a piece in balls
void spline_piece_terms(spline *f, uint32_t piece, slong precision, arb_ptr c);
// A derivative of f at t. Outside of the data, and of orders above the degree: NaN, an
// indeterminate ball. Of a ball that reaches over the ends of the data the part within counts.
double spline_double(spline *f, uint32_t order, double t);
void spline_ball(spline *f, uint32_t order, const arb_t t, slong precision, arb_t out);

#endif
