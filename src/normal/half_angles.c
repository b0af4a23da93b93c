// Irreducible factors and common factors of expressions, exact also where sines
// and cosines are among them.
//
// Q[sin a, cos a] with sin^2 + cos^2 = 1 has no unique factorisation: sin^2 a = (1 - cos a)*(1 +
// cos a). By half the angle it has: with s = sin(a/2), c = cos(a/2)
//   sin a = 2*s*c,   cos a = c^2 - s^2,   1 = s^2 + c^2
// make a form of degree 2*d in (s, c) of a polynomial of degree d, and forms factor uniquely. In
// such a polynomial the generators of sin a and cos a stand for s and c.
#include "normal/ring.h"

#include <flint/fmpz_mpoly_factor.h>

enum { LONGEST = 240, HIGHEST = 12 }; // terms, degree in one angle: beyond them nothing is factored

// --- half the angles -----------------------------------------------------------------------------

static slong variables(const ring *R) { return fmpz_mpoly_ctx_nvars(R->ctx); }

static bool is_circular(const base_angle *a) { return a->family == FAMILY_CIRCULAR; }

// The highest degree of f in (sin a, cos a) together.
static ulong degree_in(const ring *R, const fmpz_mpoly_t f, const base_angle *a) {
    ulong *exponent = memory_array(ulong, variables(R)), highest = 0;
    for (slong i = 0; i < f->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exponent, f, i, R->ctx);
        const ulong degree = exponent[a->first] + exponent[a->first + 1];
        if (degree > highest) highest = degree;
    }
    memory_free(exponent);
    return highest;
}

typedef struct { // 2*s*c, c^2 - s^2, s^2 + c^2 of one angle
    fmpz_mpoly_t sine, cosine, one;
} half;

static void half_init(const ring *R, const base_angle *a, half *h) {
    fmpz_mpoly_t s, c;
    fmpz_mpoly_init(s, R->ctx), fmpz_mpoly_init(c, R->ctx);
    fmpz_mpoly_init(h->sine, R->ctx), fmpz_mpoly_init(h->cosine, R->ctx),
        fmpz_mpoly_init(h->one, R->ctx);
    fmpz_mpoly_gen(s, a->first, R->ctx), fmpz_mpoly_gen(c, a->first + 1, R->ctx);
    fmpz_mpoly_mul(h->sine, s, c, R->ctx);
    fmpz_mpoly_scalar_mul_ui(h->sine, h->sine, 2, R->ctx);
    fmpz_mpoly_mul(s, s, s, R->ctx), fmpz_mpoly_mul(c, c, c, R->ctx);
    fmpz_mpoly_sub(h->cosine, c, s, R->ctx);
    fmpz_mpoly_add(h->one, c, s, R->ctx);
    fmpz_mpoly_clear(s, R->ctx), fmpz_mpoly_clear(c, R->ctx);
}

static void half_clear(const ring *R, half *h) {
    fmpz_mpoly_clear(h->sine, R->ctx), fmpz_mpoly_clear(h->cosine, R->ctx),
        fmpz_mpoly_clear(h->one, R->ctx);
}

// f *= base^power
static void multiply(const ring *R, fmpz_mpoly_t f, const fmpz_mpoly_t base, ulong power) {
    for (ulong i = 0; i < power; i++) fmpz_mpoly_mul(f, f, base, R->ctx);
}

