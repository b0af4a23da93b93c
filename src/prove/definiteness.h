// Is a symmetric matrix of balls positive definite? The verdict on the mass matrix is one call; a
// vector with negative energy is the witness against it.
#ifndef HAMEL_PROVE_DEFINITENESS_H
#define HAMEL_PROVE_DEFINITENESS_H

#include <arb_mat.h>

typedef enum {
    DEFINITE_YES, // every symmetric matrix in the balls is
    DEFINITE_NO,  // x.A x < 0 for some x, certainly: an eigenvalue is negative
    DEFINITE_OPEN // semidefinite, or too wide to tell
} definiteness;

// On DEFINITE_NO `power` is an enclosure of x.A x < 0 for a vector x that was found.
definiteness definiteness_of_matrix(const arb_mat_t a, slong precision, arb_t power);

#endif
