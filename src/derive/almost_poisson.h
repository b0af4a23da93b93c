// The almost-Poisson structure on the constraint submanifold of phase space (van der Schaft and
// Maschke 1994), in coordinates (q, p~). `hamilton` lists it beside its equations;
// docs/mathematics.md, section 3.2, derives it.
#ifndef HAMEL_DERIVE_ALMOST_POISSON_H
#define HAMEL_DERIVE_ALMOST_POISSON_H

#include "model/mechanics.h"

typedef struct {
    const expr *momentum; // m symbols p~_s
    const expr *meaning;  // m: p~_s = sum_i p_i B_is = dL*/d eta_s, in (q, eta, t)
    const expr *field;    // n x m: {q_i, p~_s} = B_is
    const expr *bracket;  // m x m: {p~_r, p~_s}, in (q, p~, t)
    const expr *force;    // m: sum_i Q_i B_is
    expr hamiltonian;     // H~(q, p~, t)
} almost_poisson;

// The velocities u for which `momentum`, affine in them, has the values p: by elimination, in an
// order that is good at the sampled state. False if it is not affine, or singular there.
bool almost_poisson_velocities(const mechanics *s, uint32_t count, const expr *momentum,
                               const expr *u, const expr *p, expr *out);

// Constraints and quasi-velocities must be linear, homogeneous and free of t, and eta(q, p~, t)
// must have a closed form: NULL, or the reason why there is no such bracket.
const char *almost_poisson_create(const mechanics *s, almost_poisson *out);

#endif
