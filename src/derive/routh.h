// Routh's reduction: cyclic coordinates that no constraint touches leave the equations, and their
// velocities follow from constant momenta (T15, reduced Lagrangian function; RS 4.3). `lagrange`
// and `hamilton` list it by routh_define(), `routh-chaplygin` makes its equations of it.
#ifndef HAMEL_DERIVE_ROUTH_H
#define HAMEL_DERIVE_ROUTH_H

#include "equations/equations.h"

typedef struct {
    uint32_t count, rest_count;
    const uint32_t *cyclic, *rest; // coordinates
    // count: the constants p_c, as symbols or as the levels that constraints fix
    const expr *momentum;
    const expr *meaning;  // count: dL/dq'_c
    const expr *velocity; // count: q'_c(q, q'_rest, p, t), the reconstruction
    expr function;        // R = L - sum_c p_c q'_c with the q'_c eliminated
    // rest_count: E_r(R) - Q_r, which is 0, or the reaction of the constraints
    const expr *equation;
} routh;

// Coordinates that appear neither in L, the forces nor the constraints, with no force along them;
// returns how many (out: room for n).
uint32_t routh_cyclic(const mechanics *s, uint32_t *out);
// False where there are none, or where dL/dq'_c = p_c has no closed solution.
bool routh_reduce(const mechanics *s, routh *out);
// The same where the constraints are levels of cyclic momenta, dL/dq'_c = p_c (RS 4.5); *chosen is
// then the system with the q'_c as its dependent velocities. NULL, or why they are not.
const char *routh_levels(const mechanics *s, mechanics *chosen, routh *out);
// List p_c (unless the form has them already), R, the reconstruction and the reduced equations.
void routh_define(const mechanics *s, equations *eq, bool with_momenta);

#endif
