// The structure functions C^k_rs of the moving frame, [X_r, X_s] = sum_k C^k_rs X_k
// (docs/mathematics.md, section 3.16): are they zero, constant or variable? `check` names the
// algebraic case of Poincare by this.
#ifndef HAMEL_DERIVE_POINCARE_H
#define HAMEL_DERIVE_POINCARE_H

#include "model/mechanics.h"

typedef enum {
    STRUCTURE_UNKNOWN,  // no linear frame, or a large system
    STRUCTURE_ZERO,     // the fields commute: the quasi-velocities are rates of coordinates
    STRUCTURE_CONSTANT, // a Lie algebra: the algebraic case of Poincare 1901
    STRUCTURE_VARIABLE,
} structure_verdict;

// Of C^k_rs for all n fields of the frame, also those of the constrained directions, and X_0.
structure_verdict poincare_structure(const mechanics *s);

#endif
