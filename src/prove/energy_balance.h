// The energy balance (docs/mathematics.md, section 6), in velocities and in quasi-velocities, with
// its contributions apart. `prove` judges the sum, and says which contributions vanish; the page
// shows them one by one.
#ifndef HAMEL_PROVE_ENERGY_BALANCE_H
#define HAMEL_PROVE_ENERGY_BALANCE_H

#include "derive/manifold.h"

typedef struct {
    const char *name;
    expr part;
} energy_part;

typedef struct {
    const char *name;
    expr gap; // dh/dt less all contributions: zero along the motion
    energy_part parts[5];
    uint32_t part_count;
} energy_balance;

// h = sum q'_i dL/dq'_i - L:  dh/dt = -dL/dt|explicit + sum Q_i q'_i + sum_nu lambda_nu sum_i q'_i
// dPhi_nu/dq'_i (order p >= 2: dPhi_nu/dq^(p)_i).
energy_balance energy_balance_in_velocities(const mechanics *s);
// h~ = sum eta_s dL~/d eta_s - L~, for linear-affine constraints and quasi-velocities (T15
// (18), corrected; see energy_balance.c).
energy_balance energy_balance_in_quasi_velocities(const mechanics *s);

#endif
