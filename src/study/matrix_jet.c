// Linear algebra on matrices and their derivatives.
#include "study/matrix_jet.h"

void matrix_jet_init(matrix_jet *m, slong rows, slong columns, bool rates) {
    m->rates = rates;
    arb_mat_init(m->v, rows, columns);
    arb_mat_init(m->d, rates ? rows : 0, rates ? columns : 0);
}

void matrix_jet_clear(matrix_jet *m) { arb_mat_clear(m->v), arb_mat_clear(m->d); }

static void copy(arb_mat_t to, slong i, slong j, const arb_mat_t from, slong k, slong l,
                 bool negative) {
    arb_set(arb_mat_entry(to, i, j), arb_mat_entry(from, k, l));
    if (negative) arb_neg(arb_mat_entry(to, i, j), arb_mat_entry(to, i, j));
}

void matrix_jet_copy(matrix_jet *to, slong i, slong j, const matrix_jet *from, slong k, slong l,
                     bool negative) {
    copy(to->v, i, j, from->v, k, l, negative);
    if (to->rates) copy(to->d, i, j, from->d, k, l, negative);
}

// (a b)' = a' b + a b'
void matrix_jet_multiply(matrix_jet *out, const matrix_jet *a, const matrix_jet *b, slong bits) {
    if (out->rates) {
        arb_mat_t part;
        arb_mat_init(part, arb_mat_nrows(out->v), arb_mat_ncols(out->v));
        arb_mat_mul(out->d, a->d, b->v, bits);
        arb_mat_mul(part, a->v, b->d, bits);
        arb_mat_add(out->d, out->d, part, bits);
        arb_mat_clear(part);
    }
    arb_mat_mul(out->v, a->v, b->v, bits);
}

// x = Y right + (1 - Y left) x for any Y: with the inverse of the middle this makes an enclosure
// of x
// narrow again, component by component, where parts of the system have nothing to do with others
static void refine(arb_mat_t x, const arb_mat_t left, const arb_mat_t right, slong bits) {
    enum { TIMES = 3 };
    const slong n = arb_mat_nrows(left), m = arb_mat_ncols(right);
    arb_mat_t y, start, rest, next;
    arb_mat_init(y, n, n), arb_mat_init(start, n, m), arb_mat_init(rest, n, n);
    arb_mat_init(next, n, m);
    arb_mat_get_mid(rest, left);
    if (n && m && arb_mat_approx_inv(y, rest, bits)) {
        arb_mat_mul(start, y, right, bits);
        arb_mat_mul(rest, y, left, bits);
        arb_mat_neg(rest, rest);
        for (slong i = 0; i < n; i++)
            arb_add_ui(arb_mat_entry(rest, i, i), arb_mat_entry(rest, i, i), 1, bits);
        for (int k = 0; k < TIMES; k++) {
            arb_mat_mul(next, rest, x, bits);
            arb_mat_add(next, next, start, bits);
            for (slong i = 0; i < n; i++)
                for (slong j = 0; j < m; j++)
                    if (mag_cmp(arb_radref(arb_mat_entry(next, i, j)),
                                arb_radref(arb_mat_entry(x, i, j))) < 0)
                        arb_set(arb_mat_entry(x, i, j), arb_mat_entry(next, i, j));
        }
    }
    arb_mat_clear(y), arb_mat_clear(start), arb_mat_clear(rest), arb_mat_clear(next);
}

bool matrix_jet_solve_values(arb_mat_t x, const arb_mat_t left, const arb_mat_t right, slong bits) {
    if (!arb_mat_solve_precond(x, left, right, bits)) return false;
    if (bits > 53) refine(x, left, right, bits);
    return true;
}

bool matrix_jet_solve(matrix_jet *out, const matrix_jet *left, const matrix_jet *right,
                      slong bits) {
    if (!matrix_jet_solve_values(out->v, left->v, right->v, bits)) return false;
    if (!out->rates) return true;
    arb_mat_t part;
    arb_mat_init(part, arb_mat_nrows(out->v), arb_mat_ncols(out->v));
    arb_mat_mul(part, left->d, out->v, bits);
    arb_mat_sub(part, right->d, part, bits);
    const bool good = matrix_jet_solve_values(out->d, left->v, part, bits);
    arb_mat_clear(part);
    return good;
}
