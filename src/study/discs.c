// Gershgorin's discs of a matrix in the basis of its eigenvectors.
#include "study/discs.h"

#include <acb_mat.h>

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
