// From residues back to rational numbers and rational functions.
#include "analyse/residues.h"

#include <flint/fmpq.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly.h>

static bool reconstruct(fmpq_t q, mp_limb_t x, mp_limb_t prime, uint32_t largest) {
    fmpz_t a, m, n, d;
    fmpz_init_set_ui(a, x), fmpz_init_set_ui(m, prime), fmpz_init_set_ui(n, largest),
        fmpz_init_set_ui(d, largest);
    const bool found = fmpq_reconstruct_fmpz_2(q, a, m, n, d);
    fmpz_clear(a), fmpz_clear(m), fmpz_clear(n), fmpz_clear(d);
    return found;
}

expr residues_small_fraction(pool *p, mp_limb_t x, mp_limb_t prime, uint32_t largest) {
    fmpq_t q;
    fmpq_init(q);
    const expr result = reconstruct(q, x, prime, largest) ? expr_number(p, q) : EXPR_NONE;
    fmpq_clear(q);
    return result;
}

// Euclid on prod (X - x_i) and the interpolating polynomial: every remainder r_k with its cofactor
// t_k satisfies r_k = t_k y at the x_i, and the pair of least total degree is the function itself.
bool residues_rational_function(uint32_t count, const mp_limb_t *x, const mp_limb_t *y,
                                nmod_poly_t top, nmod_poly_t bottom) {
    const mp_limb_t prime = top->mod.n;
    nmod_poly_t r0, r1, t0, t1, quotient, product;
    nmod_poly_init(r0, prime), nmod_poly_init(r1, prime), nmod_poly_init(t0, prime),
        nmod_poly_init(t1, prime);
    nmod_poly_init(quotient, prime), nmod_poly_init(product, prime);
    nmod_poly_product_roots_nmod_vec(r0, x, count);
    nmod_poly_interpolate_nmod_vec(r1, x, y, count);
    nmod_poly_one(t1);
    slong least = (slong)count - 2;
    bool found = false;
    while (true) {
        const slong degree =
            (nmod_poly_is_zero(r1) ? 0 : nmod_poly_degree(r1)) + nmod_poly_degree(t1);
        if (degree < least) {
            nmod_poly_set(top, r1), nmod_poly_set(bottom, t1);
            least = degree;
            found = true;
        }
        if (nmod_poly_is_zero(r1)) break;
        nmod_poly_divrem(quotient, r0, r0, r1);
        nmod_poly_swap(r0, r1);
        nmod_poly_mul(product, quotient, t1);
        nmod_poly_sub(t0, t0, product);
        nmod_poly_swap(t0, t1);
    }
    nmod_poly_clear(r0), nmod_poly_clear(r1), nmod_poly_clear(t0), nmod_poly_clear(t1);
    nmod_poly_clear(quotient), nmod_poly_clear(product);
    return found;
}

bool residues_lack_real_roots(const nmod_poly_t f) {
    nmod_poly_t monic;
    fmpq_poly_t over_q;
    fmpz_poly_t whole;
    fmpq_t c;
    nmod_poly_init(monic, f->mod.n), fmpq_poly_init(over_q), fmpz_poly_init(whole), fmpq_init(c);
    nmod_poly_derivative(monic, f);
    nmod_poly_gcd(monic, monic, f);
    nmod_poly_div(monic, f, monic); // each root once
    nmod_poly_make_monic(monic, monic);
    bool small = true;
    for (slong i = 0; i <= nmod_poly_degree(monic) && small; i++) {
        small = reconstruct(c, nmod_poly_get_coeff_ui(monic, i), f->mod.n, 1 << 20);
        if (small) fmpq_poly_set_coeff_fmpq(over_q, i, c);
    }
    if (small) fmpq_poly_get_numerator(whole, over_q);
    const bool none = small && fmpz_poly_num_real_roots(whole) == 0;
    nmod_poly_clear(monic), fmpq_poly_clear(over_q), fmpz_poly_clear(whole), fmpq_clear(c);
    return none;
}
