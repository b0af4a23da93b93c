// Symmetric 3 x 3 matrices, by their eigenvectors. Least squares finds the force that a reaction
// is; the ellipsoid of an inertia tensor is how a body looks of which only mass and moments are
// known.
#ifndef HAMEL_REPORT_SYMMETRIC_H
#define HAMEL_REPORT_SYMMETRIC_H

#include <stdbool.h>

// The shortest of the x for which |a x - b| is least, in the place of b. Overwrites a.
void symmetric_solve(double a[3][3], double b[3]);
// Half axes (all positive) and axes, one a column, of the solid ellipsoid with this mass and
// inertia (Ixx, Iyy, Izz, Ixy, Ixz, Iyz). False if it has no extent.
bool symmetric_inertia_ellipsoid(double mass, const double inertia[6], double half[3],
                                 double axes[3][3]);

#endif
