// Values of a parameter at which the constraints become integrable, or more of their combinations
// do. `check` prints them under the distribution, so that nobody takes the general answer for the
// answer at these values.
#ifndef HAMEL_ANALYSE_SPECIAL_VALUES_H
#define HAMEL_ANALYSE_SPECIAL_VALUES_H

#include "analyse/flag.h"

typedef struct {
    expr value;           // a number, or a multiple of other parameters
    uint32_t constraints; // independent ones at this value
    uint32_t integrals;   // independent integrals there
} special_value;

typedef struct {
    expr parameter;
    // these are all the real values, the other parameters being general; not decided: there may be
    // others
    bool decided;
    special_value *value;
    uint32_t count;
} parameter_geometry;

// One entry for each parameter of the forms, in order of declaration. `motion` is the flag of all
// admissible directions d.
parameter_geometry *special_values(const directions *d, const flag *motion, uint32_t forms,
                                   const expr *form, uint32_t *count);

#endif
