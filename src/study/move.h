// A finite move by symmetries, z -> g(z): coordinates go q -> E q + e with (E, e) the exponential
// of sum_a speed_a (A_a, b_a), velocities q' -> E q', and eta with them. Make one for a system, set
// the speeds, move states with their columns.
#ifndef HAMEL_STUDY_MOVE_H
#define HAMEL_STUDY_MOVE_H

#include "analyse/symmetry.h"
#include "execute/simulation.h"

typedef struct move move;

move *move_create(const simulation *sim, uint32_t count, const symmetry *list);
// The parameters of its simulation have other values now; `list` as it was created with
void move_take_parameters(move *w, const symmetry *list);
void move_free(move *w);
void move_set(move *w, const double *speed);
// z from (q, q') after the move, and dz from columns (dq, dq'), n numbers each, one column after
// another; `columns` may be 0
bool move_state(move *w, double t, const double *q, const double *qd, uint32_t columns,
                const double *dq, const double *dqd, double *z, double *dz);
// The direction of symmetry a at (q, q'), as a change of z
bool move_direction(move *w, double t, uint32_t a, const double *q, const double *qd, double *dz);

#endif
