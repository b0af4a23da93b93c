// Periodic orbits followed along a number p (orbit_curve.h) through folds, and along the branches
// that leave: the orbits of a pitchfork or another branch point, and those of twice the period.
//
// Where multipliers mu pass the unit circle between two points of a branch there is
//   a fold            mu = 1,  dp/ds = 0
//   a branch point    mu = 1,  dp/ds not 0
//   a doubling        mu = -1
//   a torus           mu = exp(+-i a)
// They are zeros of dp/ds, prod (mu_i - 1), prod (mu_i + 1), prod (mu_i mu_j - 1), found by secants
// along the branch. Find a path, read it, clear it.
#ifndef HAMEL_STUDY_ORBIT_PATH_H
#define HAMEL_STUDY_ORBIT_PATH_H

#include "base/list.h"
#include "study/orbit_curve.h"

typedef enum { ORBIT_FOLD, ORBIT_BRANCH, ORBIT_DOUBLING, ORBIT_TORUS, ORBIT_HOPF } orbit_kind;
enum { ORBIT_KINDS = 5 };

typedef struct {
    orbit_kind kind;
    orbit_point at;
    double angle;   // of ORBIT_TORUS: a
    int32_t branch; // that leaves there; -1: none was followed
    uint32_t place; // it lies before this point of its branch
} orbit_special;

// Why a branch ends
typedef enum {
    ORBIT_END_OF_INTERVAL,
    ORBIT_END_OF_STEPS,
    ORBIT_LOST,     // steps of Newton's method lead to no further orbit
    ORBIT_AT_REST,  // it shrinks to an equilibrium
    ORBIT_TOO_LONG, // its period grows without bound
    ORBIT_CLOSED,   // it comes back to where it began
    ORBIT_MEETS,    // it meets a branch that was followed
    ORBIT_FAMILY,   // p is the same for all orbits along it
} orbit_end;

typedef struct {
    LIST(orbit_point, points); // in their order along the branch
    LIST(orbit_special, special);
    uint32_t multiple, segments;
    int32_t from, from_special; // the branch and its point that it leaves from; -1: it is the first
    orbit_end begin, end;
} orbit_branch;

typedef struct {
    LIST(orbit_branch, branches);
    uint32_t left_out; // branches that leave and were not followed
} orbit_path;

// `first` is an orbit with the value of->p
void orbit_path_find(const orbit_family *of, const orbit *first, uint32_t most_branches,
                     uint32_t most_steps, orbit_path *out);
void orbit_path_clear(orbit_path *path);

// (orbit_special.c) Does the test function of a kind change its sign between two points?
bool orbit_test_changes(const orbit_curve *w, const orbit_point *a, const orbit_point *b,
                        orbit_kind kind);
// The point between a and b where it is 0; false: it is not there
bool orbit_locate(orbit_curve *w, const orbit_point *a, const orbit_point *b, orbit_kind kind,
                  orbit_special *out);

#endif