// sin^i cos^j -> (2sc)^i (c^2 - s^2)^j (s^2 + c^2)^(degree - i - j), in every term of f
static void halve(const ring *R, fmpz_mpoly_t f, const base_angle *a, ulong degree) {
    ulong *exponent = memory_array(ulong, variables(R));
    half h;
    half_init(R, a, &h);
    fmpz_mpoly_t sum, term;
    fmpz_mpoly_init(sum, R->ctx), fmpz_mpoly_init(term, R->ctx);
    for (slong i = 0; i < f->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exponent, f, i, R->ctx);
        const ulong sines = exponent[a->first], cosines = exponent[a->first + 1];
        exponent[a->first] = exponent[a->first + 1] = 0;
        fmpz_mpoly_zero(term, R->ctx);
        fmpz_mpoly_push_term_fmpz_ui(term, f->coeffs + i, exponent, R->ctx);
        multiply(R, term, h.sine, sines);
        multiply(R, term, h.cosine, cosines);
        multiply(R, term, h.one, degree - sines - cosines);
        fmpz_mpoly_add(sum, sum, term, R->ctx);
    }
    fmpz_mpoly_swap(f, sum, R->ctx);
    fmpz_mpoly_clear(sum, R->ctx), fmpz_mpoly_clear(term, R->ctx);
    half_clear(R, &h);
    memory_free(exponent);
}

// By half the angles in all of f; false where that is too long.
static bool halve_all(const ring *R, fmpz_mpoly_t f) {
    for (uint32_t i = 0; i < R->angles_count; i++) {
        if (!is_circular(&R->angles[i])) continue;
        const ulong degree = degree_in(R, f, &R->angles[i]);
        if (degree > HIGHEST || f->length > LONGEST) return false;
        if (degree) halve(R, f, &R->angles[i], degree);
    }
    return f->length <= LONGEST;
}

// s^i c^j of one angle: by sin a and cos a where i + j is even, (1 - cos a)/2 = s^2, (1
// + cos a)/2 = c^2, sin(a)/2 = sc
static expr whole_angle(ring *R, const base_angle *a, ulong i, ulong j) {
    pool *p = R->p;
    const expr sine = R->generators[a->first].base, argument = expr_operand(p, sine, 0);
    const expr halved = expr_mul(p, EXPR_HALF, argument);
    if ((i + j) % 2)
        return expr_mul(p,
                        expr_pow(p, expr_function(p, EXPR_SIN, &halved), expr_int(p, (int64_t)i)),
                        expr_pow(p, expr_function(p, EXPR_COS, &halved), expr_int(p, (int64_t)j)));
    const expr cosine = expr_function(p, EXPR_COS, &argument),
               odd = i % 2 ? expr_mul(p, EXPR_HALF, sine) : EXPR_ONE;
    const expr less = expr_mul(p, EXPR_HALF, expr_sub(p, EXPR_ONE, cosine)),
               more = expr_mul(p, EXPR_HALF, expr_add(p, EXPR_ONE, cosine));
    return expr_product(p, 3,
                        (expr[]){odd, expr_pow(p, less, expr_int(p, (int64_t)i / 2)),
                                 expr_pow(p, more, expr_int(p, (int64_t)j / 2))});
}

// Back to an expression.
static expr rebuild_whole(ring *R, const fmpz_mpoly_t f) {
    ulong *exponent = memory_array(ulong, variables(R));
    expr sum = EXPR_ZERO;
    for (slong t = 0; t < f->length; t++) {
        fmpz_mpoly_get_term_exp_ui(exponent, f, t, R->ctx);
        expr term = rebuild_integer(R->p, f->coeffs + t);
        for (uint32_t i = 0; i < R->angles_count; i++) {
            const base_angle *a = &R->angles[i];
            if (!is_circular(a)) continue;
            term =
                expr_mul(R->p, term, whole_angle(R, a, exponent[a->first], exponent[a->first + 1]));
            exponent[a->first] = exponent[a->first + 1] = 0;
        }
        sum = expr_add(R->p, sum, expr_mul(R->p, term, rebuild_monomial(R, exponent)));
    }
    memory_free(exponent);
    return normal_simplify(R->p, sum, &R->budget);
}

// --- factors -------------------------------------------------------------------------------------

