// Symmetric 3 x 3 matrices: eigenvectors by Jacobi's rotations, and least squares through them.
// Inertia tensors become the half axes of ellipsoids with it, and reactions the forces at points.
#ifndef HAMEL_REPORT_SYMMETRIC_H
#define HAMEL_REPORT_SYMMETRIC_H

// a becomes diag(eigenvalues), the columns of axes are the unit eigenvectors.
void symmetric_diagonalise(double a[3][3], double axes[3][3]);
// The shortest of the x for which |a x - b| is least, in the place of b. Overwrites a.
void symmetric_solve(double a[3][3], double b[3]);

#endif
