// Branches of steady motions: the solutions y = (s, p) of F(s, p) = 0, one equation fewer than
// unknowns, as curves that are followed by arc length (Keller's method).
//
// Make the system once of a path (branch_system_create), follow the branch through a point
// (branch_follow), look at its points. From one point y with tangent t, |t| = 1, the next one is
//   F(y) = 0,   t . (y - y_before) = h,
// solved by Newton's method from y_before + h t; lengths have a weight for each unknown.
// Along a branch two functions are watched:
//   t_p, the part of the tangent along p: 0 in a fold;
//   det [dF/dy; t]: it changes its sign where another branch crosses.
// Nothing here is a proof; special points are refined in branch_special.h.
#ifndef HAMEL_STUDY_BRANCH_H
#define HAMEL_STUDY_BRANCH_H

#include "study/steady_path.h"

typedef struct {
    steady_path *path;
    uint32_t r;      // equations; unknowns are r + 1, p the last
    expr *f;         // F in s and p alone
    expr *variable;  // s, then p
    program *values; // F, then dF/dy, r x (r + 1)
    program *others; // all functions of steady motion: also those that F leaves out
    uint32_t other_count;
    double *symbol; // values by symbol: those of the start, with s and p overwritten
    uint32_t symbols;
    double low, high; // of p
} branch_system;

void branch_system_create(steady_path *path, double low, double high, branch_system *out);
void branch_system_clear(branch_system *b);
// F (r values) and dF/dy at y; false where one is not finite
bool branch_evaluate(branch_system *b, const double *y, double *f, double *slope);
// A steady motion as a point of its path, with y's values
void branch_point_at(branch_system *b, const double *y, slong bits, path_point *out);

typedef enum { POINT_PLAIN, POINT_FOLD, POINT_BRANCH, POINT_HOPF, POINT_END } point_kind;

typedef struct {
    double *y, *t; // r + 1 each; t scaled to 1 in the weights at y
    double det;    // of [dF/dy; t], scaled: its sign counts
    uint32_t count;
    double *re, *im; // eigenvalues; NULL: not known there
    int stable;      // 1: all real parts below 0, 0: none above, -1: one above, 2: not known
    point_kind kind;
    uint32_t special; // its number in branches.h, where it is no plain point
} branch_point;

typedef enum { ENDS_AT_BOUND, ENDS_CLOSED, ENDS_AFTER_STEPS, ENDS_FAR, ENDS_LOST } branch_end;

typedef struct {
    uint32_t point_count, capacity;
    branch_point *point;
    branch_end first_end, last_end;
} branch;

// Weighted length of a - b, in weights at a
double branch_distance(const branch_system *b, const double *from, const double *to);
// Newton's method for F = 0, row . (y - from) = h in place of the last equation; y is the guess
bool branch_correct(branch_system *b, const double *row, const double *from, double h, double *y);
// The tangent at y that goes along with `before`, and det
bool branch_tangent(branch_system *b, const double *y, const double *before, double *t,
                    double *det);
// The vector orthogonal to t in the null space of dF/dy, where that has two dimensions
bool branch_second_direction(branch_system *b, const double *y, const double *t, double *v);
bool branch_point_make(branch_system *b, const double *y, const double *before, branch_point *out);
void branch_point_free(branch_point *p);

// From a point with its tangent, forwards until the interval, the steps, the motions or the branch
// end; points are appended behind it. `origin`: where a closed branch comes back to; NULL: to the
// first point.
branch_end branch_walk(branch_system *b, uint32_t steps, const double *origin, branch *out);
void branch_push(branch *out, branch_point p);
void branch_reverse(const branch_system *b, branch *out); // first point last, tangents turned
void branch_clear(branch *out);

#endif
