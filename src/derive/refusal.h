// Hypotheses that several formalisms share. Each returns NULL or the reason why it fails, in words
// that a descriptor's `refusal` can hand on.
#ifndef HAMEL_DERIVE_REFUSAL_H
#define HAMEL_DERIVE_REFUSAL_H

#include "model/mechanics.h"

const char *refusal_never(const mechanics *s);                     // NULL
const char *refusal_unless_constraints(const mechanics *s);        // on velocities, one at least
const char *refusal_unless_linear_constraints(const mechanics *s); // linear or affine in q'
// constraints and quasi-velocities linear or affine in q'
const char *refusal_unless_linear_frame(const mechanics *s);
const char *
refusal_unless_points_or_bodies(const mechanics *s);   // T comes from points and bodies alone
const char *refusal_unless_points(const mechanics *s); // T comes from points alone

#endif
