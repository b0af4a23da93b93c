// Random expressions have the same value in the pool as they have as they were typed.
#include "support/fuzz_expressions.h"
#include "support/support.h"

static void the_pool_says_what_was_typed(void **unused) {
    (void)unused;
    const fuzz_count c = fuzz_expressions(run_seed(1), run_cases(20000, 300000));
    assert_int_equal(c.wrong, 0);
    assert_true(5 * c.agree > 4 * c.cases); // most of them had a value
    assert_true(50 * c.extended < c.cases); // sqrt(u)^2 at u < 0, u/u at 0
    assert_true(1000 * c.lost < c.cases);   // balls that the pool's min and max widen
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_pool_says_what_was_typed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
