// Neutral directions divided out: the projector, and matrices on what is left.
#include "study/quotient.h"

#include "model/state.h"

typedef struct {
    const matrix_jet *direction;
    uint32_t n, size;
    const uint32_t *kept;
    uint32_t *row, *column; // the pivots of U: a variable, a direction
    quotient *out;
} division;

// The row of the directions that belongs to variable i: of q, or of eta, which stand behind q and
// q'
static uint32_t direction_row(const division *d, uint32_t i) {
    const uint32_t z = d->kept[i];
    return z < d->n ? z : z + d->n;
}

static void choose_pivots(division *d) {
    const uint32_t size = d->size, open = (uint32_t)arb_mat_ncols(d->direction->v);
    double *v = memory_array(double, open *size + 1);
    for (uint32_t k = 0; k < open; k++)
        for (uint32_t i = 0; i < size; i++)
            v[k * size + i] = arf_get_d(
                arb_midref(arb_mat_entry(d->direction->v, direction_row(d, i), k)), ARF_RND_NEAR);
    const uint32_t u = d->out->neutral = pivots_choose(open, size, v, NULL, 1, d->column, d->row);
    bool *taken = memory_zeros(bool, size + 1);
    for (uint32_t i = 0; i < u; i++) taken[d->row[i]] = true;
    for (uint32_t i = 0; i < size; i++)
        if (!taken[i]) d->out->remaining[d->out->count++] = i;
    memory_free(v), memory_free(taken);
}

// X U_p = U_c, from its transpose
static bool find_projector(const division *d, slong bits) {
    quotient *out = d->out;
    const uint32_t u = out->neutral, c = out->count;
    const bool rates = d->direction->rates;
    matrix_jet up, uc, x;
    matrix_jet_init(&up, u, u, rates), matrix_jet_init(&uc, u, c, rates);
    matrix_jet_init(&x, u, c, rates), matrix_jet_init(&out->projector, c, d->size, rates);
    for (uint32_t i = 0; i < u; i++) {
        for (uint32_t k = 0; k < u; k++)
            matrix_jet_copy(&up, k, i, d->direction, direction_row(d, d->row[i]), d->column[k],
                            false);
        for (uint32_t k = 0; k < c; k++)
            matrix_jet_copy(&uc, i, k, d->direction, direction_row(d, out->remaining[k]),
                            d->column[i], false);
    }
    const bool good = matrix_jet_solve(&x, &up, &uc, bits);
    for (uint32_t k = 0; k < c; k++) arb_one(arb_mat_entry(out->projector.v, k, out->remaining[k]));
    for (uint32_t i = 0; i < u && good; i++)
        for (uint32_t k = 0; k < c; k++)
            matrix_jet_copy(&out->projector, k, d->row[i], &x, i, k, true);
    matrix_jet_clear(&up), matrix_jet_clear(&uc), matrix_jet_clear(&x);
    return good;
}

bool quotient_create(const matrix_jet *direction, uint32_t n, uint32_t size, const uint32_t *kept,
                     slong bits, quotient *out) {
    *out = (quotient){.remaining = memory_array(uint32_t, size + 1)};
    const uint32_t most = (uint32_t)arb_mat_ncols(direction->v) + size + 1;
    uint32_t *index = memory_zeros(uint32_t, 2 * most);
    division d = {direction, n, size, kept, index, index + most, out};
    choose_pivots(&d);
    const bool good = find_projector(&d, bits);
    memory_free(index);
    return good;
}

void quotient_matrix(const quotient *q, const matrix_jet *a, slong bits, matrix_jet *out) {
    const uint32_t size = q->neutral + q->count, c = q->count;
    matrix_jet part;
    matrix_jet_init(&part, size, c, a->rates);
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t j = 0; j < c; j++) matrix_jet_copy(&part, i, j, a, i, q->remaining[j], false);
    matrix_jet_multiply(out, &q->projector, &part, bits);
    matrix_jet_clear(&part);
}

void quotient_clear(quotient *q) {
    if (!q->remaining) return;
    matrix_jet_clear(&q->projector);
    memory_free(q->remaining);
}
