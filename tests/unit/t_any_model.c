// Models that nobody would write go through every call of the library, and none breaks it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/every_call.h"
#include "support/random_text.h"

static void no_model_breaks_a_call(void **unused) {
    (void)unused;
    const uint32_t cases = run_cases(100);
    const char *first = getenv("HAMEL_FIRST"); // to run one case again
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const call_count c = every_call(run_seed(14), first ? (uint32_t)strtoul(first, NULL, 10) : 0,
                                    cases, processors > 0 ? (unsigned)processors : 1);
    printf("%u models were read, %u found sound, %u calls made\n", c.parsed, c.sound, c.calls);
    printf("net: generated models through the calls of the library: %u tried, %u failed\n", c.tried,
           c.failed);
    assert_int_equal(c.failed, 0);
    assert_true(cases < 50 || 2 * c.parsed > c.tried);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_model_breaks_a_call)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
