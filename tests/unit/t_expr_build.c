// The local canonical form of sums, products, powers and functions.
#include "support/support.h"

static void equal_expressions_are_the_same_node(void **s) {
    (void)s;
    world w = world_open();
    pool *p = w.p;
    const expr x = expr_symbol(p, "x", ROLE_COORDINATE), y = expr_symbol(p, "y", ROLE_COORDINATE);
    assert_int_equal(expr_add(p, x, y), expr_add(p, y, x));
    assert_int_equal(expr_mul(p, x, y), expr_mul(p, y, x));
    assert_int_equal(expr_add(p, x, x), expr_mul(p, EXPR_TWO, x));
    assert_int_equal(expr_mul(p, x, x), expr_square(p, x));
    assert_int_equal(expr_sub(p, expr_add(p, x, y), y), x);
    assert_int_equal(expr_div(p, expr_mul(p, x, y), y), x);
    world_close(&w);
}

static void numbers_are_exact_and_of_any_size(void **s) {
    (void)s;
    world w = world_open();
    pool *p = w.p;
    const expr third = expr_rational(p, 1, 3);
    assert_int_equal(expr_add(p, third, expr_add(p, third, third)), EXPR_ONE);
    const expr big = expr_pow(p, expr_int(p, 7), expr_int(p, 1000));
    assert_int_equal(expr_div(p, big, expr_pow(p, expr_int(p, 7), expr_int(p, 999))),
                     expr_int(p, 7));
    world_close(&w);
}

static void sine_and_cosine_squared_make_one(void **s) {
    (void)s;
    world w = world_open();
    pool *p = w.p;
    const expr x = expr_symbol(p, "x", ROLE_COORDINATE), m = expr_symbol(p, "m", ROLE_PARAMETER);
    const expr s2 = expr_square(p, expr_function(p, EXPR_SIN, &x)),
               c2 = expr_square(p, expr_function(p, EXPR_COS, &x));
    assert_int_equal(expr_add(p, expr_mul(p, m, s2), expr_mul(p, m, c2)), m);
    assert_int_equal(expr_add(p, s2, c2), EXPR_ONE);
    assert_int_not_equal(expr_add(p, s2, expr_mul(p, m, c2)), EXPR_ONE);
    world_close(&w);
}

static void roots_are_taken_only_where_they_are_right(void **s) {
    (void)s;
    world w = world_open();
    pool *p = w.p;
    const expr x = expr_symbol(p, "x", ROLE_COORDINATE);
    assert_int_not_equal(expr_sqrt(p, expr_square(p, x)), x); // |x|, not x
    assert_int_equal(expr_square(p, expr_sqrt(p, x)), x);
    assert_int_equal(expr_sqrt(p, expr_rational(p, 4, 9)), expr_rational(p, 2, 3));
    assert_int_equal(expr_mul(p, expr_sqrt(p, EXPR_TWO), expr_sqrt(p, EXPR_TWO)), EXPR_TWO);
    assert_int_equal(expr_sqrt(p, expr_int(p, 12)),
                     expr_mul(p, EXPR_TWO, expr_sqrt(p, expr_int(p, 3))));
    world_close(&w);
}

static void exponentials_under_roots_are_not_lost(void **s) {
    (void)s;
    world w = world_open();
    pool *p = w.p;
    const expr x = expr_symbol(p, "x", ROLE_COORDINATE), y = expr_symbol(p, "y", ROLE_COORDINATE);
    const expr exponential = expr_function(p, EXPR_EXP, &y), product = expr_mul(p, x, exponential);
    const expr root = expr_sqrt(p, product), third = expr_pow(p, product, expr_rational(p, 1, 3));
    assert_int_equal(expr_mul(p, root, root), product);
    assert_int_equal(expr_product(p, 3, (expr[]){third, third, third}), product);
    assert_int_equal(expr_div(p, expr_mul(p, root, root), exponential), x);
    assert_int_equal(expr_product(p, 3, (expr[]){exponential, root, root}),
                     expr_mul(p, exponential, product));
    world_close(&w);
}

static void functions_know_their_values_at_multiples_of_pi(void **s) {
    (void)s;
    world w = world_open();
    pool *p = w.p;
    const expr pi = expr_pi(p), x = expr_symbol(p, "x", ROLE_COORDINATE);
    expr u = expr_div(p, pi, expr_int(p, 6));
    assert_int_equal(expr_function(p, EXPR_SIN, &u), EXPR_HALF);
    u = expr_mul(p, expr_int(p, 7), pi);
    assert_int_equal(expr_function(p, EXPR_COS, &u), EXPR_MINUS_ONE);
    u = expr_add(p, x, expr_div(p, pi, EXPR_TWO));
    assert_int_equal(expr_function(p, EXPR_SIN, &u), expr_function(p, EXPR_COS, &x));
    u = expr_neg(p, x);
    assert_int_equal(expr_function(p, EXPR_SIN, &u), expr_neg(p, expr_function(p, EXPR_SIN, &x)));
    assert_int_equal(expr_function(p, EXPR_COS, &u), expr_function(p, EXPR_COS, &x));
    world_close(&w);
}

