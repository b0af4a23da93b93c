// Sums and products in local canonical form.
//
// A sum is c0 + sum c_i t_i with distinct t_i in index order; a product is prod b_i^e_i with distinct b_i. Rules applied while
// building: numbers fold, like terms and like powers collect, c*sin(u)^2*R + c*cos(u)^2*R becomes c*R. Nothing is expanded: a
// product of sums stays one. Inner sums are merged into outer ones only while they are short, so that small
// expressions cancel and large ones keep their sharing.
#include "expr/pool_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
    MERGE_LIMIT = 16,     // longest inner sum that is merged into an outer one, or scaled term by term
    TRIG_LIMIT = 64,      // longest sum searched for sin^2 + cos^2
    NUMBER_BITS = 1 << 20 // largest power of a number that is worked out
};

// --- lists of (key, rational) ----------------------------------------------------------------------------------------------

static void parts_add(parts *list, expr key, const fmpq_t value) {
    array_reserve(list->items, list->count, list->capacity);
    part *item = &list->items[list->count++];
    item->key = key;
    fmpq_init(&item->value);
    fmpq_set(&item->value, value);
}

static void parts_free(parts *list) {
    for (uint32_t i = 0; i < list->count; i++) fmpq_clear(&list->items[i].value);
    free(list->items);
}

static int by_key(const void *a, const void *b) {
    const expr x = ((const part *)a)->key, y = ((const part *)b)->key;
    return (x > y) - (x < y);
}

// Sort by key, add up the values of equal keys, drop zeros.
static void parts_collect(parts *list) {
    bool sorted = true;
    for (uint32_t i = 1; i < list->count && sorted; i++) sorted = list->items[i - 1].key < list->items[i].key;
    if (!sorted) qsort(list->items, list->count, sizeof(part), by_key);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (kept && list->items[kept - 1].key == list->items[i].key) {
            fmpq_add(&list->items[kept - 1].value, &list->items[kept - 1].value, &list->items[i].value);
            fmpq_clear(&list->items[i].value);
        } else {
            if (kept && fmpq_is_zero(&list->items[kept - 1].value)) fmpq_clear(&list->items[--kept].value);
            list->items[kept++] = list->items[i];
        }
    }
    if (kept && fmpq_is_zero(&list->items[kept - 1].value)) fmpq_clear(&list->items[--kept].value);
    list->count = kept;
}

static part *parts_find(const parts *list, expr key) {
    const part wanted = {.key = key};
    return list->count ? bsearch(&wanted, list->items, list->count, sizeof(part), by_key) : NULL;
}

// --- sums --------------------------------------------------------------------------------------------------------------------

static uint32_t term_count(const node *n) { return (n->count - 1) / 2; }

// Add c*e to the sum under construction.
static void sum_gather(pool *p, parts *list, fmpq_t constant, const fmpq_t c, expr e) {
    const node n = *node_at(p, e);
    if (n.kind == EXPR_NUMBER) {
        fmpq_addmul(constant, c, number_at(p, e));
        return;
    }
    if (n.kind != EXPR_SUM || term_count(&n) > MERGE_LIMIT) {
        parts_add(list, e, c);
        return;
    }
    const expr *ops = operands_of(p, e);
    fmpq_t scaled;
    fmpq_init(scaled);
    fmpq_addmul(constant, c, number_at(p, ops[0]));
    for (uint32_t i = 1; i < n.count; i += 2) {
        fmpq_mul(scaled, c, number_at(p, ops[i]));
        parts_add(list, ops[i + 1], scaled);
    }
    fmpq_clear(scaled);
}

static expr sum_intern(pool *p, const parts *list, const fmpq_t constant) {
    if (!list->count) return expr_number(p, constant);
    if (list->count == 1 && fmpq_is_zero(constant) && fmpq_is_one(&list->items[0].value)) return list->items[0].key;
    expr small[2 * MERGE_LIMIT + 1];
    const uint32_t count = 2 * list->count + 1;
    expr *ops = count <= sizeof small / sizeof *small ? small : memory_resize(NULL, sizeof(expr) * count);
    ops[0] = expr_number(p, constant);
    for (uint32_t i = 0; i < list->count; i++) {
        ops[2 * i + 1] = expr_number(p, &list->items[i].value);
        ops[2 * i + 2] = list->items[i].key;
    }
    expr e = pool_intern(p, EXPR_SUM, 0, count, ops);
    if (ops != small) free(ops);
    return e;
}

