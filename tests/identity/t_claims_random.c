// Random claims with kinks, jumps, 0/0, special values: no wrong verdict.
#include "identity/t_claims_random.h"

enum { SYSTEMS = 60, ALL_SYSTEMS = 5000, CLAIMS = 20, FIRST_SEED = 1 };

static void no_random_claim_gets_a_wrong_verdict(void **unused) {
    (void)unused;
    judge_many(FIRST_SEED, run_cases(SYSTEMS, ALL_SYSTEMS), CLAIMS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_random_claim_gets_a_wrong_verdict)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
