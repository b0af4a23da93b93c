// --- linear systems ----------------------------------------------------------------------------------

// n is a number where they are called, so that all loops are unrolled and entries stay in registers.
#define HAMEL_SOLVER_SYMMETRIC
#define HAMEL_SOLVER_GENERAL

// A = L D L^T; A row by row up to the diagonal, then L below it and D on it
HAMEL_DEVICE void hamel_factor_symmetric(int n, real *a) {
    HAMEL_UNROLL for (int i = 0; i < n; i++) {
        real *r = a + i * (i + 1) / 2;
        HAMEL_UNROLL for (int j = 0; j < i; j++)
            HAMEL_UNROLL for (int k = 0; k < j; k++) r[j] -= r[k] * a[j * (j + 1) / 2 + k];
        HAMEL_UNROLL for (int j = 0; j < i; j++) {
            const real scaled = hamel_over(r[j], a[j * (j + 1) / 2 + j]);
            r[i] -= r[j] * scaled;
            r[j] = scaled;
        }
    }
}

HAMEL_DEVICE void hamel_solve_symmetric(int n, const real *a, real *x) {
    HAMEL_UNROLL for (int i = 0; i < n; i++)
        HAMEL_UNROLL for (int k = 0; k < i; k++) x[i] -= a[i * (i + 1) / 2 + k] * x[k];
    HAMEL_UNROLL for (int i = 0; i < n; i++) x[i] = hamel_over(x[i], a[i * (i + 1) / 2 + i]);
    HAMEL_UNROLL for (int i = n - 1; i >= 0; i--)
        HAMEL_UNROLL for (int k = 0; k < i; k++) x[k] -= a[i * (i + 1) / 2 + k] * x[i];
}

// P A = L U. Row i > k is exchanged with row k where it has the larger entry there: bit i of
// swaps[k]. In the end row k has the largest, and no row is asked for by a number that is not known.
HAMEL_DEVICE void hamel_factor_general(int n, real *a, int *swaps) {
    HAMEL_UNROLL for (int k = 0; k < n; k++) {
        swaps[k] = 0;
        HAMEL_UNROLL for (int i = k + 1; i < n; i++) {
            const bool larger = fabs(a[i * n + k]) > fabs(a[k * n + k]);
            swaps[k] |= (int)larger << i;
            HAMEL_UNROLL for (int j = 0; j < n; j++) {
                const real upper = a[k * n + j], lower = a[i * n + j];
                a[k * n + j] = larger ? lower : upper, a[i * n + j] = larger ? upper : lower;
            }
        }
        const real over = hamel_over(R(1), a[k * n + k]);
        HAMEL_UNROLL for (int i = k + 1; i < n; i++) {
            const real f = a[i * n + k] *= over;
            HAMEL_UNROLL for (int j = k + 1; j < n; j++) a[i * n + j] -= f * a[k * n + j];
        }
    }
}

HAMEL_DEVICE void hamel_solve_general(int n, const real *a, const int *swaps, real *x) {
    HAMEL_UNROLL for (int k = 0; k < n; k++)
        HAMEL_UNROLL for (int i = k + 1; i < n; i++) {
            const bool larger = swaps[k] >> i & 1;
            const real upper = x[k], lower = x[i];
            x[k] = larger ? lower : upper, x[i] = larger ? upper : lower;
        }
    HAMEL_UNROLL for (int i = 0; i < n; i++)
        HAMEL_UNROLL for (int k = 0; k < i; k++) x[i] -= a[i * n + k] * x[k];
    HAMEL_UNROLL for (int i = n - 1; i >= 0; i--) {
        HAMEL_UNROLL for (int k = i + 1; k < n; k++) x[i] -= a[i * n + k] * x[k];
        x[i] = hamel_over(x[i], a[i * n + i]);
    }
}

