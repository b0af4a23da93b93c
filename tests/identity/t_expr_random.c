// Random expressions: derivatives, substitution and the three evaluators against each
// other and against laws of calculus.
#include "expr/pool_internal.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

enum { SYMBOLS = 4, MODELS = 300 };

typedef struct {
    world w;
    expr q[SYMBOLS];
    uint64_t random;
} zoo;

static void zoo_open(zoo *z, uint64_t seed) {
    static const char *const names[SYMBOLS] = {"x", "y", "z", "u"};
    z->w = world_open();
    z->random = seed;
    for (int i = 0; i < SYMBOLS; i++) z->q[i] = expr_symbol(z->w.p, names[i], ROLE_COORDINATE);
}

static uint32_t below(zoo *z, uint32_t n) { return (uint32_t)(random_next(&z->random) % n); }

// A random expression, smooth and defined for all values of the symbols.
static expr grow(zoo *z, int depth) {
    pool *p = z->w.p;
    if (depth == 0) {
        if (below(z, 4) == 0) return expr_rational(p, (int64_t)below(z, 9) - 4, 1 + below(z, 4));
        return z->q[below(z, SYMBOLS)];
    }
    const expr a = grow(z, depth - 1), b = grow(z, depth - 1 - (int)below(z, (uint32_t)depth));
    switch (below(z, 8)) {
    case 0: return expr_add(p, a, b);
    case 1: return expr_sub(p, a, b);
    case 2: return expr_mul(p, a, b);
    case 3: return expr_function(p, EXPR_SIN, &a);
    case 4: return expr_function(p, EXPR_COS, &a);
    case 5: return expr_div(p, a, expr_add(p, EXPR_TWO, expr_function(p, EXPR_COS, &b)));
    case 6: return expr_sqrt(p, expr_add(p, EXPR_ONE, expr_square(p, a)));
    default: return expr_square(p, a);
    }
}

static void the_gradient_agrees_with_a_forward_sweep_in_each_variable(void **s) {
    (void)s;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        zoo z;
        zoo_open(&z, seed);
        const expr f = grow(&z, 4), one = EXPR_ONE;
        expr gradient[SYMBOLS];
        expr_gradient(z.w.p, f, SYMBOLS, z.q, gradient);
        for (int i = 0; i < SYMBOLS; i++) {
            expr forward;
            expr_pushforward(z.w.p, 1, &z.q[i], &one, 1, &f, &forward);
            assert_true(same_function(z.w.p, gradient[i], forward));
        }
        world_close(&z.w);
    }
}

// Several functions that share parts, symbols in turn: what one call leaves behind serves the next.
static void remembered_derivatives_agree_with_the_gradient(void **s) {
    (void)s;
    enum { FUNCTIONS = 4 };
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        zoo z;
        zoo_open(&z, seed + 500);
        expr f = grow(&z, 3), gradient[SYMBOLS];
        for (int k = 0; k < FUNCTIONS; k++) {
            expr_gradient(z.w.p, f, SYMBOLS, z.q, gradient);
            for (int i = 0; i < SYMBOLS; i++) {
                const expr partial = expr_partial(z.w.p, f, z.q[i]);
                assert_true(same_function(z.w.p, gradient[i], partial));
                if (i == k) pool_forget_partials(z.w.p); // as where too many are remembered
                assert_int_equal(expr_partial(z.w.p, f, z.q[i]), partial);
            }
            f = expr_mul(z.w.p, expr_add(z.w.p, f, grow(&z, 2)), gradient[k % SYMBOLS]);
        }
        world_close(&z.w);
    }
}

static void the_time_derivative_is_the_chain_rule(void **s) {
    (void)s;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        zoo z;
        zoo_open(&z, seed + 1000);
        const expr f = grow(&z, 4), g = grow(&z, 3);
        expr gradient[SYMBOLS], rate[SYMBOLS];
        expr_gradient(z.w.p, f, SYMBOLS, z.q, gradient);
        for (int i = 0; i < SYMBOLS; i++) rate[i] = expr_symbol_derivative(z.w.p, z.q[i]);
        assert_true(
            same_function(z.w.p, expr_ddt(z.w.p, f), expr_dot(z.w.p, SYMBOLS, gradient, rate)));
        const expr leibniz = expr_add(z.w.p, expr_mul(z.w.p, expr_ddt(z.w.p, f), g),
                                      expr_mul(z.w.p, f, expr_ddt(z.w.p, g)));
        assert_true(same_function(z.w.p, expr_ddt(z.w.p, expr_mul(z.w.p, f, g)), leibniz));
        world_close(&z.w);
    }
}

