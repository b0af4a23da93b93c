// Gershgorin's discs of a matrix in the basis of its eigenvectors.
#include "study/discs.h"

#include "base/memory.h"
#include "expr/ball.h"

#include <acb_mat.h>
#include <float.h>
#include <math.h>

// D = V^-1 A V, with V the eigenvectors at the middle of A, nearly
static bool diagonalise(const arb_mat_t a, slong bits, acb_mat_t out) {
    const slong n = arb_mat_nrows(a);
    acb_mat_t whole, middle, right, inverse;
    acb_ptr near = _acb_vec_init(n);
    acb_mat_init(whole, n, n), acb_mat_init(middle, n, n);
    acb_mat_init(right, n, n), acb_mat_init(inverse, n, n);
    acb_mat_set_arb_mat(whole, a);
    acb_mat_get_mid(middle, whole);
    acb_mat_approx_eig_qr(near, NULL, right, middle, NULL, 0, bits);
    acb_mat_get_mid(right, right);
    const bool good = acb_mat_is_finite(right) && acb_mat_inv(inverse, right, bits);
    if (good) acb_mat_mul(out, whole, right, bits), acb_mat_mul(out, inverse, out, bits);
    _acb_vec_clear(near, n);
    acb_mat_clear(whole), acb_mat_clear(middle), acb_mat_clear(right), acb_mat_clear(inverse);
    return good && acb_mat_is_finite(out);
}

// Weights w > 0, so that the discs of d_ij w_j/w_i stay off the axis if any do: all
// sum_j |d_ij| w_j < |Re d_ii| w_i where the matrix |d_ij|/|Re d_ii|, j != i, has a spectral radius
// below 1, with its eigenvector w. Doubles are good enough to choose.
static void choose_weights(const acb_mat_t d, double *w) {
    enum { STEPS = 24 };
    const slong n = acb_mat_nrows(d);
    double *g = memory_array(double, n *n + n + 1), *next = g + n * n;
    mag_t size;
    mag_init(size);
    for (slong i = 0; i < n; i++) {
        const double re = fabs(ball_middle(acb_realref(acb_mat_entry(d, i, i))));
        w[i] = 1;
        for (slong j = 0; j < n; j++) {
            acb_get_mag(size, acb_mat_entry(d, i, j));
            g[i * n + j] = i == j ? 0 : mag_get_d(size) / fmax(re, DBL_MIN);
        }
    }
    for (int k = 0; k < STEPS; k++) {
        double largest = 0;
        for (slong i = 0; i < n; i++) {
            next[i] = 0;
            for (slong j = 0; j < n; j++) next[i] += g[i * n + j] * w[j];
            largest = fmax(largest, next[i]);
        }
        if (!(largest > 0 && isfinite(largest))) break;
        for (slong i = 0; i < n; i++) w[i] = 0.5 * w[i] + 0.5 * fmax(next[i] / largest, 1e-30);
    }
    mag_clear(size);
    memory_free(g);
}

static void weigh(acb_mat_t d) {
    const slong n = acb_mat_nrows(d);
    double *w = memory_array(double, n + 1);
    choose_weights(d, w);
    for (slong i = 0; i < n; i++) // powers of 2: nothing is rounded
        for (slong j = 0; j < n; j++)
            acb_mul_2exp_si(acb_mat_entry(d, i, j), acb_mat_entry(d, i, j),
                            ilogb(w[j]) - ilogb(w[i]));
    memory_free(w);
}

// |x - d_ii| <= sum_(j != i) |d_ij|: its real parts
static void real_parts(const acb_mat_t d, arb_ptr out) {
    const slong n = acb_mat_nrows(d);
    mag_t radius, part;
    mag_init(radius), mag_init(part);
    for (slong i = 0; i < n; i++) {
        mag_zero(radius);
        for (slong j = 0; j < n; j++) {
            if (j == i) continue;
            acb_get_mag(part, acb_mat_entry(d, i, j));
            mag_add(radius, radius, part);
        }
        arb_set(out + i, acb_realref(acb_mat_entry(d, i, i)));
        arb_add_error_mag(out + i, radius);
    }
    mag_clear(radius), mag_clear(part);
}

// Discs that lie in one half plane are apart from those in the other. Where none meets the axis, as
// many eigenvalues are on each side as there are discs; where some do, the union of those on the
// right is still apart from the others if each of these has its real parts below theirs.
stability_verdict discs_judge(const arb_mat_t a, slong bits) {
    const slong n = arb_mat_nrows(a);
    acb_mat_t d;
    arb_ptr re = _arb_vec_init(n);
    acb_mat_init(d, n, n);
    stability_verdict v = STABLE_UNDECIDED;
    if (n && diagonalise(a, bits, d)) {
        weigh(d);
        real_parts(d, re);
        bool all_left = true, some_right = false, apart = true;
        for (slong i = 0; i < n; i++) {
            all_left = all_left && arb_is_negative(re + i);
            some_right = some_right || arb_is_positive(re + i);
        }
        for (slong i = 0; i < n && some_right; i++)
            for (slong j = 0; j < n; j++)
                if (arb_is_positive(re + i) && !arb_is_positive(re + j))
                    apart = apart && arb_lt(re + j, re + i);
        v = all_left ? STABLE_YES : some_right && apart ? STABLE_NO : STABLE_UNDECIDED;
    }
    _arb_vec_clear(re, n);
    acb_mat_clear(d);
    return v;
}
