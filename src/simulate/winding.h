// Angles that wind, and bodies that go away together. A run over a million turns would know its
// angles ever less closely, since a double holds 16 digits of the whole way; so whole turns are
// taken off and counted, where nothing that is computed changes with them. The same with
// coordinates that matter by their differences only, as those of two bodies joined by a spring.
// Rows show the coordinates with all of it.
#ifndef HAMEL_SIMULATE_WINDING_H
#define HAMEL_SIMULATE_WINDING_H

#include "expr/expansion.h"
#include "simulate/system.h"

typedef struct winding winding;

// The coordinates in which everything the system computes is periodic, and those whose common
// shifts change nothing, but for the columns that show the coordinates themselves. In other
// independent velocities the same motion has them too. NULL if there are none.
winding *winding_create(const simulation *s);
void winding_free(winding *w);

// The state z + rest, rest being what a double leaves of it: angles beyond one turn lose all their
// whole turns, coordinates that are far away come near together. What they lose is added to
// turns[coordinate], in periods. False if there was nothing to do.
bool winding_unwind(const winding *w, double *z, double *rest, double *turns);
// The coordinate with its turns again.
double winding_coordinate(const winding *w, uint32_t coordinate, double value, const double *turns);

// of an angle; 1 if it goes away with others, 0 if neither
expansion winding_period(const winding *w, uint32_t coordinate);

#endif