// A function of angles alone, of odd degree in half of one of them?
static bool is_odd_in_angles(const ring *R, const fmpz_mpoly_t f) {
    bool odd = false, *angle = memory_zeros(bool, variables(R));
    for (uint32_t i = 0; i < R->angles_count; i++) {
        const base_angle *a = &R->angles[i];
        if (!is_circular(a)) continue;
        angle[a->first] = angle[a->first + 1] = true;
        odd = odd || degree_in(R, f, a) % 2;
    }
    for (slong i = 0; i < variables(R) && odd; i++)
        odd = angle[i] || fmpz_mpoly_degree_si(f, i, R->ctx) <= 0;
    memory_free(angle);
    return odd;
}

typedef struct {
    ring *R;
    normal_factor *out;
    uint32_t count;
    bool over; // more than there is room for
} factor_list;

static void add_factor(factor_list *l, const fmpz_mpoly_t f, uint64_t power, bool halved) {
    const expr base = halved ? rebuild_whole(l->R, f)
                             : normal_simplify(l->R->p, rebuild_expanded(l->R, f), &l->R->budget);
    if (expr_is_number(l->R->p, base)) return;
    l->over = l->over || l->count == NORMAL_MOST_FACTORS;
    if (!l->over) l->out[l->count++] = (normal_factor){base, power};
}

// A polynomial that is irreducible as it is, by half the angles. Factors sin(a/2) and cos(a/2) that
// stand there once and alone are put together to sin a: they say no more apart.
static void add_halved(factor_list *l, const fmpz_mpoly_t whole, uint64_t power) {
    ring *R = l->R;
    fmpz_mpoly_t f, odd;
    fmpz_mpoly_factor_t found;
    fmpz_mpoly_init(f, R->ctx), fmpz_mpoly_init(odd, R->ctx), fmpz_mpoly_factor_init(found, R->ctx);
    fmpz_mpoly_set(f, whole, R->ctx);
    fmpz_mpoly_one(odd, R->ctx);
    bool split = halve_all(R, f) && !fmpz_mpoly_equal(f, whole, R->ctx) &&
                 fmpz_mpoly_factor(found, f, R->ctx);
    split = split && (found->num > 1 || (found->num == 1 && !fmpz_is_one(found->exp)));
    for (slong i = 0; i < found->num && split; i++) {
        const ulong times = fmpz_get_ui(found->exp + i);
        if (times == 1 && is_odd_in_angles(R, found->poly + i))
            fmpz_mpoly_mul(odd, odd, found->poly + i, R->ctx);
        else add_factor(l, found->poly + i, times * power, true);
    }
    if (!split) add_factor(l, whole, power, false);
    else if (!fmpz_mpoly_is_fmpz(odd, R->ctx)) add_factor(l, odd, power, true);
    fmpz_mpoly_clear(f, R->ctx), fmpz_mpoly_clear(odd, R->ctx),
        fmpz_mpoly_factor_clear(found, R->ctx);
}

// e^power, where e is no product
static void add_factors_of(factor_list *l, pool *p, expr e, uint64_t power,
                           const normal_budget *b) {
    ring R;
    if (!ring_create(&R, p, 1, &e, ANGLES_EXPANDED, b)) {
        l->over = true;
        return;
    }
    l->R = &R;
    const fmpz_mpoly_struct *f = fmpz_mpoly_q_numref(ring_value(&R, e));
    fmpz_mpoly_factor_t found;
    fmpz_mpoly_factor_init(found, R.ctx);
    if (f->length <= LONGEST && fmpz_mpoly_factor(found, f, R.ctx))
        for (slong i = 0; i < found->num && !l->over; i++)
            add_halved(l, found->poly + i, power * fmpz_get_ui(found->exp + i));
    else l->over = true;
    fmpz_mpoly_factor_clear(found, R.ctx);
    ring_clear(&R);
    l->R = NULL;
}

// base^exponent; a root and an absolute value vanish where what stands in them does,
// and have no slope there either.
static void add_power(factor_list *l, pool *p, expr base, expr exponent, const normal_budget *b) {
    const fmpq *power = expr_number_value(p, exponent);
    const bool bent = expr_kind_of(p, base) == EXPR_ABS || !fmpz_is_one(fmpq_denref(power));
    if (fmpq_sgn(power) < 0) return;
    if (expr_kind_of(p, base) == EXPR_ABS) base = expr_operand(p, base, 0);
    add_factors_of(l, p, base, bent ? 2 : fmpz_get_ui(fmpq_numref(power)), b);
}

