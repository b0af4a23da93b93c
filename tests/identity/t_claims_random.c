// 1,200 random claims with kinks, jumps, 0/0, special values: no wrong verdict.
#include "identity/t_claims_random.h"

#include "support/random_text.h"

enum { SYSTEMS = 60, CLAIMS = 20, FIRST_SEED = 1 };

static void no_random_claim_gets_a_wrong_verdict(void **unused) {
    (void)unused;
    judge_many(FIRST_SEED, run_cases(SYSTEMS), CLAIMS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_random_claim_gets_a_wrong_verdict)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
