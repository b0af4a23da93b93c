// Back to expressions: monomials, and polynomials written out.
#include "normal/ring.h"

expr rebuild_integer(pool *p, const fmpz_t n) {
    fmpq_t q;
    fmpq_init(q);
    fmpq_set_fmpz(q, n);
    const expr e = expr_number(p, q);
    fmpq_clear(q);
    return e;
}

expr rebuild_monomial(ring *R, const ulong *exponents) {
    expr *factors = memory_array(expr, R->generators_count + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < R->generators_count; i++)
        if (exponents[i])
            factors[n++] = expr_pow(
                R->p, R->generators[i].base,
                expr_rational(R->p, (int64_t)exponents[i], (int64_t)R->generators[i].root));
    const expr e = n == 0 ? EXPR_ONE : n == 1 ? factors[0] : expr_product(R->p, n, factors);
    memory_free(factors);
    return e;
}

// A product of generators weighs what they weigh, and one for each sign between them and each
// exponent; coefficients, which a division may take away, are not counted.
uint32_t rebuild_weight(const ring *R, const fmpz_mpoly_t f) {
    ulong *exponents = memory_array(ulong, fmpz_mpoly_ctx_nvars(R->ctx));
    uint32_t total = 0;
    for (slong i = 0; i < f->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, f, i, R->ctx);
        for (uint32_t j = 0; j < R->generators_count; j++)
            if (exponents[j])
                total +=
                    R->generators[j].weight + 1 + (exponents[j] > 1 && R->generators[j].root == 1);
    }
    memory_free(exponents);
    return total ? total - 1 : 0;
}

expr rebuild_expanded(ring *R, const fmpz_mpoly_t f) {
    if (!f->length) return EXPR_ZERO;
    expr *terms = memory_array(expr, f->length);
    ulong *exponents = memory_array(ulong, fmpz_mpoly_ctx_nvars(R->ctx));
    for (slong i = 0; i < f->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exponents, f, i, R->ctx);
        terms[i] =
            expr_mul(R->p, rebuild_integer(R->p, f->coeffs + i), rebuild_monomial(R, exponents));
    }
    const expr e = expr_sum(R->p, (uint32_t)f->length, terms);
    memory_free(exponents);
    memory_free(terms);
    return e;
}
