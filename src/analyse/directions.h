// The directions that linear constraints admit, as vector fields on the space of x = (q, t), and
// their brackets. Made once from the constraints; flags, integrals and reach all start from it.
#ifndef HAMEL_ANALYSE_DIRECTIONS_H
#define HAMEL_ANALYSE_DIRECTIONS_H

#include "model/points.h"

typedef struct {
    const mechanics *s;
    points *at;
    uint32_t width; // n + 1: the coordinates, and t as one more direction
    // X_1 .. X_m, and the drift X_0 = d/dt + .. of affine or moving constraints last
    uint32_t fields;
    expr *field; // fields x width
} directions;

// X_s = sum_i B_is d/dq_i, and X_0 = d/dt + sum_i V_i(eta = 0) d/dq_i; all constraints linear in
// the velocities.
directions directions_of(const mechanics *s, points *at);

// omega_nu = sum_i dPhi_nu/dq'_i dq_i + Phi_nu(q' = 0) dt: n + 1 entries
void constraint_form(const mechanics *s, uint32_t nu, expr *form);

// The directions that some forms admit (count x (n + 1)); the forms may be dependent. False if they
// contradict each other, or if no generic point can be made.
bool directions_of_forms(const mechanics *s, points *at, uint32_t count, const expr *form,
                         directions *out);

// All partial derivatives of f in q and t; a given's time dependence is explicit time.
void directions_gradient(const mechanics *s, expr f, expr *out);

// Are the gradients of the functions linearly independent at a generic point?
bool directions_independent_functions(const mechanics *s, points *at, uint32_t count,
                                      const expr *f);

// [X, Y]_i = sum_j (X_j dY_i/dx_j - Y_j dX_i/dx_j)
void directions_bracket(const directions *d, const expr *x, const expr *y, expr *out);

#endif
