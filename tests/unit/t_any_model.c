// Models that nobody would write go through every call of the library, and none breaks it.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/every_call.h"
#include "support/strange_models.h"

#include "hamel.h"

static void no_model_breaks_a_call(void **state) {
    const call_count *c = *state;
    printf("%u models were read, %u found sound, %u calls made\n", c->parsed, c->sound, c->calls);
    printf("net: generated models through the calls of the library: %u tried, %u failed\n",
           c->tried, c->failed);
    assert_int_equal(c->failed, 0);
    assert_true(c->tried < 50 || 2 * c->parsed > c->tried);
}

// A statement that is added to the language is added to the net.
static void every_statement_of_the_language_is_tried(void **unused) {
    enum { LINES = 20000 };
    (void)unused;
    const char *word;
    for (size_t i = 0; (word = hamel_known("statements", i, NULL)); i++) {
        uint64_t random = 1;
        bool tried = false;
        for (int left = LINES; left && !tried; left--) {
            char line[1000];
            strange_statement(&random, &(strange_names){.count = 0}, line, sizeof line);
            const size_t length = strlen(word);
            tried = strncmp(line, word, length) == 0 && line[length] == ' ';
        }
        if (!tried) fail_msg("no `%s` among %d statements", word, LINES);
    }
}

// The net runs before cmocka catches the signals that sanitizers report.
int main(void) {
    const char *first = getenv("HAMEL_FIRST"); // to run one case again
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    call_count c = every_call(run_seed(14), first ? (uint32_t)strtoul(first, NULL, 10) : 0,
                              run_cases(100, 100000), processors > 0 ? (unsigned)processors : 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_statement_of_the_language_is_tried),
                                       cmocka_unit_test_prestate(no_model_breaks_a_call, &c)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
