// The arrays g, xi, eta, zeta of T18 (13), from which Newton's equations of a system of points are
// put together (docs/mathematics.md, section 3.5). `newton` lists them beside its equations.
#ifndef HAMEL_DERIVE_NEWTON_ARRAYS_H
#define HAMEL_DERIVE_NEWTON_ARRAYS_H

#include "model/mechanics.h"

typedef struct { // by coordinate, in order of declaration
    expr *g;     // n x n
    expr *xi;    // n x n x n: xi_ijk at [(i*n + j)*n + k]
    expr *eta;   // n x n
    expr *zeta;  // n
} newton_arrays;

newton_arrays newton_arrays_create(const mechanics *s); // of points alone

#endif
