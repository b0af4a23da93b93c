// Products and powers in local canonical form (build.h).
#include "expr/build.h"

#include <math.h>

typedef struct {
    pool *p;
    parts factors;
    fmpq_t coefficient;
    parts exponent_terms; // arguments of exp(): exp(u)^a * exp(v)^b = exp(a*u + b*v)
} product;

static void product_gather(product *w, expr base, const fmpq_t e);

static bool is_integer(const fmpq_t q) { return fmpz_is_one(fmpq_denref(q)); }

static bool power_is_too_large(pool *p, const fmpq_t value, const fmpq_t e) {
    double bits = (double)(fmpz_bits(fmpq_numref(value)) + fmpz_bits(fmpq_denref(value)));
    if (fmpz_is_pm1(fmpq_numref(value)) && fmpz_is_one(fmpq_denref(value))) return false;
    if (fabs(fmpz_get_d(fmpq_numref(e))) * bits < NUMBER_BITS) return false;
    context_exhaust(p->ctx, (span){0}, "bits of a number raised to a power", NUMBER_BITS);
    return true;
}

// coefficient *= value^e for an integer e; 0^negative is kept as a factor and
// fails where it is evaluated.
static void gather_integer_power(product *w, expr number, const fmpq_t value, const fmpq_t e) {
    if (fmpq_is_zero(value) && fmpq_sgn(e) < 0) {
        parts_add(&w->factors, number, e);
        return;
    }
    if (power_is_too_large(w->p, value, e)) return;
    fmpq_t power;
    fmpq_init(power);
    fmpq_pow_si(power, value, fmpz_get_si(fmpq_numref(e)));
    fmpq_mul(w->coefficient, w->coefficient, power);
    fmpq_clear(power);
}

// n^e for a positive integer n and a fraction e: whole powers of primes go to the coefficient,
// the rest stay as prime^(fraction). Of large numbers only squares are known.
static void gather_root(product *w, const fmpz_t n, const fmpq_t e) {
    enum { FACTOR_BITS = 64 };
    if (fmpz_is_one(n)) return;
    fmpz_factor_t primes;
    fmpz_factor_init(primes);
    budget_hold(); // FLINT's tree of primes must not be left half made; this is short
    if (fmpz_bits(n) <= FACTOR_BITS) {
        fmpz_factor(primes, n);
    } else {
        fmpz_t root;
        fmpz_init(root);
        const bool is_square = fmpz_is_square(n);
        if (is_square) fmpz_sqrt(root, n);
        _fmpz_factor_append(primes, is_square ? root : n, is_square ? 2 : 1);
        fmpz_clear(root);
    }
    budget_release();
    fmpq_t exponent, whole, base;
    fmpq_init(exponent), fmpq_init(whole), fmpq_init(base);
    for (slong i = 0; i < primes->num; i++) {
        fmpq_mul_ui(exponent, e, primes->exp[i]);
        fmpz_fdiv_q(fmpq_numref(whole), fmpq_numref(exponent), fmpq_denref(exponent));
        fmpq_sub_fmpz(exponent, exponent, fmpq_numref(whole));
        fmpq_set_fmpz(base, &primes->p[i]);
        gather_integer_power(w, EXPR_ZERO, base, whole);
        if (!fmpq_is_zero(exponent)) parts_add(&w->factors, expr_number(w->p, base), exponent);
    }
    fmpq_clear(exponent), fmpq_clear(whole), fmpq_clear(base);
    fmpz_factor_clear(primes);
}

static void gather_number(product *w, expr number, const fmpq_t e) {
    fmpq_t value;
    fmpq_init(value);
    fmpq_set(value, number_at(w->p, number));
    if (is_integer(e)) {
        gather_integer_power(w, number, value, e);
    } else if (fmpq_sgn(value) <=
               0) { // 0^(1/2) = 0; the root of a negative number fails where it is evaluated
        if (fmpq_is_zero(value) && fmpq_sgn(e) > 0) fmpq_zero(w->coefficient);
        else parts_add(&w->factors, number, e);
    } else {
        fmpq_t inverse;
        fmpq_init(inverse);
        fmpq_neg(inverse, e);
        gather_root(w, fmpq_numref(value), e);
        gather_root(w, fmpq_denref(value), inverse);
        fmpq_clear(inverse);
    }
    fmpq_clear(value);
}

// A product that stays one factor of others, so that those do not repeat all of it.
static bool is_long_product(const pool *p, expr e) {
    return node_at(p, e)->kind == EXPR_PRODUCT && factor_count(node_at(p, e)) > FACTOR_LIMIT;
}

