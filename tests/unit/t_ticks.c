// Ticks are few, round, evenly spaced and inside the range, and their labels read as what they are.
#include "support/support.h"

#include "report/ticks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROUNDING = 1e-9; // of a step

static double step_of(const ticks *t) { return ticks_value(t->mantissa, t->exponent); }

// What the label of a tick says, with what stands at the end of the axis.
static double said(const ticks *t, int i) {
    text label = {0}, from = {0};
    ticks_label(t, i, &label), ticks_offset(t, &from);
    const double value =
        strtod(text_string(&label), NULL) * pow(10, t->shared) + strtod(text_string(&from), NULL);
    text_free(&label), text_free(&from);
    return value;
}

static void check_linear(double low, double high, int wanted) {
    const ticks t = ticks_linear(low, high, wanted);
    const double step = step_of(&t);
    assert_true(t.count >= TICKS_LEAST && t.count <= TICKS_MOST);
    assert_true(t.mantissa == 1 || t.mantissa == 2 || t.mantissa == 5);
    assert_true(t.value[0] >= low - ROUNDING * step &&
                t.value[t.count - 1] <= high + ROUNDING * step);
    // none is missing at the ends
    assert_true(t.value[0] - step < low && t.value[t.count - 1] + step > high);
    for (int i = 0; i < t.count; i++) {
        if (i) assert_int_equal(t.number[i] - t.number[i - 1], t.mantissa);
        assert_true(fabs(said(&t, i) - t.value[i]) <= ROUNDING * step + 1e-15 * fabs(t.value[i]));
    }
    for (int i = 0; i < t.minor_count; i++)
        assert_true(t.minor[i] >= low - ROUNDING * step && t.minor[i] <= high + ROUNDING * step);
}

static void ticks_of_random_ranges_are_few_and_round(void **s) {
    (void)s;
    uint64_t state = 1;
    for (int i = 0; i < 20000; i++) {
        const double size = pow(10, random_between(&state, -250, 250)),
                     low = random_between(&state, -1, 1) * size;
        const double range = size * pow(10, random_between(&state, -9, 1));
        check_linear(low, low + range, (int)random_between(&state, 0, 14));
    }
}

static const char *labels(const ticks *t) {
    static char all[400];
    text out = {0};
    for (int i = 0; i < t->count; i++) {
        if (i) text_char(&out, ' ');
        ticks_label(t, i, &out);
    }
    strcpy(all, text_string(&out));
    text_free(&out);
    return all;
}

static void labels_are_those_a_person_writes(void **s) {
    (void)s;
    ticks t = ticks_linear(0, 1, 5);
    assert_string_equal(labels(&t), "0.0 0.2 0.4 0.6 0.8 1.0");
    t = ticks_linear(-1, 1, 5);
    assert_string_equal(labels(&t), "-1.0 -0.5 0.0 0.5 1.0"); // no -0.0
    t = ticks_linear(0, 20, 5);
    assert_string_equal(labels(&t), "0 5 10 15 20");
    t = ticks_linear(-3000, 9000, 6);
    assert_string_equal(labels(&t), "-2000 0 2000 4000 6000 8000");
}

static void a_power_of_ten_stands_once(void **s) {
    (void)s;
    ticks t = ticks_linear(0, 30000, 6);
    assert_string_equal(labels(&t), "0.0 0.5 1.0 1.5 2.0 2.5 3.0");
    assert_int_equal(t.shared, 4);
    t = ticks_linear(0, 8e-7, 4);
    assert_string_equal(labels(&t), "0 2 4 6 8");
    assert_int_equal(t.shared, -7);
}

static void digits_that_never_change_stand_once(void **s) {
    (void)s;
    const ticks t = ticks_linear(0.6012486, 0.6012503, 4);
    text from = {0};
    ticks_offset(&t, &from);
    assert_string_equal(text_string(&from), "0.60125");
    assert_string_equal(labels(&t), "-1.0 -0.5 0.0");
    assert_int_equal(t.shared, -6);
    text_free(&from);
}

static void what_labels_count_from_is_round_below_0_too(void **s) {
    (void)s;
    const ticks t = ticks_linear(-2.157930002, -2.157929997, 4);
    text from = {0};
    ticks_offset(&t, &from);
    assert_string_equal(text_string(&from), "-2.15793");
    assert_string_equal(labels(&t), "-2 0 2");
    text_clear(&from);
    const ticks late = ticks_linear(1e9, 1e9 + 0.002, 4);
    ticks_offset(&late, &from);
    assert_string_equal(text_string(&from), "1e9");
    text_free(&from);
}

// However little a range is beside its values, no two labels of an axis are alike.
static void no_two_labels_are_alike(void **s) {
    (void)s;
    uint64_t state = 3;
    for (int i = 0; i < 20000; i++) {
        const double size = pow(10, random_between(&state, -250, 250)),
                     low = random_between(&state, -1, 1) * size,
                     range = size * pow(10, random_between(&state, -11.9, 1));
        const ticks t = ticks_linear(low, low + range, (int)random_between(&state, 0, 14));
        text label[TICKS_MOST] = {0};
        for (int k = 0; k < t.count; k++) {
            ticks_label(&t, k, &label[k]);
            assert_true(label[k].length <= strlen("-0.00123456"));
            for (int j = 0; j < k; j++)
                assert_string_not_equal(text_string(&label[j]), text_string(&label[k]));
        }
        for (int k = 0; k < t.count; k++) text_free(&label[k]);
    }
}

static void decades_are_labelled_and_cut_in_nine(void **s) {
    (void)s;
    const ticks t = ticks_log(1e-3, 10, 6);
    assert_string_equal(labels(&t), "1e-3 1e-2 1e-1 1e0 1e1");
    assert_int_equal(t.minor_count, 4 * 8);
    assert_true(fabs(t.minor[0] - 2e-3) < 1e-18);
}

static void many_decades_are_labelled_now_and_then(void **s) {
    (void)s;
    const ticks t = ticks_log(1e-20, 1, 5);
    assert_string_equal(labels(&t), "1e-20 1e-15 1e-10 1e-5 1e0");
    assert_int_equal(t.minor_count, 16); // the other decades, nothing between
}

static void random_decades_have_two_labels_at_least(void **s) {
    (void)s;
    uint64_t state = 2;
    for (int i = 0; i < 2000; i++) {
        const int first = (int)random_between(&state, -290, -10),
                  last = first + 1 + (int)random_between(&state, 0, i % 2 ? 20 : 300);
        const ticks t = ticks_log(ticks_value(1, first), ticks_value(1, last),
                                  (int)random_between(&state, 0, 14));
        assert_true(t.count >= TICKS_LEAST && t.count <= TICKS_MOST);
        for (int k = 0; k < t.count; k++) assert_true(t.number[k] >= first && t.number[k] <= last);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_of_random_ranges_are_few_and_round),
        cmocka_unit_test(labels_are_those_a_person_writes),
        cmocka_unit_test(a_power_of_ten_stands_once),
        cmocka_unit_test(digits_that_never_change_stand_once),
        cmocka_unit_test(what_labels_count_from_is_round_below_0_too),
        cmocka_unit_test(no_two_labels_are_alike),
        cmocka_unit_test(decades_are_labelled_and_cut_in_nine),
        cmocka_unit_test(many_decades_are_labelled_now_and_then),
        cmocka_unit_test(random_decades_have_two_labels_at_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