static void substitution_commutes_with_evaluation(void **s) {
    (void)s;
    static const double TOLERANCE = 1e-9; // doubles through a few dozen operations, scaled
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        zoo z;
        zoo_open(&z, seed + 2000);
        const expr f = grow(&z, 3), g = grow(&z, 2);
        const expr replaced = expr_replace(z.w.p, f, 1, &z.q[0], &g);
        double at[SYMBOLS], there[SYMBOLS];
        for (int i = 0; i < SYMBOLS; i++) at[i] = there[i] = random_between(&z.random, -2, 2);
        there[0] = expr_value(z.w.p, g, at);
        const double a = expr_value(z.w.p, replaced, at), b = expr_value(z.w.p, f, there);
        assert_true(fabs(a - b) <= TOLERANCE * (1 + fabs(a)) || !isfinite(a));
        world_close(&z.w);
    }
}

static void balls_at_points_agree_with_doubles(void **s) {
    (void)s;
    uint32_t finite = 0;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        zoo z;
        zoo_open(&z, seed + 3000);
        const expr f = grow(&z, 4);
        double at[SYMBOLS];
        arb_ptr ball = _arb_vec_init(SYMBOLS);
        for (int i = 0; i < SYMBOLS; i++)
            arb_set_d(ball + i, at[i] = random_between(&z.random, -2, 2));
        arb_t value, machine;
        arb_init(value), arb_init(machine);
        expr_value_arb(z.w.p, f, ball, 200, value);
        const double d = expr_value(z.w.p, f, at);
        arb_set_d(machine, d);
        arb_sub(machine, machine, value, 200);
        finite += isfinite(d);
        assert_true(!isfinite(d) || fabs(ball_middle(machine)) <= 1e-9 * (1 + fabs(d)));
        assert_true(arb_rel_accuracy_bits(value) > 100 || arb_contains_zero(value));
        arb_clear(value), arb_clear(machine);
        _arb_vec_clear(ball, SYMBOLS);
        world_close(&z.w);
    }
    assert_true(finite > MODELS / 2);
}

// The value over balls of radius 1/64 and with few bits, against values at exact points of these
// balls with many bits: the middle and some at the rim.
static void balls_enclose_the_values_of_all_their_points(void **s) {
    (void)s;
    enum { FEW_BITS = 30, MANY_BITS = 300, POINTS = 8 };
    uint32_t enclosed = 0;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        zoo z;
        zoo_open(&z, seed + 5000);
        const expr f = grow(&z, 4);
        arb_ptr ball = _arb_vec_init(SYMBOLS), point = _arb_vec_init(SYMBOLS);
        arb_t wide, fine;
        arb_init(wide), arb_init(fine);
        for (int i = 0; i < SYMBOLS; i++) {
            arb_set_d(ball + i, random_between(&z.random, -2, 2));
            mag_set_d(arb_radref(ball + i), 1.0 / 64);
        }
        expr_value_arb(z.w.p, f, ball, FEW_BITS, wide);
        for (int k = 0; k < POINTS; k++) {
            for (int i = 0; i < SYMBOLS; i++) {
                const double step = k == 0                                  ? 0
                                    : random_between(&z.random, 0, 1) < 0.5 ? -1.0 / 64
                                                                            : 1.0 / 64;
                arb_set_d(fine, step);
                arf_add(arb_midref(point + i), arb_midref(ball + i), arb_midref(fine),
                        ARF_PREC_EXACT, ARF_RND_DOWN);
            }
            expr_value_arb(z.w.p, f, point, MANY_BITS, fine);
            // of two balls that hold one number
            if (arb_is_finite(fine)) assert_true(arb_overlaps(wide, fine));
            enclosed += arb_is_finite(wide) && arb_is_finite(fine);
        }
        arb_clear(wide), arb_clear(fine);
        _arb_vec_clear(ball, SYMBOLS), _arb_vec_clear(point, SYMBOLS);
        world_close(&z.w);
    }
    assert_true(enclosed > MODELS * POINTS / 2);
}

static void a_near_identity_is_told_from_an_identity(void **s) {
    (void)s;
    for (uint64_t seed = 1; seed <= MODELS; seed++) { // the comparison used by these tests can fail
        zoo z;
        zoo_open(&z, seed + 4000);
        const expr f = grow(&z, 4), tiny = expr_rational(z.w.p, 1, 1000000007);
        const expr near = expr_add(z.w.p, f, expr_mul(z.w.p, tiny, z.q[seed % SYMBOLS]));
        assert_false(same_function(z.w.p, f, near));
        world_close(&z.w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gradient_agrees_with_a_forward_sweep_in_each_variable),
        cmocka_unit_test(remembered_derivatives_agree_with_the_gradient),
        cmocka_unit_test(the_time_derivative_is_the_chain_rule),
        cmocka_unit_test(substitution_commutes_with_evaluation),
        cmocka_unit_test(balls_at_points_agree_with_doubles),
        cmocka_unit_test(balls_enclose_the_values_of_all_their_points),
        cmocka_unit_test(a_near_identity_is_told_from_an_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
