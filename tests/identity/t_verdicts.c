// True claims about random systems and as many near misses, five of each a system: no truth is
// refuted, no near miss proved, and every witness can be checked.
#include "identity/t_verdicts_judge.h"

enum { SYSTEMS = 100, ALL_SYSTEMS = 2000, FIRST_SEED = 1 };

static void no_truth_is_refuted_and_no_near_miss_proved(void **unused) {
    (void)unused;
    judge_systems(FIRST_SEED, run_cases(SYSTEMS, ALL_SYSTEMS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_truth_is_refuted_and_no_near_miss_proved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
