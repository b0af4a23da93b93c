// The rules of the pool against Arb: an expression is made together with its value, which no rule
// of the pool has touched; and every derivative is the limit of a quotient of differences.
#include "support/support.h"

#include "print/expression.h"

#include <stdlib.h>

enum {
    SYMBOLS = 4,
    BITS = 400,
    STEP = -100,
    NEARLY = -150
}; // quotients have the step 2^STEP and errors like 2^(2 STEP)

typedef struct {
    world w;
    uint64_t random;
    expr symbol[SYMBOLS + 3]; // x, y, t, a, and the rates of the first three
    arb_ptr value;            // of all symbols, by their number
} calculus;

static void open_calculus(calculus *c, uint64_t seed) {
    c->w = world_open();
    c->random = seed;
    pool *p = c->w.p;
    c->symbol[0] = expr_symbol(p, "x", ROLE_COORDINATE),
    c->symbol[1] = expr_symbol(p, "y", ROLE_COORDINATE);
    c->symbol[2] = expr_symbol(p, "t", ROLE_TIME),
    c->symbol[3] = expr_symbol(p, "a", ROLE_PARAMETER);
    c->symbol[4] = expr_symbol_derivative(p, c->symbol[0]),
    c->symbol[5] = expr_symbol_derivative(p, c->symbol[1]);
    c->symbol[6] = EXPR_NONE;
    c->value = _arb_vec_init(pool_symbol_count(p));
    for (uint32_t i = 0; i < pool_symbol_count(p); i++)
        arb_set_d(c->value + i, random_between(&c->random, 0.3, 1.9));
}

static void close_calculus(calculus *c) {
    _arb_vec_clear(c->value, pool_symbol_count(c->w.p));
    world_close(&c->w);
}

static arb_ptr value_of(calculus *c, expr symbol) {
    return c->value + expr_symbol_index(c->w.p, symbol);
}

static bool are_near(const arb_t a, const arb_t b) {
    arb_t gap, scale;
    arb_init(gap), arb_init(scale);
    arb_sub(gap, a, b, BITS);
    arb_abs(scale, a);
    arb_add_ui(scale, scale, 1, BITS);
    arb_div(gap, gap, scale, BITS);
    mag_t size;
    mag_init(size);
    arb_get_mag(size, gap);
    const bool near = arb_is_finite(gap) && mag_cmp_2exp_si(size, NEARLY) < 0;
    mag_clear(size);
    arb_clear(gap), arb_clear(scale);
    return near;
}

// --- an expression and its value -----------------------------------------------------------------

typedef struct {
    expr e;
    arb_t v;
} twin;

static const expr_kind FUNCTIONS[] = {EXPR_SIN,  EXPR_COS,  EXPR_TAN,  EXPR_ASIN, EXPR_ACOS,
                                      EXPR_ATAN, EXPR_SINH, EXPR_COSH, EXPR_TANH, EXPR_EXP,
                                      EXPR_LOG,  EXPR_ABS,  EXPR_SIGN};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS };

static void apply(arb_t f, expr_kind kind, const arb_t x) {
    switch (kind) {
    case EXPR_SIN: arb_sin(f, x, BITS); break;
    case EXPR_COS: arb_cos(f, x, BITS); break;
    case EXPR_TAN: arb_tan(f, x, BITS); break;
    case EXPR_ASIN: arb_asin(f, x, BITS); break;
    case EXPR_ACOS: arb_acos(f, x, BITS); break;
    case EXPR_ATAN: arb_atan(f, x, BITS); break;
    case EXPR_SINH: arb_sinh(f, x, BITS); break;
    case EXPR_COSH: arb_cosh(f, x, BITS); break;
    case EXPR_TANH: arb_tanh(f, x, BITS); break;
    case EXPR_EXP: arb_exp(f, x, BITS); break;
    case EXPR_LOG: arb_log(f, x, BITS); break;
    case EXPR_ABS: arb_abs(f, x); break;
    case EXPR_SIGN: arb_sgn(f, x); break;
    default: arb_indeterminate(f);
    }
}

