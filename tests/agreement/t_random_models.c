// Random models move by every form as the second evaluator finds it from their text.
#include "support/fuzz_models.h"
#include "support/support.h"

static void every_form_moves_as_it_was_typed(void **unused) {
    (void)unused;
    const model_count c = fuzz_models(run_seed(1), run_cases(40, 2200));
    assert_int_equal(c.wrong, 0);
    assert_true(c.models * 4 > (c.models + c.refused) * 3);
    assert_true(c.compared > 8 * c.models);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form_moves_as_it_was_typed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