// (b1^e1 * b2^e2 ...)^e. Distributes when e is an integer and the product is not long, and for a
// single odd power, whose root asks b1 > 0 anyway.
static void gather_product(product *w, expr base, const fmpq_t e) {
    const node n = *node_at(w->p, base);
    const expr *ops = operands_of(w->p, base);
    const bool single_odd = n.count == 2 && (!is_integer(number_at(w->p, ops[1])) ||
                                             fmpz_is_odd(fmpq_numref(number_at(w->p, ops[1]))));
    if ((!is_integer(e) && !single_odd) || is_long_product(w->p, base)) {
        parts_add(&w->factors, base, e);
        return;
    }
    fmpq_t power;
    fmpq_init(power);
    for (uint32_t i = 0; i < n.count; i += 2) {
        fmpq_mul(power, number_at(w->p, operands_of(w->p, base)[i + 1]), e);
        product_gather(w, operands_of(w->p, base)[i], power);
    }
    fmpq_clear(power);
}

// The rational g > 0 with S/g primitive (coprime integer coefficients), negative
// if the first coefficient is.
static void sum_content(const pool *p, expr s, fmpq_t content) {
    const node *n = node_at(p, s);
    const expr *ops = operands_of(p, s);
    fmpq_set(content, number_at(p, ops[1]));
    fmpq_abs(content, content);
    for (uint32_t i = 0; i < n->count; i += i ? 2 : 3)
        if (!fmpq_is_zero(number_at(p, ops[i]))) fmpq_gcd(content, content, number_at(p, ops[i]));
    if (fmpq_sgn(number_at(p, ops[1])) < 0) fmpq_neg(content, content);
}

static void gather_sum(product *w, expr base, const fmpq_t e) {
    const node *n = node_at(w->p, base);
    if (term_count(n) > MERGE_LIMIT) {
        parts_add(&w->factors, base, e);
        return;
    }
    fmpq_t content, inverse;
    fmpq_init(content), fmpq_init(inverse);
    sum_content(w->p, base, content);
    if (!is_integer(e)) fmpq_abs(content, content); // only a positive number may leave a root
    fmpq_inv(inverse, content);
    const expr rest = sum_scale(w->p, inverse, base), number = expr_number(w->p, content);
    if (number != EXPR_ONE) gather_number(w, number, e);
    if (node_at(w->p, rest)->kind == EXPR_SUM) parts_add(&w->factors, rest, e);
    else product_gather(w, rest, e);
    fmpq_clear(content), fmpq_clear(inverse);
}

expr product_base(pool *p, expr e) {
    if (node_at(p, e)->kind != EXPR_SUM || term_count(node_at(p, e)) > MERGE_LIMIT) return e;
    fmpq_t content;
    fmpq_init(content);
    sum_content(p, e, content);
    fmpq_inv(content, content);
    const expr base = sum_scale(p, content, e);
    fmpq_clear(content);
    return base;
}

// Multiply base^e into the product under construction.
static void product_gather(product *w, expr base, const fmpq_t e) {
    switch (node_at(w->p, base)->kind) {
    case EXPR_NUMBER: gather_number(w, base, e); break;
    case EXPR_PRODUCT: gather_product(w, base, e); break;
    case EXPR_SUM: gather_sum(w, base, e); break;
    case EXPR_EXP: parts_add(&w->exponent_terms, operands_of(w->p, base)[0], e); break;
    default: parts_add(&w->factors, base, e);
    }
}

// A collected factor whose exponent has become such that it can be taken apart: 2^(1/2)
// * 2^(1/2), (x^2)^(1/2) squared.
static bool regather_one(product *w) {
    for (uint32_t i = 0; i < w->factors.count; i++) {
        const part item = w->factors.items[i];
        const uint16_t kind = node_at(w->p, item.key)->kind;
        const bool number = kind == EXPR_NUMBER && item.key != EXPR_ZERO &&
                            fmpq_sgn(number_at(w->p, item.key)) > 0 &&
                            (fmpq_sgn(&item.value) < 0 || fmpq_cmp_ui(&item.value, 1) >= 0);
        if (!number && !((kind == EXPR_PRODUCT || kind == EXPR_NUMBER) && is_integer(&item.value) &&
                         item.key != EXPR_ZERO && !is_long_product(w->p, item.key)))
            continue;
        w->factors.items[i] = w->factors.items[--w->factors.count];
        product_gather(w, item.key, &item.value);
        fmpq_clear((fmpq *)&item.value);
        parts_collect(&w->factors);
        return true;
    }
    return false;
}