static uint32_t below(calculus *c, uint32_t n) { return (uint32_t)(random_next(&c->random) % n); }

// Small numbers, multiples of pi/12, symbols, and sums of them.
static void plant(calculus *c, twin *out) {
    pool *p = c->w.p;
    const slong k = (slong)below(c, 25) - 12;
    arb_init(out->v);
    switch (below(c, 5)) {
    case 0:
        out->e = expr_rational(p, k, 1 + below(c, 6));
        arb_set_fmpq(out->v, expr_number_value(p, out->e), BITS);
        return;
    case 1:
        out->e = expr_mul(p, expr_rational(p, k, 12), expr_pi(p));
        arb_const_pi(out->v, BITS);
        arb_mul_si(out->v, out->v, k, BITS), arb_div_si(out->v, out->v, 12, BITS);
        return;
    default: out->e = c->symbol[below(c, SYMBOLS)]; arb_set(out->v, value_of(c, out->e));
    }
}

static const struct {
    slong above, below;
} POWERS[] = {{2, 1}, {-1, 1}, {3, 1}, {1, 2}, {-1, 2}, {3, 2}, {1, 3}, {-2, 1}, {2, 3}};

// k sin(u)^2 + l cos(u)^2, which is a number where k = l
static void sum_of_squares(calculus *c, const twin *u, twin *out) {
    pool *p = c->w.p;
    const slong k = 1 + (slong)below(c, 2), l = 1 + (slong)below(c, 2);
    const expr s = expr_function(p, EXPR_SIN, &u->e), o = expr_function(p, EXPR_COS, &u->e);
    out->e = expr_add(p, expr_mul(p, expr_int(p, k), expr_square(p, s)),
                      expr_mul(p, expr_int(p, l), expr_square(p, o)));
    arb_t cosine;
    arb_init(cosine);
    arb_sin_cos(out->v, cosine, u->v, BITS);
    arb_sqr(out->v, out->v, BITS), arb_sqr(cosine, cosine, BITS);
    arb_mul_si(out->v, out->v, k, BITS), arb_addmul_si(out->v, cosine, l, BITS);
    arb_clear(cosine);
}

static void grow(calculus *c, int depth, twin *out) {
    pool *p = c->w.p;
    if (depth == 0) {
        plant(c, out);
        return;
    }
    twin a, b;
    grow(c, depth - 1, &a), grow(c, depth - 1 - (int)below(c, (uint32_t)depth), &b);
    arb_init(out->v);
    const uint32_t choice = below(c, 13), which = below(c, sizeof POWERS / sizeof *POWERS);
    const expr_kind kind = FUNCTIONS[below(c, FUNCTION_COUNT)];
    const expr exponent = expr_rational(p, POWERS[which].above, (uint32_t)POWERS[which].below);
    const expr both[2] = {a.e, b.e};
    switch (choice) {
    case 0: out->e = expr_add(p, a.e, b.e), arb_add(out->v, a.v, b.v, BITS); break;
    case 1: out->e = expr_sub(p, a.e, b.e), arb_sub(out->v, a.v, b.v, BITS); break;
    case 2:
    case 3: out->e = expr_mul(p, a.e, b.e), arb_mul(out->v, a.v, b.v, BITS); break;
    case 4: out->e = expr_div(p, a.e, b.e), arb_div(out->v, a.v, b.v, BITS); break;
    case 5: out->e = expr_function(p, EXPR_ATAN2, both), arb_atan2(out->v, a.v, b.v, BITS); break;
    case 6: out->e = expr_min(p, a.e, b.e), arb_min(out->v, a.v, b.v, BITS); break;
    case 7: out->e = expr_max(p, a.e, b.e), arb_max(out->v, a.v, b.v, BITS); break;
    case 8:
    case 9:
        out->e = expr_pow(p, a.e, exponent);
        if (POWERS[which].below == 1)
            arb_pow_fmpq(out->v, a.v, expr_number_value(p, exponent), BITS);
        else if (arb_is_positive(a.v))
            arb_pow_fmpq(out->v, a.v, expr_number_value(p, exponent), BITS);
        // of the root of what may be negative the pool promises nothing
        else arb_indeterminate(out->v);
        break;
    case 10: sum_of_squares(c, &a, out); break;
    default: out->e = expr_function(p, kind, &a.e), apply(out->v, kind, a.v);
    }
    if (!arb_is_finite(a.v) || !arb_is_finite(b.v)) arb_indeterminate(out->v);
    arb_clear(a.v), arb_clear(b.v);
}

