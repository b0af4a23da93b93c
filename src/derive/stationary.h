// The stationary case of T15 (26)-(27): nothing depends on time, and q' = Gamma(q) eta
// (docs/mathematics.md, section 7). `talamucci` and `check` say so where it holds.
#ifndef HAMEL_DERIVE_STATIONARY_H
#define HAMEL_DERIVE_STATIONARY_H

#include "model/mechanics.h"

// Nothing depends on t, neither openly nor through a given function: L, forces,
// constraints, quasi-velocities.
bool stationary_is_free_of_time(const mechanics *s);
// Moreover constraints and quasi-velocities are linear homogeneous in q', and T is a quadratic
// form: then q' = Gamma(q) eta, and in T15 (20) all terms with beta, psi, b, c and d/dt are gone,
// so that Lambda = N = 0 but for the forces.
bool stationary_holds(const mechanics *s);

#endif
