// How the axes and the centre of a gyrostat move, from one frame of its chain of rotations to the
// next, as one computes it by hand (Newton and Euler's recursion). Frames that several gyrostats
// share are computed once.
//
//   R = R_1 R_2 .. R_c, R_j about the axis e_j by the angle phi_j
//   centre = base + R_1 a_1 + R_1 R_2 a_2 + ..,   a_j fixed in frame j
//   w_j = R_j^T (w + phi_j' e_j)                            angular velocity
//   v_j = R_j^T v + w_j x a_j                               velocity of the sum up to a_j
//   l_j = R_j^T (l + phi_j'' e_j + phi_j' w x e_j)          angular acceleration
//   b_j = R_j^T b + l_j x a_j + w_j x (w_j x a_j)           acceleration, b_0 = base'' - gravity
//   with w, v, l, b of frame j - 1, all along the axes of frame j
#ifndef HAMEL_EQUATIONS_CHAIN_H
#define HAMEL_EQUATIONS_CHAIN_H

#include "model/model.h"

typedef struct {
    vec3 spin, velocity;        // w, v in (q, q', t)
    vec3 turning, acceleration; // l, b in (q, q', q'', t)
} chain_motion;

// Is the vector free of q and t, whatever it is written with? Then it is written without them.
bool chain_is_fixed(const model *m, vec3 *v);

// False where an axis moves in its frame.
bool chain_follow(const model *m, rotation axes, vec3 centre, vec3 gravity, chain_motion *out);

#endif