// The argument u of a factor f(u)^2 or f(u)^3 ... in a term, starting the search at operand *from; EXPR_NONE when there is none.
static expr squared_argument(const pool *p, expr term, expr_kind f, uint32_t *from) {
    const node *n = node_at(p, term);
    if (n->kind != EXPR_PRODUCT) return EXPR_NONE;
    const expr *ops = operands_of(p, term);
    for (uint32_t i = *from; i < n->count; i += 2) {
        if (node_at(p, ops[i])->kind != f || fmpq_cmp_ui(number_at(p, ops[i + 1]), 2) < 0) continue;
        *from = i + 2;
        return operands_of(p, ops[i])[0];
    }
    return EXPR_NONE;
}

// One application of c*R*sin(u)^2 + c*R*cos(u)^2 = c*R. Returns whether anything changed.
static bool merge_one_trig_pair(pool *p, parts *list, fmpq_t constant) {
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t at = 0;
        for (expr u; (u = squared_argument(p, list->items[i].key, EXPR_SIN, &at)) != EXPR_NONE;) {
            bool partner_possible = false; // does any term hold cos(u)^2 at all?
            for (uint32_t j = 0; j < list->count && !partner_possible; j++) {
                uint32_t start = 0;
                for (expr v; (v = squared_argument(p, list->items[j].key, EXPR_COS, &start)) != EXPR_NONE;)
                    if (v == u) partner_possible = true;
            }
            if (!partner_possible) continue;
            const expr term = list->items[i].key;
            const expr sine = expr_function(p, EXPR_SIN, &u), cosine = expr_function(p, EXPR_COS, &u);
            const expr rest = expr_div(p, term, expr_square(p, sine));
            part *partner = parts_find(list, expr_mul(p, rest, expr_square(p, cosine)));
            if (!partner || !fmpq_equal(&partner->value, &list->items[i].value)) continue;
            fmpq_t c;
            fmpq_init(c);
            fmpq_set(c, &partner->value);
            fmpq_zero(&partner->value);
            fmpq_zero(&list->items[i].value);
            sum_gather(p, list, constant, c, rest);
            fmpq_clear(c);
            parts_collect(list);
            return true;
        }
    }
    return false;
}

static expr sum_finish(pool *p, parts *list, fmpq_t constant) {
    parts_collect(list);
    if (list->count > 1 && list->count <= TRIG_LIMIT)
        while (merge_one_trig_pair(p, list, constant)) {}
    expr e = sum_intern(p, list, constant);
    parts_free(list);
    fmpq_clear(constant);
    return e;
}

static expr combine(pool *p, uint32_t count, const fmpq *coefficients, const expr *terms) {
    parts list = {0};
    fmpq_t constant;
    fmpq_init(constant);
    for (uint32_t i = 0; i < count; i++) sum_gather(p, &list, constant, &coefficients[i], terms[i]);
    return sum_finish(p, &list, constant);
}

expr expr_sum(pool *p, uint32_t count, const expr *terms) {
    if (count == 1) return terms[0];
    parts list = {0};
    fmpq_t constant, one;
    fmpq_init(constant);
    fmpq_init(one);
    fmpq_one(one);
    for (uint32_t i = 0; i < count; i++) sum_gather(p, &list, constant, one, terms[i]);
    fmpq_clear(one);
    return sum_finish(p, &list, constant);
}

static expr scale(pool *p, const fmpq_t c, expr e) {
    if (fmpq_is_one(c)) return e;
    if (fmpq_is_zero(c)) return EXPR_ZERO;
    return combine(p, 1, c, &e);
}

static expr combine_two(pool *p, expr a, expr b, slong sign) {
    fmpq c[2];
    fmpq_init(&c[0]);
    fmpq_init(&c[1]);
    fmpq_one(&c[0]);
    fmpq_set_si(&c[1], sign, 1);
    expr e = combine(p, 2, c, (expr[]){a, b});
    fmpq_clear(&c[0]);
    fmpq_clear(&c[1]);
    return e;
}

expr expr_add(pool *p, expr a, expr b) {
    if (a == EXPR_ZERO) return b;
    if (b == EXPR_ZERO) return a;
    return combine_two(p, a, b, 1);
}

expr expr_sub(pool *p, expr a, expr b) { return b == EXPR_ZERO ? a : a == b ? EXPR_ZERO : combine_two(p, a, b, -1); }

expr expr_neg(pool *p, expr a) { return combine_two(p, EXPR_ZERO, a, -1); }

// --- products ----------------------------------------------------------------------------------------------------------------

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

// coefficient *= value^e for an integer e; 0^negative is kept as a factor and fails where it is evaluated.
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