static void what_the_pool_makes_of_an_expression_has_its_value(void **unused) {
    (void)unused;
    enum { TRIALS = 20000 };
    uint32_t compared = 0, lost = 0;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        calculus c;
        open_calculus(&c, seed);
        twin f;
        grow(&c, 1 + (int)(seed % 4), &f);
        arb_t made;
        arb_init(made);
        expr_value_arb(c.w.p, f.e, c.value, BITS, made);
        const bool known = arb_is_finite(f.v) && arb_rel_accuracy_bits(f.v) > BITS / 2;
        const bool sharp =
            arb_is_finite(made) && (arb_rel_accuracy_bits(made) > BITS / 2 || are_near(f.v, made));
        compared += known && sharp;
        lost += known && !sharp; // at the edge of a domain, as asin of what is 1 in another way
        if (known && arb_is_finite(made)) {
            if (!arb_overlaps(f.v, made)) {
                text words = {0};
                print_expression(c.w.p, f.e, STYLE_TEXT, &words);
                fail_msg("seed %d: %s is %s, not %s", (int)seed, text_string(&words),
                         arb_get_str(made, 20, 0), arb_get_str(f.v, 20, 0));
            }
        }
        arb_clear(made), arb_clear(f.v);
        close_calculus(&c);
    }
    assert_true(compared > TRIALS / 3 && lost < TRIALS / 1000);
}

// --- derivatives ---------------------------------------------------------------------------------

// (f(s + h) - f(s - h))/2h for h = 2^STEP along `direction`, by symbols; EXPR_NONE ends the list.
static void quotient(calculus *c, expr f, const expr *symbol, arb_srcptr direction, arb_t out) {
    arb_t side[2], h;
    arb_init(side[0]), arb_init(side[1]), arb_init(h);
    arb_ptr kept = _arb_vec_init(pool_symbol_count(c->w.p));
    for (int i = 0; i < 2; i++) {
        _arb_vec_set(kept, c->value, pool_symbol_count(c->w.p));
        for (int j = 0; symbol[j] != EXPR_NONE; j++) {
            arb_mul_2exp_si(h, direction + j, STEP);
            if (i) arb_neg(h, h);
            arb_add(kept + expr_symbol_index(c->w.p, symbol[j]),
                    kept + expr_symbol_index(c->w.p, symbol[j]), h, BITS);
        }
        expr_value_arb(c->w.p, f, kept, BITS, side[i]);
    }
    arb_sub(out, side[0], side[1], BITS);
    arb_mul_2exp_si(out, out, -STEP - 1);
    _arb_vec_clear(kept, pool_symbol_count(c->w.p));
    arb_clear(side[0]), arb_clear(side[1]), arb_clear(h);
}

