// Names of symmetries one by one, and of the group that they make together. symmetries_of() calls
// both when it has found them all.
#ifndef HAMEL_ANALYSE_SYMMETRY_NAMES_H
#define HAMEL_ANALYSE_SYMMETRY_NAMES_H

#include "analyse/symmetry.h"

// "rotation of x, y, theta"; a coordinate that only stands in sines and cosines of the functions is
// an angle
const char *symmetry_name(const mechanics *s, uint32_t functions, const expr *function,
                          const symmetry *x);

// "SE(2) x R"; NULL where the algebra is none of those that have a name here
const char *symmetry_group(const mechanics *s, uint32_t count, const symmetry *at);

#endif
