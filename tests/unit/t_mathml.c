// LaTeX as MathML: the shapes, the spaces of TeX, lines that are too long, what is not known.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "print/mathml.h"

#define TIMES "<mo>\xE2\x81\xA2</mo>"
#define THIN_TIMES "<mo lspace=\"0.17em\">\xE2\x81\xA2</mo>"
#define APPLIED "<mo>\xE2\x81\xA1</mo>"
#define OPEN "<mrow><mo stretchy=\"false\">(</mo>"
#define CLOSE "<mo stretchy=\"false\">)</mo></mrow>"

static void shows(const char *latex, const char *wanted) {
    text shown = {0}, whole = {0};
    assert_true(mathml_inline(latex, &shown));
    text_format(&whole, "<math>%s</math>", wanted);
    assert_string_equal(text_string(&shown), text_string(&whole));
    text_free(&shown);
    text_free(&whole);
}

static void letters_numbers_and_signs(void **state) {
    (void)state;
    shows("2 m = -x",
          "<mn>2</mn>" TIMES "<mi>m</mi><mo>=</mo><mo form=\"prefix\">−</mo><mi>x</mi>");
    shows("a - b", "<mi>a</mi><mo>−</mo><mi>b</mi>");
    shows("\\theta \\Omega", "<mi>θ</mi>" TIMES "<mi mathvariant=\"normal\">Ω</mi>");
    shows("\\mathrm{mass\\_1}", "<mi>mass_1</mi>");
    shows("\\mathrm{D}", "<mi mathvariant=\"normal\">D</mi>");
    shows("\\mathcal{R}", "<mi>ℛ</mi>");
    shows("\\partial x", "<mi>∂</mi><mi>x</mi>");
    shows("2 \\cdot 3", "<mn>2</mn><mo>⋅</mo><mn>3</mn>");
}

static void scripts_gather_in_one_element(void **state) {
    (void)state;
    shows("x^{2}", "<msup><mi>x</mi><mn>2</mn></msup>");
    shows("x_{1}^{2}", "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>");
    shows("c^{1}_{2}", "<msubsup><mi>c</mi><mn>2</mn><mn>1</mn></msubsup>");
    shows("T^*", "<msup><mi>T</mi><mi>∗</mi></msup>");
    shows("A_\\Gamma", "<msub><mi>A</mi><mi mathvariant=\"normal\">Γ</mi></msub>");
    shows("a''(z)", "<msup><mi>a</mi><mo>′′</mo></msup>" APPLIED OPEN "<mi>z</mi>" CLOSE);
    shows("q_{1,2}",
          "<msub><mi>q</mi><mrow><mn>1</mn><mo rspace=\"0\">,</mo><mn>2</mn></mrow></msub>");
    shows("\\left(x\\right)^{2}",
          "<msup><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow><mn>2</mn></msup>");
    shows("\\sum_{i} x", "<munder><mo>∑</mo><mi>i</mi></munder><mi>x</mi>");
}

static void dots_stand_above(void **state) {
    (void)state;
    shows("\\dot{x}_{1}",
          "<msub><mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover><mn>1</mn></msub>");
    shows("\\tilde H", "<mover accent=\"true\"><mi>H</mi><mo stretchy=\"false\">˜</mo></mover>");
}

static void fractions_roots_and_matrices(void **state) {
    (void)state;
    shows("\\frac{a b}{2}", "<mfrac><mrow><mi>a</mi>" TIMES "<mi>b</mi></mrow><mn>2</mn></mfrac>");
    shows("\\tfrac{d}{dt} x",
          "<mfrac "
          "displaystyle=\"false\"><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>" THIN_TIMES
          "<mi>x</mi>");
    shows("\\sqrt{x}", "<msqrt><mi>x</mi></msqrt>");
    shows("\\begin{pmatrix}\na & b \\\\\nc & d\n\\end{pmatrix}",
          "<mrow><mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></"
          "mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable><mo>)</mo></mrow>");
}

static void functions_have_thin_spaces(void **state) {
    (void)state;
    shows("a \\sin(x)", "<mi>a</mi>" THIN_TIMES "<mi>sin</mi>" APPLIED OPEN "<mi>x</mi>" CLOSE);
    shows("\\sin^{2}(x)", "<msup><mi>sin</mi><mn>2</mn></msup>" APPLIED OPEN "<mi>x</mi>" CLOSE);
    shows("\\det W", "<mi>det</mi><mo lspace=\"0.17em\">\xE2\x81\xA1</mo><mi>W</mi>");
}

