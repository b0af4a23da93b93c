// Angles that wind. A run over a million turns would know its angles ever less closely, since a double holds 16 digits
// of the whole way; so whole turns are taken off and counted, where nothing that is computed changes with them. Rows
// show the angle with its turns.
#ifndef HAMEL_SIMULATE_WINDING_H
#define HAMEL_SIMULATE_WINDING_H

#include "expr/expansion.h"
#include "simulate/system.h"

typedef struct winding winding;

// The coordinates in which everything the system computes is periodic, but for the column that shows the coordinate
// itself. In other independent velocities the same motion is as periodic. NULL if there are none.
winding *winding_create(const simulation *s);
void winding_free(winding *w);

// The state z + rest, rest being what a double leaves of it: angles beyond one turn lose all their whole turns, which
// are added to turns[coordinate]. False if there were none.
bool winding_unwind(const winding *w, double *z, double *rest, double *turns);
// The angle with its turns again.
double winding_angle(const winding *w, uint32_t coordinate, double angle, const double *turns);

expansion winding_period(const winding *w, uint32_t coordinate); // 0 if it is no angle

#endif