// A product of the pool is taken apart as it stands: powers are not multiplied out.
uint32_t normal_factors(pool *p, expr e, const normal_budget *b, normal_factor *out) {
    factor_list l = {.out = out};
    expr coefficient, rest;
    expr_split_coefficient(p, e, &coefficient, &rest);
    if (expr_kind_of(p, rest) != EXPR_PRODUCT) add_power(&l, p, rest, EXPR_ONE, b);
    else
        for (uint32_t i = 0; i < expr_operand_count(p, rest) && !l.over; i += 2)
            add_power(&l, p, expr_operand(p, rest, i), expr_operand(p, rest, i + 1), b);
    return l.over ? 0 : l.count;
}

// --- common factors ------------------------------------------------------------------------------

// part[i] = the numerators of e over their common denominator
static void over_one_denominator(ring *R, uint32_t count, const expr *e, fmpz_mpoly_struct *part) {
    fmpz_mpoly_t bottom, common;
    fmpz_mpoly_init(bottom, R->ctx), fmpz_mpoly_init(common, R->ctx);
    fmpz_mpoly_one(bottom, R->ctx);
    for (uint32_t i = 0; i < count; i++) { // lcm
        const fmpz_mpoly_struct *d = fmpz_mpoly_q_denref(ring_value(R, e[i]));
        if (!fmpz_mpoly_gcd(common, bottom, d, R->ctx)) fmpz_mpoly_one(common, R->ctx);
        fmpz_mpoly_mul(bottom, bottom, d, R->ctx);
        fmpz_mpoly_divides(bottom, bottom, common, R->ctx);
    }
    for (uint32_t i = 0; i < count; i++) {
        const fraction *f = ring_value(R, e[i]);
        fmpz_mpoly_divides(common, bottom, fmpz_mpoly_q_denref(f), R->ctx);
        fmpz_mpoly_mul(&part[i], fmpz_mpoly_q_numref(f), common, R->ctx);
    }
    fmpz_mpoly_clear(bottom, R->ctx), fmpz_mpoly_clear(common, R->ctx);
}

static bool divide_common(ring *R, uint32_t count, fmpz_mpoly_struct *part, fmpz_mpoly_t common) {
    bool good = true;
    fmpz_mpoly_zero(common, R->ctx);
    for (uint32_t i = 0; i < count && good; i++)
        good = halve_all(R, &part[i]) && fmpz_mpoly_gcd(common, common, &part[i], R->ctx);
    for (uint32_t i = 0; i < count && good && common->length; i++)
        good = fmpz_mpoly_divides(&part[i], &part[i], common, R->ctx);
    return good && common->length;
}

bool normal_primitive(pool *p, uint32_t count, const expr *e, const normal_budget *b, expr *out,
                      expr *common) {
    ring R;
    if (!ring_create(&R, p, count, e, ANGLES_EXPANDED, b)) return false;
    fmpz_mpoly_struct *part = memory_array(fmpz_mpoly_struct, count + 1);
    fmpz_mpoly_t divisor;
    fmpz_mpoly_init(divisor, R.ctx);
    for (uint32_t i = 0; i < count; i++) fmpz_mpoly_init(&part[i], R.ctx);
    over_one_denominator(&R, count, e, part);
    const bool good = divide_common(&R, count, part, divisor);
    for (uint32_t i = 0; i < count && good; i++) out[i] = rebuild_whole(&R, &part[i]);
    if (good) *common = rebuild_whole(&R, divisor);
    for (uint32_t i = 0; i < count; i++) fmpz_mpoly_clear(&part[i], R.ctx);
    fmpz_mpoly_clear(divisor, R.ctx);
    memory_free(part);
    ring_clear(&R);
    return good;
}
