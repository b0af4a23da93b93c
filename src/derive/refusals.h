// Hypotheses that several formalisms share. Each returns NULL or the reason why it fails, in words
// that a descriptor's `refusal` can hand on.
#ifndef HAMEL_DERIVE_REFUSALS_H
#define HAMEL_DERIVE_REFUSALS_H

#include "model/mechanics.h"

const char *applies_always(const mechanics *s);           // NULL
const char *needs_constraints(const mechanics *s);        // on velocities, one at least
const char *needs_linear_constraints(const mechanics *s); // linear or affine in q'
// constraints and quasi-velocities linear or affine in q'
const char *needs_linear_frame(const mechanics *s);
const char *needs_points_or_bodies(const mechanics *s); // T comes from points and bodies alone
const char *needs_points(const mechanics *s);           // T comes from points alone

#endif
