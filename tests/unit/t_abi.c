// The binary interface of this number: structs have the sizes that programs were built with, a
// struct of a later version is refused, and each enumerator keeps its value. A change here that is
// not an addition needs another HAMEL_ABI.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hamel.h"

static void structs_keep_their_size(void **state) {
    (void)state;
    assert_int_equal(hamel_abi_version(), HAMEL_ABI);
    assert_int_equal(HAMEL_ABI, 0);
#ifdef __LP64__
    static const struct {
        const char *name;
        size_t size, usual_size, later, usual_later;
    } layout[] = {
#define STRUCT(type, bytes, place) {#type, sizeof(type), bytes, offsetof(type, later), place}
        STRUCT(hamel_limits, 80, 48),    STRUCT(hamel_plot, 168, 136),
        STRUCT(hamel_run, 168, 136),     STRUCT(hamel_happening, 112, 80),
        STRUCT(hamel_verdict, 160, 128), STRUCT(hamel_node, 112, 80),
        STRUCT(hamel_outcome, 96, 64),   STRUCT(hamel_steady, 72, 40),
        STRUCT(hamel_continue, 80, 48),  STRUCT(hamel_section, 64, 32),
        STRUCT(hamel_sweep, 152, 120),
#undef STRUCT
    };
    for (size_t i = 0; i < sizeof layout / sizeof *layout; i++)
        if (layout[i].size != layout[i].usual_size || layout[i].later != layout[i].usual_later)
            fail_msg("%s: %zu bytes, later words at %zu", layout[i].name, layout[i].size,
                     layout[i].later);
    // the library makes it: it may grow at its end
    assert_int_equal(offsetof(hamel_field, rate), 32);
    assert_int_equal(offsetof(hamel_field, taylor), 56);
    assert_int_equal(offsetof(hamel_run, until), 64);
    assert_int_equal(offsetof(hamel_run, interrupted), 128);
#endif
}

static void enumerators_keep_their_values(void **state) {
    (void)state;
    assert_int_equal(HAMEL_LIMIT, 6);
    assert_int_equal(HAMEL_MATLAB, 8);
    assert_int_equal(HAMEL_EVENT, 3);
    assert_int_equal(HAMEL_COORDINATES, 0);
    assert_int_equal(HAMEL_RATES, 15);
    assert_int_equal(HAMEL_STARTS, 16);
    assert_int_equal(HAMEL_DERIVE_CITE, 8);
    assert_int_equal(HAMEL_FIELD_TAYLOR, 8);
}

// Each call that takes a struct says that it is of another library.
static void structs_of_later_versions_are_refused(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    hamel_motion *motion;
    hamel_trajectory *rows;
    hamel_field *field;
    hamel_sweep_job *job;
    char *result;
    const hamel_run run = {.later = {0, 0, 0, ctx}}, usual = {.execute = "interpreted"};
    const hamel_plot plot = {.later = {ctx}};
    const hamel_section section = {.event = "x", .later = {ctx}};
    const hamel_sweep many = {.later = {ctx}};
    const hamel_steady steady = {.later = {ctx}};
    const hamel_continue follow = {.vary = "m=1..2", .later = {ctx}};
    assert_int_equal(hamel_model_open(ctx, "sleigh", &m), HAMEL_OK);
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        hamel_diagnostics_forget(ctx);                                                             \
        assert_int_equal(call, HAMEL_USAGE);                                                       \
        char *said = hamel_diagnostics(ctx);                                                       \
        assert_non_null(strstr(said, "later version of the library"));                             \
        hamel_free(said);                                                                          \
    } while (0)
    REFUSED(hamel_context_limit(ctx, &(hamel_limits){.later = {ctx}}));
    REFUSED(hamel_model_simulate(m, &run, HAMEL_TEXT, &result));
    REFUSED(hamel_model_trajectory(m, &run, &rows));
    REFUSED(hamel_model_prepare(m, &run, &motion));
    REFUSED(hamel_model_field(m, &run, HAMEL_FIELD_RATE, &field));
    REFUSED(hamel_model_sensitivity(m, &run, NULL, NULL, 0, HAMEL_TEXT, &result));
    REFUSED(hamel_model_lyapunov(m, &run, HAMEL_TEXT, &result));
    REFUSED(hamel_model_orbit(m, &run, "1", HAMEL_TEXT, &result));
    REFUSED(hamel_model_compare(m, "maggi", "hamel", &run, HAMEL_TEXT, &result));
    REFUSED(hamel_model_plot(m, &usual, &plot, &result));
    REFUSED(hamel_model_plot(m, &run, &(hamel_plot){0}, &result));
    REFUSED(hamel_model_section(m, &section, &usual, HAMEL_TEXT, &result));
    REFUSED(hamel_model_sweep(m, &many, &usual, HAMEL_TEXT, &result));
    REFUSED(hamel_model_sweep(m, &(hamel_sweep){0}, &run, HAMEL_TEXT, &result));
    REFUSED(hamel_sweep_prepare(m, &many, &usual, 1, &job));
    REFUSED(hamel_model_steady(m, &steady, HAMEL_TEXT, &result));
    REFUSED(hamel_model_continue(m, &follow, HAMEL_TEXT, &result));
    hamel_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_keep_their_size),
        cmocka_unit_test(enumerators_keep_their_values),
        cmocka_unit_test(structs_of_later_versions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
