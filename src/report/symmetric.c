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

void symmetric_diagonalise(double a[3][3], double axes[3][3]) {
    enum { SWEEPS = 12 }; // convergence is quadratic: six would do
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) axes[i][j] = i == j;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        annul(a, axes, 0, 1), annul(a, axes, 0, 2), annul(a, axes, 1, 2);
}

void symmetric_solve(double a[3][3], double b[3]) {
    static const double NOTHING = 1e-12; // of the largest eigenvalue
    double axes[3][3], x[3] = {0}, largest = 0;
    symmetric_diagonalise(a, axes);
    for (int j = 0; j < 3; j++) largest = fmax(largest, fabs(a[j][j]));
    for (int j = 0; j < 3; j++) {
        if (!(fabs(a[j][j]) > NOTHING * largest)) continue;
        const double along = (axes[0][j] * b[0] + axes[1][j] * b[1] + axes[2][j] * b[2]) / a[j][j];
        for (int i = 0; i < 3; i++) x[i] += along * axes[i][j];
    }
    for (int i = 0; i < 3; i++) b[i] = x[i];
}
