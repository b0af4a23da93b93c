// Factors of expressions and common factors of rows, also where sines and cosines hide them. The
// second route is arithmetic: at random numbers the product of the factors must be the
// expression, up to one number for all of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "expr/program.h"
#include "normal/normal.h"
#include "unit/t_normal_words.h"

#include <math.h>

enum { LOOKS = 5 };

static double value_at(reader_of_words *r, expr e, uint64_t seed) {
    const uint32_t count = pool_symbol_count(r->p);
    double *at = malloc(sizeof(double) * (count + 1));
    for (uint32_t i = 0; i < count; i++) at[i] = 0.2 + (double)(random_next(&seed) >> 11) * 0x1p-53;
    const double value = expr_value(r->p, e, at);
    free(at);
    return value;
}

// e = c * product of the factors, with the same c everywhere
static void has_factors(reader_of_words *r, const char *text, uint32_t count, uint64_t highest) {
    const normal_budget b = normal_budget_default();
    const expr e = words_read(r, text);
    normal_factor f[NORMAL_MOST_FACTORS];
    const uint32_t found = normal_factors(r->p, e, &b, f);
    assert_int_equal(found, count);
    expr product = EXPR_ONE;
    uint64_t power = 0;
    for (uint32_t i = 0; i < found; i++) {
        product =
            expr_mul(r->p, product, expr_pow(r->p, f[i].base, expr_int(r->p, (int64_t)f[i].power)));
        if (f[i].power > power) power = f[i].power;
    }
    assert_int_equal(power, highest);
    const double first = value_at(r, e, 1) / value_at(r, product, 1);
    assert_true(isfinite(first) && first != 0);
    for (uint64_t look = 2; look <= LOOKS; look++) {
        const double ratio = value_at(r, e, look) / value_at(r, product, look);
        assert_true(fabs(ratio - first) <= 1e-12 * fabs(first));
    }
}

static void products_fall_apart(void **state) {
    has_factors(*state, "(x' - y')*z'", 2, 1);
    has_factors(*state, "x'*z' - y'*z'", 2, 1);
    has_factors(*state, "x'^2 - a^2*y'^2", 2, 1);
    has_factors(*state, "x'^2 + y'^2", 1, 1);
    has_factors(*state, "a*(z' - y*x')", 2, 1);
    has_factors(*state, "z' - y*x'", 1, 1);
}

static void powers_are_counted(void **state) {
    has_factors(*state, "(x' - y')^2", 1, 2);
    has_factors(*state, "x'^2 - 2*x'*y' + y'^2", 1, 2);
    has_factors(*state, "(x' - y')^3*z'^2", 2, 3);
}

static void sines_and_cosines_are_split_by_half_their_angles(void **state) {
    has_factors(*state, "sin(phi)*(x' - y')", 2, 1);
    has_factors(*state, "sin(phi)^2*x'^2 - cos(phi)^2*y'^2", 2, 1);
    has_factors(*state, "sin(phi)^2*x'^2 - 2*sin(phi)*cos(phi)*x'*y' + cos(phi)^2*y'^2", 1, 2);
    has_factors(*state, "(1 - cos(phi))*x' + sin(phi)*y'", 2, 1);
    has_factors(*state, "1 - cos(phi)", 1, 2);
    has_factors(*state, "sin(phi)", 1, 1);
    has_factors(*state, "x'*sin(phi) - y'*cos(phi)", 1, 1);
}

// out = e/common, and no zero of `common` is left in all of out
static void has_common(reader_of_words *r, const char *first, const char *second,
                       const char *divisor) {
    const normal_budget b = normal_budget_default();
    const expr e[2] = {words_read(r, first), words_read(r, second)},
               wanted = words_read(r, divisor);
    expr out[2], common;
    assert_true(normal_primitive(r->p, 2, e, &b, out, &common));
    const double scale = value_at(r, common, 1) / value_at(r, wanted, 1);
    for (uint64_t look = 1; look <= LOOKS; look++) {
        const double c = value_at(r, common, look);
        assert_true(fabs(c - scale * value_at(r, wanted, look)) <= 1e-12 * fabs(c));
        for (uint32_t i = 0; i < 2; i++) {
            const double whole = value_at(r, e[i], look);
            assert_true(fabs(c * value_at(r, out[i], look) - whole) <= 1e-12 * (1 + fabs(whole)));
        }
    }
}

static void rows_lose_what_they_have_in_common(void **state) {
    has_common(*state, "sin(phi)*x", "sin(phi)*(1 + y)", "sin(phi)");
    has_common(*state, "sin(phi)^2", "sin(phi)*cos(phi)", "sin(phi)");
    has_common(*state, "1 - cos(phi)^2", "sin(phi)*x", "sin(phi)");
    has_common(*state, "1 - cos(phi)", "sin(phi)", "sin(phi/2)");
    has_common(*state, "sin(phi)*(1 + sin(phi))", "sin(phi)^2", "sin(phi)");
    has_common(*state, "sin(phi)*cos(theta)", "sin(2*phi)*theta", "sin(phi)");
    has_common(*state, "x", "y", "1");
    has_common(*state, "x*y - x*z", "y^2 - z^2", "y - z");
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, words_setup, words_teardown)
    const struct CMUnitTest tests[] = {
        TEST(products_fall_apart),
        TEST(powers_are_counted),
        TEST(sines_and_cosines_are_split_by_half_their_angles),
        TEST(rows_lose_what_they_have_in_common),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
