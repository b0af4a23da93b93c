// Lyapunov exponents of a motion: the mean rates at which small changes grow along it.
//
// Benettin's method: columns Z_1 .. Z_d that obey the variational equations are made orthonormal
// again and again, Z = Q R; the exponents are the means of log R_ii over time, the largest first.
// They are taken on the constraint manifold: changes that would leave a constraint on positions are
// none. The first tenth of the run, in which columns find their directions, does not count.
#ifndef HAMEL_STUDY_LYAPUNOV_H
#define HAMEL_STUDY_LYAPUNOV_H

#include "study/flow.h"

typedef struct {
    uint32_t count;   // d = size of z less the constraints on positions
    double *exponent; // the largest first
    // of each: the larger of the standard error of the means over 20 blocks of time and half of
    // the difference between both halves of the run
    double *error;
    double sum, sum_error;
    double dimension;  // of Kaplan and Yorke; d where nothing shrinks beyond what grows
    double from, to;   // the time that counts
    run_status status; // RUN_DONE, or why the motion could not go on
    run_status cut;    // RUN_INTERRUPTED, RUN_LIMIT: exponents are those up to there; else RUN_DONE
} lyapunov;

uint32_t lyapunov_count(const simulation *sim);
// `columns` are lyapunov_count() of them in a flow that stands at its start. Memory in the arena.
// Where the budget of the call is spent (base/budget.h), what was found up to there counts.
void lyapunov_find(flow *w, double end, lyapunov *out);

#endif
