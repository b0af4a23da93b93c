// A linear-affine frame: all n quasi-velocities v = Z(q,t) q' + z(q,t), the last k of them
// the constraints, and its inverse. Hamel's, Poincare's and Talamucci's equations are written in
// it: derivatives are taken with all n velocities free, and the last k set to 0 afterwards.
#ifndef HAMEL_DERIVE_FRAME_H
#define HAMEL_DERIVE_FRAME_H

#include "model/mechanics.h"

typedef struct {
    const expr *symbol;   // n: eta_1 .. eta_m, then one new symbol for each constraint form
    const expr *matrix;   // n x n: Z
    const expr *offset;   // n: z
    const expr *inverse;  // n x n: C = Z^-1, q' = C (v - z)
    const expr *velocity; // n: q' in terms of all n quasi-velocities
} frame;

// constraints and quasi-velocities linear or affine in q'
frame frame_create(const mechanics *s);

// f(q, q', t) in the frame: f~(q, v, t)
expr frame_express(const mechanics *s, const frame *f, expr e);

// dT~/dv_rho and dT~/dq_j of a function T~(q, v, t), all n of each, then on the constraints
void frame_gradients(const mechanics *s, const frame *f, expr kinetic, expr *momentum,
                     expr *position);

#endif
