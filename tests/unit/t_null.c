// What a NULL pointer does in each call of the library: a status and a message, never a crash.
#include "hamel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static hamel_context *ctx;
static hamel_model *m;
static char *result;

static int begin(void **s) {
    (void)s;
    ctx = hamel_context_create();
    return hamel_model_open(ctx, "sleigh", &m);
}

static int end(void **s) {
    (void)s;
    hamel_context_destroy(ctx);
    return 0;
}

// HAMEL_USAGE, no result, and a message that names the argument
static void assert_told(hamel_status status, const char *argument) {
    char *said = hamel_diagnostics(ctx), name[40] = "`";
    strcat(strcat(name, argument), "` of hamel_");
    assert_int_equal(status, HAMEL_USAGE);
    assert_non_null(said);
    if (!strstr(said, name)) fail_msg("%s is not in: %s", name, said);
    hamel_free(said);
}

static void a_missing_result_is_told(void **s) {
    (void)s;
    const hamel_run run = {0};
    const hamel_plot plot = {0};
    const hamel_section section = {.event = "x"};
    assert_told(hamel_model_check(m, HAMEL_TEXT, 0, NULL), "result");
    assert_told(hamel_model_describe(m, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_derive(m, "maggi", HAMEL_TEXT, 0, NULL), "result");
    assert_told(hamel_model_evaluate(m, NULL, NULL, 16, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_assemble(m, NULL, 16, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_transpose(m, "a-model", HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_steady(m, NULL, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_matrices(m, NULL, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_linearise(m, NULL, NULL, 0, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_stability(m, NULL, "m=1..2", NULL, HAMEL_TEXT, NULL), "result");
    const hamel_continue follow = {.vary = "m=1..2"};
    assert_told(hamel_model_continue(m, &follow, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_sensitivity(m, &run, NULL, NULL, 0, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_lyapunov(m, &run, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_orbit(m, &run, "1", HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_double(m, "N", NULL, NULL, 16, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_forms(ctx, m, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_recover(ctx, "x.csv", HAMEL_TEXT, NULL), "result");
    assert_told(hamel_text_format(ctx, "x", "", 0, 0, NULL, NULL), "result");
    assert_told(hamel_file_format(ctx, "x", 0, NULL, NULL, NULL), "result");
    assert_told(hamel_document_read(ctx, "x", "", 0, NULL, NULL, NULL), "out");
    assert_told(hamel_references(ctx, NULL, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_references(m, NULL, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_simulate(m, &run, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_plot(m, &run, &plot, NULL), "result");
    assert_told(hamel_model_section(m, &section, &run, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_sweep(m, &(hamel_sweep){0}, &run, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_sweep(m, NULL, &run, HAMEL_TEXT, &result), "asked");
    assert_told(hamel_model_sweep(m, &(hamel_sweep){0}, NULL, HAMEL_TEXT, &result), "run");
    assert_told(hamel_sweep_prepare(m, &(hamel_sweep){0}, &run, 1, NULL), "job");
    assert_told(hamel_file_plot(ctx, "x.csv", &plot, NULL, NULL, NULL), "result");
    assert_told(hamel_model_compare(m, "maggi", "kane", &run, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_report(m, NULL, NULL, HAMEL_HTML, NULL), "result");
    assert_told(hamel_model_film(m, NULL, &(hamel_film){.output = "x.mp4"}, HAMEL_TEXT, NULL),
                "result");
    assert_told(hamel_model_film(m, NULL, NULL, HAMEL_TEXT, &result), "asked");
    assert_told(hamel_model_film(m, NULL, &(hamel_film){0}, HAMEL_TEXT, &result), "asked->output");
    assert_told(hamel_model_codegen(m, NULL, NULL, NULL, NULL, NULL), "result");
    assert_told(hamel_model_prove(m, "all", 0, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_prove_seeded(m, "all", 0, 0, HAMEL_TEXT, NULL), "result");
    assert_told(hamel_model_trajectory(m, &run, NULL), "trajectory");
    assert_told(hamel_file_trajectory(ctx, "x.csv", NULL), "trajectory");
    assert_told(hamel_model_judge(m, "all", 0, 0, NULL), "verdicts");
    assert_told(hamel_model_equations(m, NULL, NULL), "equations");
    assert_told(hamel_model_field(m, NULL, HAMEL_FIELD_RATE, NULL), "field");
    assert_told(hamel_model_open(ctx, "sleigh", NULL), "result");
    assert_told(hamel_model_parse(ctx, "x", "coord x", 7, NULL), "result");
}

static void what_is_missing_is_told(void **s) {
    (void)s;
    const hamel_run run = {0};
    const hamel_plot plot = {0};
    hamel_model *other;
    hamel_trajectory *rows;
    assert_told(hamel_model_trajectory(m, NULL, &rows), "asked");
    assert_told(hamel_file_trajectory(ctx, NULL, &rows), "file");
    assert_told(hamel_context_set(ctx, NULL), "assignment");
    assert_told(hamel_model_open(ctx, NULL, &other), "name");
    assert_told(hamel_model_parse(ctx, NULL, "coord x", 7, &other), "name");
    assert_told(hamel_model_parse(ctx, "x", NULL, 7, &other), "bytes");
    assert_told(hamel_model_transpose(m, NULL, HAMEL_TEXT, &result), "form");
    assert_told(hamel_model_double(m, NULL, NULL, NULL, 16, HAMEL_TEXT, &result), "constant");
    assert_told(hamel_recover(ctx, NULL, HAMEL_TEXT, &result), "file");
    assert_told(hamel_model_simulate(m, NULL, HAMEL_TEXT, &result), "asked");
    assert_told(hamel_model_plot(m, NULL, &plot, &result), "asked");
    assert_told(hamel_model_plot(m, &run, NULL, &result), "plot");
    assert_told(hamel_model_section(m, NULL, &run, HAMEL_TEXT, &result), "asked");
    assert_told(hamel_model_section(m, &(hamel_section){0}, &run, HAMEL_TEXT, &result),
                "asked->event");
    assert_told(hamel_file_plot(ctx, NULL, &plot, NULL, NULL, &result), "file");
    assert_told(hamel_file_plot(ctx, "x.csv", NULL, NULL, NULL, &result), "plot");
    assert_told(hamel_model_compare(m, NULL, "kane", &run, HAMEL_TEXT, &result), "form");
    assert_told(hamel_model_compare(m, "maggi", NULL, &run, HAMEL_TEXT, &result), "other");
    assert_told(hamel_model_prove(m, NULL, 0, HAMEL_TEXT, &result), "forms");
    assert_told(hamel_model_prove_seeded(m, NULL, 0, 0, HAMEL_TEXT, &result), "forms");
    assert_told(hamel_file_write(ctx, NULL, "x", 1), "file");
    assert_told(hamel_text_format(ctx, NULL, "", 0, 0, &result, NULL), "name");
    assert_told(hamel_text_format(ctx, "x", NULL, 1, 0, &result, NULL), "bytes");
    assert_told(hamel_file_format(ctx, NULL, 0, &result, NULL, NULL), "file");
    assert_told(hamel_file_write(ctx, "x", NULL, 1), "bytes");
}

static void without_model_or_context_there_is_a_status(void **s) {
    (void)s;
    const hamel_run run = {0};
    const hamel_plot plot = {0};
    hamel_model *other;
    assert_int_equal(hamel_model_check(NULL, HAMEL_TEXT, 0, &result), HAMEL_USAGE);
    assert_int_equal(hamel_model_describe(NULL, HAMEL_TEXT, &result), HAMEL_USAGE);
    assert_int_equal(hamel_model_derive(NULL, NULL, HAMEL_TEXT, 0, &result), HAMEL_USAGE);
    assert_int_equal(hamel_model_evaluate(NULL, NULL, NULL, 9, HAMEL_TEXT, &result), HAMEL_USAGE);
    assert_int_equal(hamel_model_assemble(NULL, NULL, 9, HAMEL_TEXT, &result), HAMEL_USAGE);
    assert_int_equal(hamel_model_simulate(NULL, &run, HAMEL_TEXT, &result), HAMEL_USAGE);
    assert_int_equal(hamel_model_plot(NULL, &run, &plot, &result), HAMEL_USAGE);
    assert_int_equal(hamel_model_film(NULL, NULL, NULL, HAMEL_TEXT, &result), HAMEL_USAGE);
    assert_int_equal(hamel_model_report(NULL, NULL, NULL, HAMEL_HTML, &result), HAMEL_USAGE);
    assert_int_equal(hamel_model_codegen(NULL, NULL, NULL, NULL, NULL, &result), HAMEL_USAGE);
    assert_int_equal(hamel_model_prove(NULL, "all", 0, HAMEL_TEXT, &result), HAMEL_USAGE);
    assert_int_equal(hamel_context_set(NULL, "a=1"), HAMEL_USAGE);
    assert_int_equal(hamel_model_open(NULL, "sleigh", &other), HAMEL_USAGE);
    assert_int_equal(hamel_forms(NULL, NULL, HAMEL_TEXT, &result), HAMEL_USAGE);
    assert_int_equal(hamel_file_write(NULL, "x", "x", 1), HAMEL_USAGE);
    assert_int_equal(hamel_text_format(NULL, "x", "", 0, 0, &result, NULL), HAMEL_USAGE);
    assert_int_equal(hamel_file_format(NULL, "x", 0, &result, NULL, NULL), HAMEL_USAGE);
    hamel_document *document;
    const char *why;
    assert_int_equal(hamel_document_read(NULL, "x", "", 0, NULL, NULL, &document), HAMEL_USAGE);
    assert_int_equal(hamel_document_explain(NULL, "x", 0, NULL, &result), HAMEL_USAGE);
    assert_int_equal(hamel_document_complete(NULL, "x", 0, NULL, NULL, NULL), HAMEL_USAGE);
    assert_int_equal(hamel_document_name_fits(NULL, 0, "x", &why), HAMEL_USAGE);
    assert_null(hamel_document_model(NULL));
    assert_int_equal(hamel_message_at(NULL, 0, NULL), 0);
    assert_int_equal(hamel_document_file_at(NULL, 0, NULL), 0);
    assert_int_equal(hamel_document_link_at(NULL, 0, NULL), 0);
    assert_int_equal(hamel_document_symbol_at(NULL, 0, NULL), 0);
    assert_int_equal(hamel_document_use_at(NULL, 0, NULL), 0);
    assert_int_equal(hamel_document_broken_at(NULL, 0, NULL), 0);
    assert_int_equal(hamel_diagnostic_count(NULL), 0);
    assert_null(hamel_diagnostics(NULL));
    assert_null(hamel_diagnostics_json(NULL, HAMEL_OK));
    hamel_trajectory *rows;
    assert_int_equal(hamel_model_trajectory(NULL, &run, &rows), HAMEL_USAGE);
    assert_int_equal(hamel_file_trajectory(NULL, "x.csv", &rows), HAMEL_USAGE);
    hamel_diagnostics_forget(NULL);
    hamel_context_destroy(NULL);
    hamel_free(NULL);
}

static void what_is_looked_up_by_null_is_not_there(void **s) {
    (void)s;
    double value;
    assert_null(hamel_known(NULL, 0, NULL));
    assert_int_equal(hamel_format_find(NULL), -1);
    assert_int_equal(hamel_number_read(NULL, &value), 0);
    assert_int_equal(hamel_number_read("1", NULL), 0);
    assert_null(hamel_nearest(NULL, NULL, 0));
    assert_null(hamel_text_show(NULL));
    assert_null(hamel_library_template(NULL));
    assert_null(hamel_library_name(SIZE_MAX));
    assert_null(hamel_library_text(SIZE_MAX, NULL));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_missing_result_is_told),
        TEST(what_is_missing_is_told),
        TEST(without_model_or_context_there_is_a_status),
        TEST(what_is_looked_up_by_null_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
