// The variational equations of a system z' = f(t, z, p): how the motion answers to small changes.
//
// Along a motion a column Z = dz/dv obeys  Z' = (df/dz) Z + df/dv,  where v is a parameter, or the
// value of something at the start (then df/dv = 0). Second derivatives Z_ab = d2z/(dv_a dv_b) obey
//   Z_ab' = (df/dz) Z_ab + d2f/dz2 [Z_a, Z_b] + (terms with df/dv).
// variation_create() makes one system of z and all columns, to be run by any integrator; the step
// is chosen by z alone and the columns are watched (simulation.leading).
#ifndef HAMEL_EXECUTE_VARIATION_H
#define HAMEL_EXECUTE_VARIATION_H

#include "execute/simulation.h"

typedef struct {
    uint32_t columns;
    const expr *by; // of each column: a parameter, or EXPR_NONE
    bool second;    // Z_ab too
    // Columns at the start, where they are known: what is 0 there and stays so is left out of the
    // rates. NULL: they may be anything
    const double *start;
    // parameters that follow from others, and what they are
    uint32_t follow_count;
    const expr *follow, *meaning;
} variation_request;

// The state: z, then column after column, then Z_00, Z_01 .., Z_11 .. where they are asked for.
// Its columns: q', then dq' of each column, then second ones. To be freed by simulation_free().
simulation *variation_create(const simulation *of, const variation_request *asked);
// Functions g of (z, t) of the system `of`, closed (ode_expressions()), along a motion of `all`
// that was made of it: code for g, dg/dt, then dg/dv for each column, then second derivatives.
tape *variation_tape(const simulation *of, const simulation *all, const variation_request *asked,
                     uint32_t count, const expr *g);
// How many columns of second derivatives there are for so many of first ones
static inline uint32_t variation_pairs(uint32_t columns) { return columns * (columns + 1) / 2; }
// The place of Z_ab among them, a <= b
static inline uint32_t variation_pair(uint32_t columns, uint32_t a, uint32_t b) {
    return a * columns - a * (a + 1) / 2 + b;
}

#endif
