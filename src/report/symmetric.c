// Symmetric 3 x 3 matrices by Jacobi's rotations.
#include "report/symmetric.h"

#include <math.h>

// One rotation of Jacobi's: annuls a_pq, a <- J^T a J, axes <- axes J.
static void annul(double a[3][3], double axes[3][3], int p, int q) {
    if (a[p][q] == 0) return;
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double tangent = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1)),
                 c = 1 / hypot(tangent, 1), s = tangent * c;
    for (int k = 0; k < 3; k++) {
        const double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
        const double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
        const double x = axes[k][p], y = axes[k][q];
        axes[k][p] = c * x - s * y, axes[k][q] = s * x + c * y;
    }
}

// a becomes diag(eigenvalues), the columns of axes are the unit eigenvectors.
static void diagonalise(double a[3][3], double axes[3][3]) {
    enum { SWEEPS = 12 }; // convergence is quadratic: six would do
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) axes[i][j] = i == j;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        annul(a, axes, 0, 1), annul(a, axes, 0, 2), annul(a, axes, 1, 2);
}

void symmetric_solve(double a[3][3], double b[3]) {
    static const double NOTHING = 1e-12; // of the largest eigenvalue
    double axes[3][3], x[3] = {0}, largest = 0;
    diagonalise(a, axes);
    for (int j = 0; j < 3; j++) largest = fmax(largest, fabs(a[j][j]));
    for (int j = 0; j < 3; j++) {
        if (!(fabs(a[j][j]) > NOTHING * largest)) continue;
        const double along = (axes[0][j] * b[0] + axes[1][j] * b[1] + axes[2][j] * b[2]) / a[j][j];
        for (int i = 0; i < 3; i++) x[i] += along * axes[i][j];
    }
    for (int i = 0; i < 3; i++) b[i] = x[i];
}

// half axes of discs and rods, in terms of the longest: so that they can be seen
static const double THINNEST = 0.05;

// A solid ellipsoid with half axes a, b, c has Ix = m (b^2 + c^2)/5 and so on; hence
//   a^2 = 5 (Iy + Iz - Ix)/(2 m).
bool symmetric_inertia_ellipsoid(double mass, const double inertia[6], double half[3],
                                 double axes[3][3]) {
    double moment[3][3] = {{inertia[0], inertia[3], inertia[4]},
                           {inertia[3], inertia[1], inertia[5]},
                           {inertia[4], inertia[5], inertia[2]}};
    diagonalise(moment, axes);
    const double sum = moment[0][0] + moment[1][1] + moment[2][2];
    double longest = 0;
    for (int i = 0; i < 3; i++) {
        half[i] = sqrt(fmax(0, 5 * (sum - 2 * moment[i][i]) / (2 * mass)));
        longest = fmax(longest, half[i]);
    }
    bool finite = isfinite(longest);
    for (int i = 0; i < 3; i++) {
        half[i] = fmax(half[i], THINNEST * longest);
        for (int j = 0; j < 3; j++) finite = finite && isfinite(axes[i][j]);
    }
    return finite && longest > 0;
}