static void brackets_of_all_kinds(void **state) {
    (void)state;
    shows("\\left|x\\right|", "<mrow><mo>|</mo><mi>x</mi><mo>|</mo></mrow>");
    shows("\\{x,p\\}", "<mrow><mo stretchy=\"false\">{</mo><mi>x</mi><mo>,</mo><mi>p</mi><mo "
                       "stretchy=\"false\">}</mo></mrow>");
    shows("[X,Y]_{x}", "<msub><mrow><mo stretchy=\"false\">[</mo><mi>X</mi><mo>,</mo><mi>Y</mi><mo "
                       "stretchy=\"false\">]</mo></mrow><mi>x</mi></msub>");
}

static uint32_t lines_of(const char *latex) {
    text shown = {0};
    assert_true(mathml_block(latex, &shown));
    uint32_t lines = strstr(text_string(&shown), "<mtable") ? 0 : 1;
    for (const char *at = text_string(&shown); (at = strstr(at, "<mtr>")); at++) lines++;
    text_free(&shown);
    return lines;
}

// A sum of 20 terms of about 9 characters each needs at least three lines of 70, in brackets, as a
// numerator and under a root too.
static void long_sums_go_on_in_new_lines(void **state) {
    (void)state;
    text sum = {0}, fenced = {0};
    text_append(&sum, "x = a");
    for (int i = 0; i < 20; i++) text_append(&sum, " + a b c d e f");
    text_format(&fenced, "x = \\left(%s\\right)", text_string(&sum) + 4);
    assert_int_equal(lines_of("x = a + b"), 1);
    assert_in_range(lines_of(text_string(&sum)), 3, 4);
    assert_in_range(lines_of(text_string(&fenced)), 3, 4);
    text_clear(&fenced);
    text_format(&fenced, "x = \\frac{%s}{b}", text_string(&sum) + 4);
    assert_in_range(lines_of(text_string(&fenced)), 3, 4);
    text_clear(&fenced);
    text_format(&fenced, "x = \\sqrt{%s}", text_string(&sum) + 4);
    assert_in_range(lines_of(text_string(&fenced)), 3, 4);
    text_clear(&fenced);
    text_format(&fenced, "x^{%s}", text_string(&sum) + 4);
    assert_int_equal(lines_of(text_string(&fenced)), 1);
    text_free(&sum);
    text_free(&fenced);
}

// Brackets stretch around lines, and the lines of a numerator stand in it.
static void lines_stand_where_the_sum_is(void **state) {
    (void)state;
    text latex = {0}, shown = {0};
    text_append(&latex, "x = \\frac{f(a");
    for (int i = 0; i < 12; i++) text_append(&latex, " + a b c d e f g h");
    text_append(&latex, ")}{b}");
    assert_true(mathml_block(text_string(&latex), &shown));
    const char *at = strstr(text_string(&shown), "<mfrac>");
    assert_non_null(at);
    at = strstr(at, "<mo>(</mo><mtable><mtr>");
    assert_non_null(at);
    at = strstr(at, "</mtable><mo>)</mo>");
    assert_non_null(at);
    assert_non_null(strstr(at, "<mi>b</mi></mfrac>"));
    text_free(&latex);
    text_free(&shown);
}

static void what_is_not_known_stands_as_it_is(void **state) {
    (void)state;
    static const char *const wrong[] = {"\\unheard{x}",
                                        "\\left(x",
                                        "x}",
                                        "\\frac{a}",
                                        "\\sin\\right)",
                                        "<an expression of 3 symbols>",
                                        "(x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        text shown = {0};
        assert_false(mathml_inline(wrong[i], &shown));
        assert_non_null(strstr(text_string(&shown), "<mtext>"));
        text_free(&shown);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_numbers_and_signs),
        cmocka_unit_test(scripts_gather_in_one_element),
        cmocka_unit_test(dots_stand_above),
        cmocka_unit_test(fractions_roots_and_matrices),
        cmocka_unit_test(functions_have_thin_spaces),
        cmocka_unit_test(brackets_of_all_kinds),
        cmocka_unit_test(long_sums_go_on_in_new_lines),
        cmocka_unit_test(lines_stand_where_the_sum_is),
        cmocka_unit_test(what_is_not_known_stands_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
