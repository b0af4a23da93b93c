// The length of an expression on paper, compared with a limit. Inside of the normal room.
#ifndef HAMEL_NORMAL_WEIGHT_H
#define HAMEL_NORMAL_WEIGHT_H

#include "normal/normal.h"

// Is expr_weight(e) < limit? Then *weight is it; else any number from the limit
// on. Stops as soon as it knows.
bool weight_is_below(pool *p, expr e, uint32_t limit, uint32_t *weight);

#endif
