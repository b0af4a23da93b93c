// The equations of motion put together body by body, as a careful person writes them: velocities in
// the axes of each body, few of them, and no energy (Kane 1961; M (3)).
//
//   M pi' = r,   M = sum_b (m_b J_b^T J_b + W_b^T I_b W_b + sum_r j_r S_r S_r^T),
//   J_b = du_b/d pi,   W_b = dw_b/d pi,   S_r = ds_r/d pi,
//   r = F - sum_b (m_b J_b^T (u_b' + w_b x u_b - g) + W_b^T (I_b w_b' + w_b x h_b)
//                  + sum_r j_r S_r s_r')  at pi' = 0,   h_b = I_b w_b + sum_r j_r s_r n_r
//
// Of gyrostat b, u is the velocity of the centre of mass and w the angular velocity, both along its
// axes; s_r is the spin of a rotor in it, with the moment j_r about the axis n_r (gyrostat.h). The
// velocities pi are the independent ones of the model, or the components of one body's w instead of
// three of them: then M is short, and
//   eta' = (d eta/d pi) pi' + d eta/dt at pi' = 0.
#ifndef HAMEL_EQUATIONS_ASSEMBLY_H
#define HAMEL_EQUATIONS_ASSEMBLY_H

#include "equations/equations.h"

// How u and w are written before they are differentiated.
typedef enum {
    // in q', from frame to frame, with what the constraints say from one elimination; not for long
    // chains
    ASSEMBLE_RECURSIVE,
    // in q', with sines and cosines taken out: what one body hands to the next is then computed
    // once
    ASSEMBLE_TURNED,
    ASSEMBLE_AS_BUILT, // in q', as the model has them
    ASSEMBLE_SHORT,    // in q', in shortest form
    ASSEMBLE_SHORTEST, // in pi, in shortest form
    ASSEMBLE_SPINNING, // the same, and pi are the components of a body's angular velocity
    ASSEMBLY_STYLES
} assembly_style;
enum { ASSEMBLY_STYLES_OF_LARGE = ASSEMBLE_TURNED + 1 }; // the first ones suit large models, too

typedef struct {
    expr *matrix, *right; // m x m and behind it m, in (q, eta, t)
    expr *velocity;       // q' in (q, eta, t)
    bool own_rates;       // pi is not eta
    expr *slope, *drift;  // m x m: d eta/d pi; m: d eta/dt at pi' = 0, in (q, q', t)
} assembly;

// Is the motion that of points and bodies under forces, with velocities that
// follow from the independent ones?
bool assembly_is_possible(const equations *eq);
// False where the velocities are not found, or no body turns freely in the style that needs one.
// `velocity`: q' in (q, eta, t), as the equations know it.
bool assembly_create(const equations *eq, const expr *velocity, assembly_style style,
                     assembly *out);
// The same, where it is the system of the equations themselves: matrix * unknown + rest, velocities
// and all. False where it is another one.
bool assembly_create_same(const equations *eq, const expr *matrix, const expr *rest,
                          assembly_style style, assembly *out);
// M q'' = r of the points and bodies alone, all q' taken for independent: n x n and behind it n, in
// (q, q', t). False where they are not all that moves.
bool assembly_create_free(const mechanics *s, assembly *out);
// eta' from pi'
const expr *assembly_rates(const equations *eq, const assembly *a, const expr *pi_rate);

// The same of a chain (mechanics.chain), where assembly_is_possible(): in axes of space, in a time
// that grows as the chain does.
void assembly_of_chain(const equations *eq, assembly *out);

#endif
