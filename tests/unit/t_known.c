// What the library lists (formats, targets, methods), and what it says of what is not there.
#include "support/support.h"

#include <string.h>

static const char MODEL[] = "system one\ncoord x\nkinetic x'^2/2\ninitial x = 0, x' = 1\n";

// The lists that other files of this tree keep are written out here by hand.
static void every_kind_lists_what_there_is(void **s) {
    (void)s;
    static const struct {
        const char *kind, *ids;
    } expected[] = {
        {"formats", "text latex markdown json sympy "},
        {"transposition-formats", "text latex json "},
        {"source-formats", "text markdown json bibtex "},
        {"matrix-formats", "text latex json sympy numpy matlab "},
        {"targets", "c "},
        {"methods", "taylor tsit5 dop853 adams bdf ida midpoint dla "},
        {"statements",
         "system const param coord given input function let for kinetic potential lagrangian "},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char ids[400] = "";
        const char *id, *about;
        for (size_t j = 0; (id = hamel_known(expected[i].kind, j, &about)); j++) {
            strcat(strcat(ids, id), " ");
            assert_true(about && strlen(about) > 3); // it says what it is
        }
        // more may come: those that are known stand first
        assert_memory_equal(ids, expected[i].ids, strlen(expected[i].ids));
    }
    assert_null(hamel_known("colours", 0, NULL));
}

static void formats_have_the_numbers_of_the_header(void **s) {
    (void)s;
    assert_int_equal(hamel_format_find("text"), HAMEL_TEXT);
    assert_int_equal(hamel_format_find("latex"), HAMEL_LATEX);
    assert_int_equal(hamel_format_find("markdown"), HAMEL_MARKDOWN);
    assert_int_equal(hamel_format_find("json"), HAMEL_JSON);
    assert_int_equal(hamel_format_find("sympy"), HAMEL_SYMPY);
    assert_int_equal(hamel_format_find("html"), HAMEL_HTML);
    assert_int_equal(hamel_format_find("LaTeX"), -1);
    assert_int_equal(hamel_format_find(""), -1);
}

static void a_result_is_refused_in_a_format_that_cannot_write_it(void **s) {
    (void)s;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    char *result = "untouched";
    assert_int_equal(hamel_model_parse(ctx, "one", MODEL, sizeof MODEL - 1, &m), HAMEL_OK);
    assert_int_equal(hamel_model_check(m, HAMEL_LATEX, 0, &result), HAMEL_USAGE);
    assert_null(result);
    assert_int_equal(hamel_model_derive(m, NULL, HAMEL_HTML, 0, &result), HAMEL_USAGE);
    assert_null(result);
    assert_int_equal(hamel_model_report(m, NULL, NULL, HAMEL_TEXT, &result), HAMEL_USAGE);
    assert_int_equal(hamel_model_describe(m, (hamel_format)77, &result), HAMEL_USAGE);
    assert_int_equal(hamel_model_describe(m, (hamel_format)-1, &result), HAMEL_USAGE);
    char *said = hamel_diagnostics(ctx);
    assert_non_null(
        strstr(said, "cannot be written as latex\n  = it can be written as: text, json"));
    assert_non_null(strstr(said,
                           "cannot be written as html\n  = it can be written as: text, latex, "
                           "markdown, json, sympy"));
    assert_non_null(
        strstr(said, "cannot be written as text\n  = it can be written as: json, html"));
    hamel_free(said);
    hamel_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_lists_what_there_is),
        cmocka_unit_test(formats_have_the_numbers_of_the_header),
        cmocka_unit_test(a_result_is_refused_in_a_format_that_cannot_write_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
