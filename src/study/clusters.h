// Eigenvalues enclosed though some of them are equal or nearly so, also where they have too few
// eigenvectors: in discs around groups of approximate ones, each with as many roots of the
// characteristic polynomial as its group has members. Approximate eigenvalues go in, balls come
// out.
#ifndef HAMEL_STUDY_CLUSTERS_H
#define HAMEL_STUDY_CLUSTERS_H

#include <acb_mat.h>
#include <arb_mat.h>
#include <stdbool.h>

// near[i] becomes a ball with the i-th eigenvalue, the same ball for all of a group. False, and
// nothing changed: no such discs were found.
bool clusters_enclose(const arb_mat_t a, acb_ptr near, slong bits);

#endif
