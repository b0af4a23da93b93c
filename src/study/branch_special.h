// Special points of branches, refined: Newton's method in balls for a system that is regular there.
//   fold           F = 0, dF/ds v = 0, |v| = 1                        in (s, p, v)
//   branch point   F + b u = 0, dF/dy^T u = 0, |u| = 1, then b = 0    in (y, u, b)
// A fold is proved where Krawczyk's test succeeds. Of a branch point only digits say that b is 0,
// but where symmetry makes it (branch_prove_crossing). Hopf points are critical values of
// the path (critical.h). The systems are made once, when the first point needs them.
#ifndef HAMEL_STUDY_BRANCH_SPECIAL_H
#define HAMEL_STUDY_BRANCH_SPECIAL_H

#include "study/branch.h"

typedef struct {
    expr *slope; // dF/dy, r x (r + 1)
    expr *v;     // r symbols: of the null vector
    expr b;
    expr *fold, *branch; // the systems; NULL: not made yet
} special_systems;

typedef struct {
    point_kind kind;
    double *y;
    arb_t value;  // of p
    bool proved;  // there is one in the ball
    bool refined; // value has all its digits; false: those of doubles
    double frequency;
    bool has_l1;
    double l1;       // first Lyapunov coefficient
    const char *why; // it has none
    uint32_t uses;   // branches that pass through it
} special_point;

// Where t_p or det changes its sign between two points of a branch; false where none was found
bool branch_find_fold(branch_system *b, special_systems *x, const branch_point *p,
                      const branch_point *q, special_point *out);
bool branch_find_crossing(branch_system *b, special_systems *x, const branch_point *p,
                          const branch_point *q, special_point *out);
// The fold near y, whose null vector is near v; or the crossing there, not proved. False: neither
bool branch_find_near(branch_system *b, special_systems *x, const double *y, const double *v,
                      special_point *out);
// The point where the verdict of p ends and that of q begins, in doubles; it gets that of p.
bool branch_find_change(branch_system *b, const branch_point *p, const branch_point *q,
                        branch_point *out);
// Where a pair of eigenvalues crosses the imaginary axis between them
bool branch_find_hopf(branch_system *b, const branch_point *p, const branch_point *q,
                      special_point *out);
// A branch point that unknowns leave in which are 0 by symmetry, `still`: the path on which they
// are. Proved where an eigenvalue passes through 0 there.
void branch_prove_crossing(branch_system *b, steady_path *still, special_point *s);
void special_point_clear(special_point *s);

#endif
