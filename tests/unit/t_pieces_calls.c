// Calls of the library on models with contacts, resets and clocks: those that follow one smooth
// motion refuse in plain words, and follow it where a mode is set.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hamel.h"

static const char *const CONTACT = "coord z\nkinetic z'^2/2\npotential 9.81*z\n"
                                   "contact floor: gap z, restitution 0.5\ninitial z = 1\n";
static const char *const WHEN = "coord z\nkinetic z'^2/2\npotential 9.81*z\n"
                                "when bounce: -z { z' = -z'/2 }\ninitial z = 1\n";
static const char *const EVERY = "input u = 0\ncoord x\nkinetic x'^2/2\nforce x = u\n"
                                 "every 0.1 { u = -x - x' }\ninitial x = 1\n";

static hamel_model *read_text(hamel_context *ctx, const char *text) {
    hamel_model *m = NULL;
    assert_int_equal(hamel_model_parse(ctx, "test", text, strlen(text), &m), HAMEL_OK);
    return m;
}

static void expect_words(hamel_context *ctx, const char *words) {
    char *said = hamel_diagnostics(ctx);
    if (!strstr(said, words)) fail_msg("`%s` is not in: %s", words, said);
    hamel_free(said);
}

static void a_motion_that_is_made_ready_refuses_pieces(void **state) {
    (void)state;
    const char *const texts[] = {CONTACT, WHEN, EVERY};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hamel_context *ctx = hamel_context_create();
        hamel_motion *motion = NULL;
        assert_int_equal(hamel_model_prepare(read_text(ctx, texts[i]), &(hamel_run){0}, &motion),
                         HAMEL_USAGE);
        assert_null(motion);
        expect_words(ctx, "contacts, `when` and `every` are followed by `simulate`");
        hamel_context_destroy(ctx);
    }
}

static void a_motion_in_a_mode_that_is_set_runs_and_stays_in_it(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    assert_int_equal(hamel_context_set(ctx, "mode[floor]=free"), HAMEL_OK);
    hamel_motion *motion = NULL;
    assert_int_equal(hamel_model_prepare(read_text(ctx, CONTACT), &(hamel_run){0}, &motion),
                     HAMEL_OK);
    assert_int_equal(hamel_motion_start(motion, 0, NULL), HAMEL_OK);
    double row[64];
    const double at = 1;
    assert_true(hamel_motion_count(motion, HAMEL_COLUMN) <= 64);
    assert_int_equal(hamel_motion_run(motion, 1, &at, 1, row, NULL), HAMEL_OK);
    assert_true(row[1] < -3.9); // z = 1 - g/2: through a floor that is not there in this mode
    hamel_motion_free(motion);
    hamel_context_destroy(ctx);
}

static void a_run_of_pieces_refuses_what_it_does_not_have(void **state) {
    (void)state;
    const struct {
        hamel_run run;
        const char *words;
    } refused[] = {{{.verify = 1}, "--verify does not go with contacts"},
                   {{.precision = "quad"}, "--precision does not go with contacts"},
                   {{.resume = "there-is-none.h5"}, "--resume does not go with contacts"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        hamel_context *ctx = hamel_context_create();
        char *result = NULL;
        assert_int_equal(
            hamel_model_simulate(read_text(ctx, CONTACT), &refused[i].run, HAMEL_JSON, &result),
            HAMEL_USAGE);
        expect_words(ctx, refused[i].words);
        hamel_free(result);
        hamel_context_destroy(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_that_is_made_ready_refuses_pieces),
        cmocka_unit_test(a_motion_in_a_mode_that_is_set_runs_and_stays_in_it),
        cmocka_unit_test(a_run_of_pieces_refuses_what_it_does_not_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
