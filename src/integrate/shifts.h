// Shifts of the state that nothing computed can see: whole turns of angles (angle_unwrapping.c),
// and translations of coordinates that matter by their differences only (common_translation.c).
//
// A double holds 16 digits of the whole way, so a run over a million turns would know its angles
// ever less closely. Between steps the driver therefore takes such shifts off the state and counts
// them (`turns`, one number for each coordinate, in periods); rows show the coordinates with them.
#ifndef HAMEL_INTEGRATE_SHIFTS_H
#define HAMEL_INTEGRATE_SHIFTS_H

#include "execute/simulation.h"
#include "expr/expansion.h"

// Each coordinate i can lose a whole multiple of direction[i] * period[i], all of them the same
// multiple; they do when the leader, one of them, is farther from 0 than `far`.
typedef struct {
    uint32_t leader;
    double far;
    int32_t *direction; // n
} shift;

typedef struct shifts {
    uint32_t n; // coordinates
    LIST(shift, list);
    expansion *period; // of each: of an angle, 1 if it is translated with others, 0 if neither
} shifts;

// All shifts of a system. In other independent velocities the same motion has them too. NULL if
// there are none.
shifts *shifts_create(const simulation *sim);
void shifts_free(shifts *w);
shift *shifts_add(shifts *w, uint32_t leader, double far); // with no direction yet

// Moves them from the state z + rest to turns. False if there was nothing to do.
bool shifts_take_off(const shifts *w, double *z, double *rest, double *turns);
// The coordinate with its turns again.
double shifts_put_on(const shifts *w, uint32_t coordinate, double value, const double *turns);

// Adds those of one kind to `out`; `seen` is everything that is computed of a state but the
// coordinates themselves. Angles come first: they are not translated.
void angle_unwrapping_find(shifts *out, const mechanics *s, uint32_t count, const expr *seen);
void common_translation_find(shifts *out, const mechanics *s, uint32_t count, const expr *seen);

#endif
