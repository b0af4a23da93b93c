// Symmetric 3 x 3 matrices.
#ifndef HAMEL_REPORT_SYMMETRIC_H
#define HAMEL_REPORT_SYMMETRIC_H

// a becomes diag(eigenvalues), the columns of axes are the unit eigenvectors.
void symmetric_diagonalise(double a[3][3], double axes[3][3]);
// The shortest of the x for which |a x - b| is least, in the place of b. Overwrites a.
void symmetric_solve(double a[3][3], double b[3]);

#endif
