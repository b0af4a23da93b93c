// The equations of motion put together body by body, as a careful person writes them: velocities in
// the axes of each body, few of them, and no energy (Kane 1961; M (3)).
//
//   M pi' = r,   M = sum_a m_a J_a^T J_a + sum_b W_b^T I_b W_b,   J_a = du_a/d pi,
//   W_b = dw_b/d pi,
//   r = F - sum_a m_a J_a^T (u_a' + w_b x u_a - g) - sum_b W_b^T (I_b w_b' + w_b x I_b w_b)
//   at pi' = 0
//
// u_a is the velocity of a mass and w_b the angular velocity, both in the axes of the body. The
// velocities pi are the independent ones of the model, or the components of one body's w instead of
// three of them: then M is short, and
//   eta' = (d eta/d pi) pi' + d eta/dt at pi' = 0.
#ifndef HAMEL_EQUATIONS_ASSEMBLY_H
#define HAMEL_EQUATIONS_ASSEMBLY_H

#include "equations/equations.h"

// How u and w are written before they are differentiated.
typedef enum {
    // in q', with sines and cosines taken out: what one body hands to the
    // next is then computed once
    ASSEMBLE_TURNED,
    ASSEMBLE_AS_BUILT, // in q', as the model has them
    ASSEMBLE_SHORT,    // in q', in shortest form
    ASSEMBLE_SHORTEST, // in pi, in shortest form
    ASSEMBLE_SPINNING, // the same, and pi are the components of a body's angular velocity
    ASSEMBLY_STYLES
} assembly_style;

typedef struct {
    expr *matrix, *right; // m x m and behind it m, in (q, q', t)
    expr *velocity;       // q' in (q, eta, t)
    bool own_rates;       // pi is not eta
    expr *slope, *drift;  // m x m: d eta/d pi; m: d eta/dt at pi' = 0, in (q, q', t)
} assembly;

// Is the motion that of points and bodies under forces, with velocities that
// follow from the independent ones?
bool assembly_is_possible(const equations *eq);
// False where the velocities are not found, or no body turns freely in the style that needs one.
bool assembly_create(const equations *eq, assembly_style style, assembly *out);
// eta' from pi'
const expr *assembly_rates(const equations *eq, const assembly *a, const expr *pi_rate);

#endif