// df/dx, and df/dt along the motion x -> x + x' s, y -> y + y' s, t -> t + s. False
// where there is nothing to compare.
static bool has_its_derivatives(calculus *c, expr f) {
    pool *p = c->w.p;
    arb_t wanted, found, forward;
    arb_ptr direction = _arb_vec_init(3);
    arb_init(wanted), arb_init(found), arb_init(forward);
    const expr rate = expr_ddt(p, f), slope = expr_diff(p, f, c->symbol[0]);
    arb_one(direction);
    quotient(c, f, (expr[]){c->symbol[0], EXPR_NONE}, direction, wanted);
    expr_value_arb(p, slope, c->value, BITS, found);
    expr_value_arb(p, expr_partial(p, f, c->symbol[0]), c->value, BITS, forward);
    if (arb_is_finite(found)) assert_true(arb_overlaps(found, forward));
    bool compared =
        arb_is_finite(wanted) && arb_is_finite(found) && arb_rel_accuracy_bits(wanted) > 160;
    if (compared) assert_true(are_near(wanted, found));
    arb_set(direction, value_of(c, c->symbol[4])),
        arb_set(direction + 1, value_of(c, c->symbol[5]));
    arb_one(direction + 2);
    quotient(c, f, (expr[]){c->symbol[0], c->symbol[1], c->symbol[2], EXPR_NONE}, direction,
             wanted);
    expr_value_arb(p, rate, c->value, BITS, found);
    const bool moving =
        arb_is_finite(wanted) && arb_is_finite(found) && arb_rel_accuracy_bits(wanted) > 160;
    if (moving) assert_true(are_near(wanted, found));
    arb_clear(wanted), arb_clear(found), arb_clear(forward);
    _arb_vec_clear(direction, 3);
    return compared && moving;
}

static void each_function_has_its_derivative(void **unused) {
    (void)unused;
    for (int i = 0; i < FUNCTION_COUNT + 4; i++) {
        uint32_t compared = 0;
        for (int side = 0; side < 2; side++) { // u = (x - 2 y + t a)/9, between -1 and 1, and -u
            calculus c;
            open_calculus(&c, 99);
            pool *p = c.w.p;
            expr u = expr_sum(p, 3,
                              (expr[]){c.symbol[0], expr_mul(p, expr_int(p, -2), c.symbol[1]),
                                       expr_mul(p, c.symbol[2], c.symbol[3])});
            u = expr_mul(p, expr_rational(p, side ? -1 : 1, 9), u);
            const expr one_more = expr_add(p, expr_int(p, 3), u), y_u[2] = {c.symbol[1], u},
                       u_y[2] = {u, c.symbol[1]};
            const expr f = i < FUNCTION_COUNT        ? expr_function(p, FUNCTIONS[i], &u)
                           : i == FUNCTION_COUNT     ? expr_pow(p, one_more, c.symbol[1])
                           : i == FUNCTION_COUNT + 1 ? expr_pow(p, c.symbol[1], one_more)
                           : i == FUNCTION_COUNT + 2 ? expr_function(p, EXPR_ATAN2, y_u)
                                                     : expr_function(p, EXPR_ATAN2, u_y);
            compared += has_its_derivatives(&c, f);
            close_calculus(&c);
        }
        const bool defined_once = i < FUNCTION_COUNT && FUNCTIONS[i] == EXPR_LOG;
        // nothing to be accurate about
        const bool constant = i < FUNCTION_COUNT && FUNCTIONS[i] == EXPR_SIGN;
        if (!constant) assert_int_equal(compared, defined_once ? 1 : 2);
    }
}

static void random_expressions_have_their_derivatives(void **unused) {
    (void)unused;
    enum { TRIALS = 800 };
    uint32_t compared = 0;
    for (uint64_t seed = 1; seed <= TRIALS; seed++) {
        calculus c;
        open_calculus(&c, seed + 10000);
        twin f;
        grow(&c, 1 + (int)(seed % 4), &f);
        compared += has_its_derivatives(&c, f.e);
        arb_clear(f.v);
        close_calculus(&c);
    }
    assert_true(compared > TRIALS / 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_pool_makes_of_an_expression_has_its_value),
        cmocka_unit_test(each_function_has_its_derivative),
        cmocka_unit_test(random_expressions_have_their_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
