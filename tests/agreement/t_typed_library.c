// The motion of every library model as the second evaluator finds it from the text, against Maggi's
// equations and those with multipliers.
#include "support/typed_agreement.h"

#include "base/embedded.h"

#include <stdio.h>

static void maggi_and_multipliers_move_as_it_was_typed(void **unused) {
    (void)unused;
    uint32_t compared = 0, wrong = 0;
    for (unsigned long i = 0; i < embedded_model_count; i++) {
        world w = world_open();
        model *m = world_library(&w, embedded_models[i].name);
        agreement a = {0};
        compare_with_typed(m, mechanics_of(m), 1, 1, form_is_quick, &a);
        if (a.wrong || a.wide) fprintf(stderr, "%s: %s\n", embedded_models[i].name, a.why);
        compared += a.compared;
        wrong += a.wrong + a.wide;
        world_close(&w);
    }
    assert_int_equal(wrong, 0);
    assert_true(compared >= 120); // abstract functions and one of order 3 apart, the whole library
}

// Forces of the other sign, and a potential that is left out: the text says otherwise.
static void a_motion_that_was_not_typed_is_noticed(void **unused) {
    (void)unused;
    world w = world_open();
    model *m = world_library(&w, "skier");
    const mechanics *system = mechanics_of(m);
    mechanics other = *system;
    other.lagrangian = system->kinetic;
    other.potential = EXPR_ZERO;
    agreement right = {0}, wrong = {0};
    compare_with_typed(m, system, 2, 1, form_is_quick, &right);
    compare_with_typed(m, &other, 2, 1, form_is_quick, &wrong);
    assert_int_equal(right.compared, 4);
    assert_int_equal(right.wrong, 0);
    assert_int_equal(wrong.wrong, 4);
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(maggi_and_multipliers_move_as_it_was_typed),
                                       cmocka_unit_test(a_motion_that_was_not_typed_is_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
