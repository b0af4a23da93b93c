// Newton's method for small dense systems, carried to rounding. Implicit methods call it once a
// step.
#ifndef HAMEL_INTEGRATE_NEWTON_SOLVE_H
#define HAMEL_INTEGRATE_NEWTON_SOLVE_H

#include "integrate/integration.h"

// residual (n) and jacobian (n x n, row by row) at x; false where they are not finite.
typedef struct {
    uint32_t n;
    bool (*at)(void *data, const double *x, double *residual, double *jacobian);
    void *data;
} dense_system;

// From x to a solution near it, until corrections are of the size of rounding. RUN_DONE;
// RUN_NOT_FINITE; RUN_FAILED where it does not converge or the matrix is singular. `work` has
// room for newton_solve_work(n) numbers.
run_status newton_solve_dense(const dense_system *s, double *x, double *work);
size_t newton_solve_work(uint32_t n);

#endif
