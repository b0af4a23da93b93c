// The same as t_random_expressions.c in greater number: another run seed
// each night with $HAMEL_SEED.
#include "support/fuzz_expressions.h"
#include "support/support.h"

static void the_pool_says_what_was_typed_a_hundred_thousand_times(void **unused) {
    (void)unused;
    const fuzz_count c = fuzz_expressions(run_seed(2026), run_cases(300000));
    assert_int_equal(c.wrong, 0);
    assert_true(5 * c.agree > 4 * c.cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pool_says_what_was_typed_a_hundred_thousand_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