static expr product_intern(pool *p, const parts *factors) {
    if (!factors->count) return EXPR_ONE;
    if (factors->count == 1 && fmpq_is_one(&factors->items[0].value)) return factors->items[0].key;
    expr small[2 * MERGE_LIMIT];
    const uint32_t count = 2 * factors->count;
    expr *ops = count <= sizeof small / sizeof *small ? small : memory_array(expr, count);
    for (uint32_t i = 0; i < factors->count; i++) {
        ops[2 * i] = factors->items[i].key;
        ops[2 * i + 1] = expr_number(p, &factors->items[i].value);
    }
    expr e = pool_intern(p, EXPR_PRODUCT, 0, count, ops);
    if (ops != small) memory_free(ops);
    return e;
}

static void product_init(product *w, pool *p) {
    *w = (product){.p = p};
    fmpq_init(w->coefficient);
    fmpq_one(w->coefficient);
}

// exp(u)^a * exp(v)^b = exp(a*u + b*v): the one exponential of the product,
// EXPR_ONE if there is none.
static expr gathered_exponential(product *w) {
    if (!w->exponent_terms.count) return EXPR_ONE;
    parts sum = {0};
    fmpq_t constant;
    fmpq_init(constant);
    for (uint32_t i = 0; i < w->exponent_terms.count; i++)
        sum_gather(w->p, &sum, constant, &w->exponent_terms.items[i].value,
                   w->exponent_terms.items[i].key);
    const expr argument = sum_finish(w->p, &sum, constant);
    return expr_function(w->p, EXPR_EXP, &argument);
}

// Factors are taken apart until nothing changes, and only then exponentials are put together: what
// is taken apart may hold more of them, as (x*exp(y))^(1/2) * (x*exp(y))^(1/2) does.
static expr product_finish(product *w) {
    parts_collect(&w->factors);
    while (regather_one(w)) {}
    const expr exponential = gathered_exponential(w);
    if (exponential != EXPR_ONE) {
        fmpq_t one;
        fmpq_init(one);
        fmpq_one(one);
        parts_add(&w->factors, exponential, one);
        fmpq_clear(one);
        parts_collect(&w->factors);
    }
    expr e = fmpq_is_zero(w->coefficient) ? EXPR_ZERO : product_intern(w->p, &w->factors);
    e = sum_scale(w->p, w->coefficient, e);
    parts_free(&w->factors);
    parts_free(&w->exponent_terms);
    fmpq_clear(w->coefficient);
    return e;
}

expr expr_product(pool *p, uint32_t count, const expr *factors) {
    product w;
    product_init(&w, p);
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    for (uint32_t i = 0; i < count; i++) product_gather(&w, factors[i], one);
    fmpq_clear(one);
    return product_finish(&w);
}

expr expr_mul(pool *p, expr a, expr b) {
    if (a == EXPR_ZERO || b == EXPR_ZERO) return EXPR_ZERO;
    if (a == EXPR_ONE) return b;
    if (b == EXPR_ONE) return a;
    if (expr_is_number(p, a) || expr_is_number(p, b)) { // c*(x + y) = c*x + c*y
        const bool first = expr_is_number(p, a);
        fmpq_t c;
        fmpq_init(c);
        fmpq_set(c, number_at(p, first ? a : b));
        expr e = sum_scale(p, c, first ? b : a);
        fmpq_clear(c);
        return e;
    }
    return expr_product(p, 2, (expr[]){a, b});
}

expr expr_pow(pool *p, expr base, expr exponent) {
    if (exponent == EXPR_ZERO || base == EXPR_ONE) return EXPR_ONE;
    if (exponent == EXPR_ONE) return base;
    if (!expr_is_number(p, exponent)) {
        if (node_at(p, base)->kind == EXPR_EXP) { // exp(u)^v = exp(u*v)
            const expr argument = expr_mul(p, operands_of(p, base)[0], exponent);
            return expr_function(p, EXPR_EXP, &argument);
        }
        return pool_intern(p, EXPR_POWER, 0, 2, (expr[]){base, exponent});
    }
    product w;
    product_init(&w, p);
    fmpq_t e;
    fmpq_init(e);
    fmpq_set(e, number_at(p, exponent));
    if (COEFF_IS_MPZ(*fmpq_numref(e)))
        context_exhaust(p->ctx, (span){0}, "bits of a number raised to a power", NUMBER_BITS);
    else product_gather(&w, base, e);
    fmpq_clear(e);
    return product_finish(&w);
}

expr expr_div(pool *p, expr a, expr b) {
    return b == EXPR_ONE ? a : expr_mul(p, a, expr_pow(p, b, EXPR_MINUS_ONE));
}
expr expr_square(pool *p, expr a) { return expr_pow(p, a, EXPR_TWO); }
expr expr_sqrt(pool *p, expr a) { return expr_pow(p, a, EXPR_HALF); }
