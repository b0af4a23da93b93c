// Numbers as doubles: the nearest one, whatever their size.
#include "support/support.h"

#include <stdio.h>

static double value_of(const char *numerator, const char *denominator) {
    world w = world_open();
    char text[2000];
    snprintf(text, sizeof text, "coord x\nkinetic x'^2\nparam k = (%s)/(%s)\n", numerator,
             denominator);
    const model *m = world_model(&w, text);
    const double value = expr_value(w.p, m->parameters[0].value, NULL);
    world_close(&w);
    return value;
}

static void assert_same(double value, double expected) {
    assert_memory_equal(&value, &expected, sizeof value);
}

static void simple_fractions_are_the_literals_a_compiler_makes_of_them(void **s) {
    (void)s;
    assert_same(value_of("1", "20"), 0.05);
    assert_same(value_of("1", "10"), 0.1);
    assert_same(value_of("1", "3"), 1.0 / 3);
    assert_same(value_of("2", "7"), 2.0 / 7);
    assert_same(value_of("-2", "7"), -2.0 / 7);
    assert_same(value_of("0", "1"), 0);
}

static void decimals_with_more_digits_than_a_double_has_are_rounded_to_the_nearest(void **s) {
    (void)s;
    assert_same(value_of("3.14159265358979323846264338327950288", "1"),
                3.14159265358979323846264338327950288);
    assert_same(value_of("-0.000123456789012345678901234567890123", "1"),
                -0.000123456789012345678901234567890123);
}

static void
numbers_halfway_between_two_doubles_go_to_the_even_one_and_those_beside_it_to_theirs(void **s) {
    (void)s;
    assert_same(value_of("2^53 + 1", "1"), 0x1p53);
    assert_same(value_of("2^53 + 3", "1"), 0x1.0000000000002p53);
    assert_same(value_of("(2^53 + 1)*3^400 + 1", "3^400"), 0x1.0000000000001p53); // a hair above
    assert_same(value_of("(2^53 + 3)*3^400 - 1", "3^400"), 0x1.0000000000001p53); // a hair below
}

static void huge_and_tiny_numbers_keep_every_bit(void **s) {
    (void)s;
    assert_same(value_of("10^300", "1"), 1e300);
    assert_same(value_of("1", "10^300"), 1e-300);
    assert_same(value_of("17*10^290", "3"), 5.6666666666666666666666666666667e290);
    assert_same(value_of("1", "10^310"), 1e-310); // below the normal ones
    assert_same(value_of("1", "2^1074"), 0x1p-1074);
    assert_same(value_of("1", "2^1200"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_fractions_are_the_literals_a_compiler_makes_of_them),
        cmocka_unit_test(decimals_with_more_digits_than_a_double_has_are_rounded_to_the_nearest),
        cmocka_unit_test(
            numbers_halfway_between_two_doubles_go_to_the_even_one_and_those_beside_it_to_theirs),
        cmocka_unit_test(huge_and_tiny_numbers_keep_every_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
