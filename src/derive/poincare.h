// The structure functions of the moving frame.
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