// n^e for a positive integer n and a fraction e: whole powers of primes go to the coefficient, the rest stay as prime^(fraction).
static void gather_root(product *w, const fmpz_t n, const fmpq_t e) {
    enum { FACTOR_BITS = 64 };
    if (fmpz_is_one(n)) return;
    fmpz_factor_t primes;
    fmpz_factor_init(primes);
    if (fmpz_bits(n) <= FACTOR_BITS) fmpz_factor(primes, n);
    else _fmpz_factor_append(primes, n, 1);
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
    } else if (fmpq_sgn(value) <= 0) { // 0^(1/2) = 0; the root of a negative number fails where it is evaluated
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

// (b1^e1 * b2^e2 ...)^e. Distributes when e is an integer, and for a single odd power, whose root asks b1 > 0 anyway.
static void gather_product(product *w, expr base, const fmpq_t e) {
    const node n = *node_at(w->p, base);
    const expr *ops = operands_of(w->p, base);
    const bool single_odd =
        n.count == 2 && (!is_integer(number_at(w->p, ops[1])) || fmpz_is_odd(fmpq_numref(number_at(w->p, ops[1]))));
    if (!is_integer(e) && !single_odd) {
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

// The rational g > 0 with S/g primitive (coprime integer coefficients), negative if the first coefficient is.
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
    const expr rest = scale(w->p, inverse, base), number = expr_number(w->p, content);
    if (number != EXPR_ONE) gather_number(w, number, e);
    if (node_at(w->p, rest)->kind == EXPR_SUM) parts_add(&w->factors, rest, e);
    else product_gather(w, rest, e);
    fmpq_clear(content), fmpq_clear(inverse);
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

// A collected factor whose exponent has become such that it can be taken apart: 2^(1/2) * 2^(1/2), (x^2)^(1/2) squared.
static bool regather_one(product *w) {
    for (uint32_t i = 0; i < w->factors.count; i++) {
        const part item = w->factors.items[i];
        const uint16_t kind = node_at(w->p, item.key)->kind;
        const bool number = kind == EXPR_NUMBER && item.key != EXPR_ZERO && fmpq_sgn(number_at(w->p, item.key)) > 0 &&
                            (fmpq_sgn(&item.value) < 0 || fmpq_cmp_ui(&item.value, 1) >= 0);
        if (!number && !((kind == EXPR_PRODUCT || kind == EXPR_NUMBER) && is_integer(&item.value) && item.key != EXPR_ZERO))
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
    expr *ops = count <= sizeof small / sizeof *small ? small : memory_resize(NULL, sizeof(expr) * count);
    for (uint32_t i = 0; i < factors->count; i++) {
        ops[2 * i] = factors->items[i].key;
        ops[2 * i + 1] = expr_number(p, &factors->items[i].value);
    }
    expr e = pool_intern(p, EXPR_PRODUCT, 0, count, ops);
    if (ops != small) free(ops);
    return e;
}

static void product_init(product *w, pool *p) {
    *w = (product){.p = p};
    fmpq_init(w->coefficient);
    fmpq_one(w->coefficient);
}

static void gather_exponentials(product *w) {
    if (!w->exponent_terms.count) return;
    parts sum = {0};
    fmpq_t constant, one;
    fmpq_init(constant), fmpq_init(one);
    fmpq_one(one);
    for (uint32_t i = 0; i < w->exponent_terms.count; i++)
        sum_gather(w->p, &sum, constant, &w->exponent_terms.items[i].value, w->exponent_terms.items[i].key);
    const expr argument = sum_finish(w->p, &sum, constant);
    const expr e = expr_function(w->p, EXPR_EXP, &argument);
    if (e != EXPR_ONE) parts_add(&w->factors, e, one);
    fmpq_clear(one);
}

static expr product_finish(product *w) {
    gather_exponentials(w);
    parts_collect(&w->factors);
    while (regather_one(w)) {}
    expr e = fmpq_is_zero(w->coefficient) ? EXPR_ZERO : product_intern(w->p, &w->factors);
    e = scale(w->p, w->coefficient, e);
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
        expr e = scale(p, c, first ? b : a);
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
    if (COEFF_IS_MPZ(*fmpq_numref(e))) context_exhaust(p->ctx, (span){0}, "bits of a number raised to a power", NUMBER_BITS);
    else product_gather(&w, base, e);
    fmpq_clear(e);
    return product_finish(&w);
}

expr expr_div(pool *p, expr a, expr b) { return b == EXPR_ONE ? a : expr_mul(p, a, expr_pow(p, b, EXPR_MINUS_ONE)); }
expr expr_square(pool *p, expr a) { return expr_pow(p, a, EXPR_TWO); }
expr expr_sqrt(pool *p, expr a) { return expr_pow(p, a, EXPR_HALF); }

expr expr_dot(pool *p, uint32_t count, const expr *a, const expr *b) {
    expr small[MERGE_LIMIT];
    expr *terms = count <= MERGE_LIMIT ? small : memory_resize(NULL, sizeof(expr) * count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != EXPR_ZERO && b[i] != EXPR_ZERO) terms[kept++] = expr_mul(p, a[i], b[i]);
    expr e = kept ? expr_sum(p, kept, terms) : EXPR_ZERO;
    if (terms != small) free(terms);
    return e;
}
