// Which chart a run goes on in where its own has got poor: the choice that mechanics_create() makes
// along a run, from the numbers of dPhi/dq' alone. Charts of one choice are the same, so that one
// that another run has made will do, and a run comes out the same whatever runs were before it.
#ifndef HAMEL_SIMULATE_CHART_CHOICE_H
#define HAMEL_SIMULATE_CHART_CHOICE_H

#include "model/mechanics.h"

// What the slopes dPhi_nu/dq'_i weigh as expressions, k x n; in the arena
double *chart_choice_weights(const mechanics *s);
// k dependent velocities, and pivots of their block: k rows, k columns. False: the constraints are
// dependent there.
bool chart_choice_find(uint32_t k, uint32_t n, const double *slopes, const double *weights,
                       uint32_t *choice);
bool chart_choice_is_of(const mechanics *s, const uint32_t *choice);

#endif
