// Addition theorems backwards: cos(a)*cos(b) + sin(a)*sin(b) = cos(a - b), sin(a)*cos(b) +
// cos(a)*sin(b) = sin(a + b), ...
#include "normal/ring.h"

#include <string.h>

enum { LENGTH_LIMIT = 150 };

typedef struct {
    ring *R;
    const fmpz_mpoly_struct *f;
    slong nvars;
    ulong *exponents; // of all terms, nvars each
    bool *used;
} table;

static ulong *row(const table *t, slong i) { return t->exponents + i * t->nvars; }

static slong find_row(const table *t, const ulong *wanted) {
    for (slong i = 0; i < t->f->length; i++)
        if (!t->used[i] && memcmp(row(t, i), wanted, sizeof(ulong) * (size_t)t->nvars) == 0)
            return i;
    return -1;
}

static bool argument_of(const ring *R, slong sine, expr *argument) {
    const expr e = R->generators[sine].base;
    if (expr_kind_of(R->p, e) != EXPR_SIN) return false;
    *argument = expr_operand(R->p, e, 0);
    return true;
}

// Term i = k*M*f(a)*g(b); its partner has f and g exchanged for their co-functions and the
// coefficient +-k. (sa, sb) are the sines of the pairs, the cosines stand next to them. Returns the
// one term that replaces both, or EXPR_NONE.
static expr contract_pair(table *t, slong i, slong sa, slong sb) {
    ring *R = t->R;
    ulong *e = row(t, i);
    expr a, b;
    const bool cosines = e[sa + 1] && e[sb + 1],
               mixed = e[sa] && e[sb + 1]; // cos cos + .. sin sin, or sin cos + .. cos sin
    if ((!cosines && !mixed) || !argument_of(R, sa, &a) || !argument_of(R, sb, &b))
        return EXPR_NONE;
    const slong fa = cosines ? sa + 1 : sa, ga = cosines ? sa : sa + 1; // leaves and comes, at a
    ulong *wanted = memory_array(ulong, t->nvars);
    memcpy(wanted, e, sizeof(ulong) * (size_t)t->nvars);
    wanted[fa]--, wanted[ga]++, wanted[sb + 1]--, wanted[sb]++;
    const slong j = find_row(t, wanted);
    expr result = EXPR_NONE;
    if (j >= 0 && j != i && fmpz_cmpabs(t->f->coeffs + i, t->f->coeffs + j) == 0) {
        const bool same = fmpz_equal(t->f->coeffs + i, t->f->coeffs + j);
        const expr argument = same == cosines ? expr_sub(R->p, a, b) : expr_add(R->p, a, b);
        const expr merged = expr_function(R->p, cosines ? EXPR_COS : EXPR_SIN, &argument);
        wanted[ga]--, wanted[sb]--; // what is left is M
        fmpq_t k;
        fmpq_init(k);
        fmpq_set_fmpz(k, t->f->coeffs + i);
        result = expr_product(R->p, 3,
                              (expr[]){expr_number(R->p, k), rebuild_monomial(R, wanted), merged});
        fmpq_clear(k);
        t->used[i] = t->used[j] = true;
    }
    memory_free(wanted);
    return result;
}

static expr contract_term(table *t, slong i) {
    const ring *R = t->R;
    for (uint32_t x = 0; x < R->angles_count; x++) {
        for (uint32_t y = 0; y < R->angles_count; y++) {
            if (x == y || R->angles[x].family != FAMILY_CIRCULAR ||
                R->angles[y].family != FAMILY_CIRCULAR)
                continue;
            const expr e = contract_pair(t, i, R->angles[x].first, R->angles[y].first);
            if (e != EXPR_NONE) return e;
        }
    }
    return EXPR_NONE;
}

static expr rebuild_term(const table *t, slong i) {
    fmpq_t k;
    fmpq_init(k);
    fmpq_set_fmpz(k, t->f->coeffs + i);
    const expr e = expr_mul(t->R->p, expr_number(t->R->p, k), rebuild_monomial(t->R, row(t, i)));
    fmpq_clear(k);
    return e;
}

static expr contract_polynomial(ring *R, const fmpz_mpoly_struct *f, bool *found) {
    if (f->length < 2 || f->length > LENGTH_LIMIT) return rebuild_expanded(R, f);
    table t = {.R = R, .f = f, .nvars = fmpz_mpoly_ctx_nvars(R->ctx)};
    t.exponents = memory_array(ulong, t.nvars * f->length);
    t.used = memory_array(bool, f->length);
    for (slong i = 0; i < f->length; i++) {
        fmpz_mpoly_get_term_exp_ui(row(&t, i), f, i, R->ctx);
        t.used[i] = false;
    }
    expr *terms = memory_array(expr, f->length);
    uint32_t n = 0;
    for (slong i = 0; i < f->length; i++) {
        if (t.used[i]) continue;
        expr merged = contract_term(&t, i);
        *found = *found || merged != EXPR_NONE;
        if (merged != EXPR_NONE) terms[n++] = merged;
    }
    for (slong i = 0; i < f->length; i++)
        if (!t.used[i]) terms[n++] = rebuild_term(&t, i);
    const expr e = expr_sum(R->p, n, terms);
    memory_free(terms);
    memory_free(t.exponents);
    memory_free(t.used);
    return e;
}

expr contract_angle_sums(ring *R, const fraction *f) {
    uint32_t circular = 0;
    for (uint32_t i = 0; i < R->angles_count; i++)
        circular += R->angles[i].family == FAMILY_CIRCULAR;
    if (circular < 2) return EXPR_NONE;
    bool found = false;
    const expr above = contract_polynomial(R, fmpz_mpoly_q_numref(f), &found);
    const expr below = contract_polynomial(R, fmpz_mpoly_q_denref(f), &found);
    return found ? expr_div(R->p, above, below) : EXPR_NONE;
}
