// A verdict on the eigenvalues of a matrix of balls without its polynomial: in a basis in which it
// is nearly diagonal they lie in discs around the diagonal (Gershgorin), and a disc apart from all
// others holds one. Near a double eigenvalue that has two eigenvectors this is sharper by far than
// determinants of coefficients; where it has one only, nothing is said.
#ifndef HAMEL_STUDY_DISCS_H
#define HAMEL_STUDY_DISCS_H

#include "study/linearise.h"

#include <arb_mat.h>

// STABLE_YES: all eigenvalues have negative real parts, for each matrix in the balls. STABLE_NO:
// one has a positive real part. Else STABLE_UNDECIDED.
stability_verdict discs_judge(const arb_mat_t a, slong bits);

#endif
