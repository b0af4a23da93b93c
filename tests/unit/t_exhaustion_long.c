// The same as t_exhaustion.c at more allocations and of more models.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/exhaustion.h"
#include "support/random_text.h"

static void every_call_on_many_models_answers(void **state) {
    static const char *const names[] = {"rolling_disc", "snakeboard", "sleigh", "double_pendulum"};
    (void)state;
    char folder[] = "/tmp/hamel-exhaustion-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0); // compiled runs compile once
    for (int i = 0; i < 4; i++)
        exhaust_model(&(exhaustion){.model = names[i], .folder = folder, .cases = run_cases(300)});
    exhaust_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_on_many_models_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
