// The same as t_random_models.c in greater number: another run seed each night with $HAMEL_SEED.
#include "support/fuzz_models.h"
#include "support/support.h"

static void every_form_moves_as_it_was_typed_in_two_thousand_models(void **unused) {
    (void)unused;
    // some have no admissible state
    const model_count c = fuzz_models(run_seed(2026), run_cases(2200));
    assert_int_equal(c.wrong, 0);
    assert_true(c.models >= run_cases(2200) * 9 / 10);
    assert_true(c.compared > 8 * c.models);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_moves_as_it_was_typed_in_two_thousand_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
