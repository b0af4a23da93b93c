// Eigenvectors, and eigenvalues on the imaginary axis.
#include "study/modes.h"

static uint32_t largest_entry(const acb_mat_t a, uint32_t column) {
    uint32_t best = 0;
    double most = -1;
    for (slong i = 0; i < acb_mat_nrows(a); i++) {
        acb_srcptr z = acb_mat_entry(a, i, column);
        const double re = ball_middle(acb_realref(z)), im = ball_middle(acb_imagref(z)),
                     size = re * re + im * im;
        if (size > most * (1 + 1e-9)) most = size, best = (uint32_t)i;
    }
    return best;
}

static void take_column(modes *out, uint32_t to, const acb_mat_t vectors, uint32_t from,
                        slong bits) {
    const uint32_t top = largest_entry(vectors, from);
    for (slong i = 0; i < acb_mat_nrows(vectors); i++)
        if ((uint32_t)i == top) acb_one(acb_mat_entry(out->shape, i, to));
        else
            acb_div(acb_mat_entry(out->shape, i, to), acb_mat_entry(vectors, i, from),
                    acb_mat_entry(vectors, top, from), bits);
}

static bool is_finite_column(const modes *m, uint32_t column) {
    for (slong i = 0; i < acb_mat_nrows(m->shape); i++)
        if (!acb_is_finite(acb_mat_entry(m->shape, i, column))) return false;
    return true;
}

void modes_create(const linearisation *l, slong bits, modes *out) {
    const uint32_t c = l->count;
    *out = (modes){0};
    acb_mat_init(out->shape, c, c);
    if (!c) return;
    acb_mat_t a, near, vectors;
    acb_mat_init(a, c, c), acb_mat_init(near, c, c), acb_mat_init(vectors, c, c);
    acb_mat_set_arb_mat(a, l->reduced);
    acb_ptr guess = _acb_vec_init(c), value = _acb_vec_init(c);
    acb_mat_approx_eig_qr(guess, NULL, near, a, NULL, 0, bits);
    out->found = acb_mat_eig_simple(value, NULL, vectors, a, guess, near, bits);
    for (uint32_t i = 0; i < c && out->found; i++) {
        uint32_t matches = 0;
        for (uint32_t j = 0; j < c; j++)
            if (acb_overlaps(l->eigenvalue + i, value + j)) {
                take_column(out, i, vectors, j, bits);
                matches++;
            }
        out->found = matches == 1 && is_finite_column(out, i);
    }
    _acb_vec_clear(guess, c), _acb_vec_clear(value, c);
    acb_mat_clear(a), acb_mat_clear(near), acb_mat_clear(vectors);
}

void modes_clear(modes *m) { acb_mat_clear(m->shape); }

// Its ball is its own: no other meets it, nor its mirror image
static bool is_alone(const linearisation *l, uint32_t i) {
    acb_t mirrored;
    acb_init(mirrored);
    arb_neg(acb_realref(mirrored), acb_realref(l->eigenvalue + i));
    arb_set(acb_imagref(mirrored), acb_imagref(l->eigenvalue + i));
    bool alone = true;
    for (uint32_t j = 0; j < l->count; j++)
        alone = alone && (j == i || (!acb_overlaps(l->eigenvalue + j, mirrored) &&
                                     !acb_overlaps(l->eigenvalue + j, l->eigenvalue + i)));
    acb_clear(mirrored);
    return alone;
}

void modes_settle_on_axis(linearisation *l) {
    bool all = true;
    if (!l->enclosed || l->stable != STABLE_UNDECIDED) return;
    for (uint32_t i = 0; i < l->count; i++) {
        arb_ptr re = acb_realref(l->eigenvalue + i);
        if (!arb_contains_zero(re)) continue;
        if (is_alone(l, i)) arb_zero(re);
        else all = false;
    }
    if (all) l->stable = STABLE_MARGINAL;
}
