// Angles that wind, and bodies that go away together. A run over a million turns would know its
// angles ever less closely, since a double holds 16 digits of the whole way; so whole turns are
// taken off and counted, where nothing that is computed changes with them. The same with
// coordinates that matter by their differences only, as those of two bodies joined by a spring.
// Rows show the coordinates with all of it.
#ifndef HAMEL_INTEGRATE_ANGLE_UNWRAPPING_H
#define HAMEL_INTEGRATE_ANGLE_UNWRAPPING_H

#include "expr/expansion.h"
#include "execute/simulation.h"

typedef struct angle_unwrapping angle_unwrapping;

// The coordinates in which everything the system computes is periodic, and those whose common
// shifts change nothing, but for the columns that show the coordinates themselves. In other
// independent velocities the same motion has them too. NULL if there are none.
angle_unwrapping *angle_unwrapping_create(const simulation *sim);
void angle_unwrapping_free(angle_unwrapping *w);

// The state z + rest, rest being what a double leaves of it: angles beyond one turn lose all their
// whole turns, coordinates that are far away come near together. What they lose is added to
// turns[coordinate], in periods. False if there was nothing to do.
bool angle_unwrapping_reduce(const angle_unwrapping *w, double *z, double *rest, double *turns);
// The coordinate with its turns again.
double angle_unwrapping_coordinate(const angle_unwrapping *w, uint32_t coordinate, double value,
                                   const double *turns);

// of an angle; 1 if it goes away with others, 0 if neither
expansion angle_unwrapping_period(const angle_unwrapping *w, uint32_t coordinate);

#endif