static void substitution_reaches_the_arguments_of_abstract_functions(void **s) {
    (void)s;
    world w = world_open();
    pool *p = w.p;
    const expr x = expr_symbol(p, "x", ROLE_COORDINATE), y = expr_symbol(p, "y", ROLE_COORDINATE),
               sum = expr_add(p, y, EXPR_ONE);
    const uint32_t f = pool_function(p, "f", 2);
    const expr before = expr_apply(p, f, 2, (expr[]){x, y}),
               after = expr_apply(p, f, 2, (expr[]){sum, y});
    assert_int_equal(expr_replace(p, before, 1, &x, &sum), after);
    assert_int_equal(expr_replace(p, expr_mul(p, x, before), 1, &x, &sum), expr_mul(p, sum, after));
    assert_int_equal(expr_replace(p, expr_pow(p, x, y), 1, &x, &sum), expr_pow(p, sum, y));
    world_close(&w);
}

static void degrees_are_those_of_polynomials(void **s) {
    (void)s;
    world w = world_open();
    pool *p = w.p;
    const expr x = expr_symbol(p, "x", ROLE_COORDINATE), y = expr_symbol(p, "y", ROLE_COORDINATE),
               a = expr_symbol(p, "a", ROLE_PARAMETER), xy[2] = {x, y};
    const uint32_t weight[2] = {1, 2};
    const expr cube = expr_pow(p, x, expr_int(p, 3)), under = expr_div(p, y, x);
    const expr sum = expr_add(p, expr_mul(p, cube, y), expr_mul(p, a, expr_square(p, y)));
    assert_int_equal(expr_degree(p, sum, 2, xy, NULL), 4);
    assert_int_equal(expr_degree(p, sum, 2, xy, weight), 5);
    assert_int_equal(expr_degree(p, sum, 1, &y, NULL), 2);
    assert_int_equal(expr_degree(p, sum, 1, &a, NULL), 1);
    assert_int_equal(expr_degree(p, under, 1, &y, NULL), 1);
    assert_int_equal(expr_degree(p, under, 1, &x, NULL), EXPR_NOT_POLYNOMIAL);
    assert_int_equal(expr_degree(p, expr_sqrt(p, x), 1, &x, NULL), EXPR_NOT_POLYNOMIAL);
    assert_int_equal(expr_degree(p, expr_function(p, EXPR_SIN, &x), 1, &x, NULL),
                     EXPR_NOT_POLYNOMIAL);
    assert_int_equal(expr_degree(p, expr_function(p, EXPR_SIN, &x), 1, &y, NULL), 0);
    world_close(&w);
}

static void a_power_that_would_fill_memory_ends_in_the_limit(void **s) {
    (void)s;
    world w = world_open();
    pool *p = w.p;
    expr_pow(p, EXPR_TWO, expr_int(p, 1000000000));
    assert_int_equal(context_status(w.ctx), HAMEL_LIMIT);
    assert_non_null(w.ctx->exhausted);
    world_close(&w);
}

static void the_node_limit_is_sticky_and_harmless(void **s) {
    (void)s;
    world w = world_open();
    pool *p = w.p;
    w.ctx->limits.nodes = 1000;
    expr sum = EXPR_ZERO, x = expr_symbol(p, "x", ROLE_COORDINATE);
    for (int i = 1; i < 5000; i++) {
        sum = expr_add(p, expr_function(p, EXPR_EXP, &sum), expr_mul(p, expr_int(p, i), x));
        expr_ddt(p, sum);
    }
    assert_int_equal(context_status(w.ctx), HAMEL_LIMIT);
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_expressions_are_the_same_node),
        cmocka_unit_test(numbers_are_exact_and_of_any_size),
        cmocka_unit_test(sine_and_cosine_squared_make_one),
        cmocka_unit_test(roots_are_taken_only_where_they_are_right),
        cmocka_unit_test(exponentials_under_roots_are_not_lost),
        cmocka_unit_test(functions_know_their_values_at_multiples_of_pi),
        cmocka_unit_test(substitution_reaches_the_arguments_of_abstract_functions),
        cmocka_unit_test(degrees_are_those_of_polynomials),
        cmocka_unit_test(a_power_that_would_fill_memory_ends_in_the_limit),
        cmocka_unit_test(the_node_limit_is_sticky_and_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
