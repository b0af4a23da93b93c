// A state on the other side of a condition.
#ifndef HAMEL_PROVE_OTHER_SIDE_H
#define HAMEL_PROVE_OTHER_SIDE_H

#include "equations/evaluate.h"

// A copy, for the caller to change and to clear
void state_copy_to(const state *from, state *out);
// A state where `of` certainly has the opposite of this sign: `from` with one coordinate, velocity or the time moved, as
// far as the constraints let that be. False (and nothing to clear) if none is found.
bool find_other_side(const equations *eq, const state *from, expr of, int sign, state *out);

#endif
