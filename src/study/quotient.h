// What is left of a linear motion when its neutral directions are divided out.
//
// dz' = A dz leaves the space of the neutral directions U invariant. In a basis of U and of unit
// vectors e_j for the rest, A is block triangular: A e_j = U a + sum_i b_ij e_i. The projector
// P = (1, -U_c U_p^-1), p the rows that U is solved in and c the others, has P U = 0, P e_j = e_j,
// so that b = P A E with E the unit vectors.
#ifndef HAMEL_STUDY_QUOTIENT_H
#define HAMEL_STUDY_QUOTIENT_H

#include "study/matrix_jet.h"

#include <stdint.h>

typedef struct {
    uint32_t neutral, count; // directions divided out; those that stay
    uint32_t *remaining;     // which of the variables stay, in their order
    matrix_jet projector;    // count x (neutral + count)
} quotient;

// `direction`: columns of d(q, q', eta), q having n components. `kept`: of the `size` variables,
// the positions in z = (q, eta). False: the neutral directions cannot be told apart in these balls.
// Cleared by the caller always.
bool quotient_create(const matrix_jet *direction, uint32_t n, uint32_t size, const uint32_t *kept,
                     slong bits, quotient *out);
void quotient_clear(quotient *q);

// out = P A E: count x count
void quotient_matrix(const quotient *q, const matrix_jet *a, slong bits, matrix_jet *out);

#endif
