// Printing one expression in the three styles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "print/expression.h"
#include "unit/t_normal_words.h"

static void prints(reader_of_words *r, expr e, print_style style, const char *wanted) {
    text printed = {0};
    print_expression(r->p, e, style, &printed);
    assert_string_equal(text_string(&printed), wanted);
    text_free(&printed);
}

static void as_text(reader_of_words *r, const char *sentence, const char *wanted) {
    const expr e = words_read(r, sentence);
    prints(r, e, STYLE_TEXT, wanted);
    assert_true(words_read(r, wanted) == e); // and back
}

static void quotients_have_one_bar(void **state) {
    as_text(*state, "1/2*m*x'^2", "m*x'^2/2");
    as_text(*state, "-a*m*v*w*(J + a^2*m)^-1", "-m*a*v*w/(J + m*a^2)");
    as_text(*state, "x/(2*y*z)", "x/(2*y*z)");
    as_text(*state, "x^-1", "1/x");
    as_text(*state, "2/3", "2/3");
    as_text(*state, "-2/3*x", "-2*x/3");
    as_text(*state, "(x + y)/(x - y)", "(x + y)/(x - y)");
}

static void powers_and_roots_read_naturally(void **state) {
    as_text(*state, "x^(1/2)", "sqrt(x)");
    as_text(*state, "x^(-1/2)*y", "y/sqrt(x)");
    as_text(*state, "x^(1/3)*2^(1/3)", "2^(1/3)*x^(1/3)");
    as_text(*state, "(x'^2 + 1)^(3/2)", "(1 + x'^2)^(3/2)");
    as_text(*state, "x^y*(x + y)^(2*y)", "x^y*(x + y)^(2*y)");
    as_text(*state, "(x^y)^z", "(x^y)^z");
}

static void terms_lead_with_a_plus(void **state) {
    as_text(*state, "-x + y", "y - x");
    as_text(*state, "-x - y", "-x - y");
    as_text(*state, "-(x - y)*z", "z*(y - x)");
    as_text(*state, "a - (x - y)^3", "a + (y - x)^3");
    as_text(*state, "m*g*l*(1 - cos(theta))", "m*g*l*(1 - cos(theta))");
}

static void common_numbers_stand_in_front(void **state) {
    as_text(*state, "x/2 + y/2", "(x + y)/2");
    as_text(*state, "2*x + 4*y", "2*(x + 2*y)");
    as_text(*state, "-2*x - 2*y", "-2*(x + y)");
    as_text(*state, "x/2 + y/3", "x/2 + y/3");
    as_text(*state, "x/2 + y/2 + z", "x/2 + y/2 + z");
    as_text(*state, "x^2/2 + y^2/2 + z^2/2 + theta^2/2 + x*y",
            "(x^2 + 2*x*y + y^2 + z^2 + theta^2)/2");
    as_text(*state, "x''/2 + y''/2 + theta''/2 + phi''", "x''/2 + y''/2 + theta''/2 + phi''");
    as_text(*state, "x/2 + y/2 + z/2 + 1/2 + theta", "(1 + x + y + z + 2*theta)/2");
}

static void factors_and_terms_stand_in_human_order(void **state) {
    as_text(*state, "x'*sin(x)*x*m*2", "2*m*x*x'*sin(x)");
    as_text(*state, "cos(theta)*v - a*sin(theta)*w", "v*cos(theta) - a*w*sin(theta)");
    as_text(*state, "cos(theta)*y' - sin(theta)*x'", "y'*cos(theta) - x'*sin(theta)");
    as_text(*state, "sqrt(1 + y^2)*x'", "x'*sqrt(1 + y^2)");
    as_text(*state, "sin(x)*(m + a)*(x' + y')*x''", "(m + a)*x''*sin(x)*(x' + y')");
    as_text(*state, "A(z)*y'*lambda*cos(z)", "lambda*A(z)*y'*cos(z)");
    as_text(*state, "k*x + a*x' + m*x''", "m*x'' + a*x' + k*x");
    as_text(*state, "y^2 + 1", "1 + y^2");
    as_text(*state, "lambda*sin(phi) + g", "g + lambda*sin(phi)");
    as_text(*state, "x'^2 + 2*x'*y' + y'^2", "x'^2 + 2*x'*y' + y'^2");
}

static void constants_that_are_only_subtracted_stand_last(void **state) {
    as_text(*state, "x^2 - 1 + y^2", "x^2 + y^2 - 1");
    as_text(*state, "x^2 - l^2 + y^2", "x^2 + y^2 - l^2");
    as_text(*state, "x'^2 - 1 - l^2 + x", "x'^2 + x - l^2 - 1");
    as_text(*state, "J - m + x^2", "J - m + x^2");
    as_text(*state, "J + m*a^2", "J + m*a^2");
    as_text(*state, "-1 - x^2", "-x^2 - 1");
}

static void functions_and_their_derivatives(void **state) {
    as_text(*state, "diff(A(z), z)", "diff(A(z), z)");
    as_text(*state, "diff(diff(F(x, y), x), y)", "diff(diff(F(x, y), x), y)");
    as_text(*state, "atan2(x, y) + exp(x)*abs(y)", "atan2(x, y) + exp(x)*abs(y)");
    reader_of_words *r = *state;
    prints(r, words_read(r, "diff(A(2*z), z)"), STYLE_TEXT, "2*D1_A(2*z)");
    prints(r, words_read(r, "diff(A(z), z)"), STYLE_LATEX, "A'(z)");
    prints(r, words_read(r, "diff(diff(F(x, y), x), x)"), STYLE_LATEX,
           "\\partial_{1}^{2} F\\left(x, y\\right)");
}

static void as_latex(reader_of_words *r, const char *sentence, const char *wanted) {
    prints(r, words_read(r, sentence), STYLE_LATEX, wanted);
}

static void latex_uses_its_own_signs(void **state) {
    as_latex(*state, "-a*m*v*w/(J + a^2*m)", "-\\frac{m a v w}{J + m a^{2}}");
    as_latex(*state, "theta''*sin(theta)^2/2", "\\frac{\\ddot{\\theta} \\sin^{2}(\\theta)}{2}");
    as_latex(*state, "sqrt(x'^2 + y'^2)*(x + y)",
             "\\left(x + y\\right) \\sqrt{\\dot{x}^{2} + \\dot{y}^{2}}");
    as_latex(*state, "lambda[blade]*q[1]'''", "\\lambda_{\\mathrm{blade}} \\dddot{q}_{1}");
    as_latex(*state, "q[2]''''^2", "\\left(q_{2}^{(4)}\\right)^{2}");
    as_latex(*state, "exp(x/2)*abs(y)", "e^{\\frac{x}{2}} \\left|y\\right|");
    as_latex(*state, "3*2^(1/3)*pi", "3 \\cdot 2^{1/3} \\pi");
}

static void as_sympy(reader_of_words *r, const char *sentence, const char *wanted) {
    prints(r, words_read(r, sentence), STYLE_SYMPY, wanted);
}

static void sympy_gets_derivatives_at_arguments_as_substitutions(void **state) {
    as_sympy(*state, "diff(A(z), z)", "diff(A(z), z)");
    as_sympy(*state, "diff(A(2*z), z)", "2*Subs(Derivative(A(xi_1_), xi_1_), (xi_1_,), (2*z,))");
    as_sympy(*state, "diff(diff(F(x*y, x), y), y)",
             "x**2*Subs(Derivative(F(xi_1_, xi_2_), xi_1_, xi_1_), (xi_1_, xi_2_), (x*y, x))");
}

static void variations_and_transpositions_have_their_signs(void **state) {
    reader_of_words *r = *state;
    static const struct {
        symbol_role role;
        const char *name;
        print_style style;
        const char *wanted;
    } cases[] = {
        {ROLE_VARIATION, "theta", STYLE_TEXT, "delta(theta)"},
        {ROLE_VARIATION, "delta(theta)", STYLE_TEXT, "delta(theta)"},
        {ROLE_VARIATION, "delta(theta)", STYLE_LATEX, "\\delta \\theta"},
        {ROLE_TRANSPOSE, "transpose(theta)", STYLE_TEXT, "transpose(theta)"},
        {ROLE_TRANSPOSE, "theta", STYLE_TEXT, "transpose(theta)"},
        {ROLE_TRANSPOSE, "transpose(theta)", STYLE_LATEX,
         "\\left(\\delta \\dot{\\theta} - \\tfrac{d}{dt} \\delta \\theta\\right)"},
        {ROLE_TRANSPOSE, "transpose(q[2])", STYLE_LATEX,
         "\\left(\\delta \\dot{q}_{2} - \\tfrac{d}{dt} \\delta q_{2}\\right)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text out = {0};
        print_symbol_name(r->p, expr_symbol(r->p, cases[i].name, cases[i].role), cases[i].style,
                          &out);
        assert_string_equal(text_string(&out), cases[i].wanted);
        text_free(&out);
    }
}

static void sympy_names_are_python_identifiers(void **state) {
    as_sympy(*state, "x'^2*q[1]''/2", "x_t**2*q_1_tt/2");
    as_sympy(*state, "lambda[blade]*abs(x) + lambda", "lam + lam_blade*Abs(x)");
    as_sympy(*state, "x^(3/2)", "x**(3/2)");
    reader_of_words *r = *state;
    prints(r, expr_symbol(r->p, "beta", ROLE_PARAMETER), STYLE_SYMPY, "beta_");
    prints(r, expr_symbol(r->p, "S", ROLE_PARAMETER), STYLE_SYMPY, "S_");
    prints(r, expr_symbol(r->p, "is", ROLE_PARAMETER), STYLE_SYMPY, "is_");
    prints(r, expr_symbol(r->p, "omega", ROLE_PARAMETER), STYLE_SYMPY, "omega");
}

static void sympy_names_are_all_different(void **state) {
    reader_of_words *r = *state;
    static const struct {
        const char *name;
        symbol_role role;
        uint32_t order;
        const char *wanted;
    } cases[] = {
        {"x", ROLE_COORDINATE, 1, "x_t"},
        {"x_t", ROLE_PARAMETER, 0, "x_t_"},
        {"x_t_", ROLE_PARAMETER, 0, "x_t__"},
        {"x_t", ROLE_COORDINATE, 2, "x_t__tt"},
        {"q[1]", ROLE_COORDINATE, 0, "q_1"},
        {"q_1", ROLE_PARAMETER, 0, "q_1_"},
        {"q[1,2]", ROLE_COORDINATE, 0, "q_1_2"},
        {"q_1[2]", ROLE_COORDINATE, 0, "q_1__2"},
        {"q[-1]", ROLE_COORDINATE, 0, "q_m1"},
        {"q_m1", ROLE_PARAMETER, 0, "q_m1_"},
        {"lambda[c1]", ROLE_MULTIPLIER, 0, "lam_c1"},
        {"lam_c1", ROLE_PARAMETER, 0, "lam_c1_"},
        {"lambda", ROLE_PARAMETER, 0, "lam"},
        {"lam", ROLE_PARAMETER, 0, "lam_"},
        {"lambda[roll.x]", ROLE_MULTIPLIER, 0, "lam_roll_x"},
        {"lambda[roll_x]", ROLE_MULTIPLIER, 0, "lam_roll_x_"},
        {"lambda[b[2]]", ROLE_MULTIPLIER, 0, "lam_b_2"},
        {"lambda[b_2]", ROLE_MULTIPLIER, 0, "lam_b_2_"},
        {"lambda[b[2].x]", ROLE_MULTIPLIER, 0, "lam_b_2_x"},
        {"lambda[x]", ROLE_MULTIPLIER, 0, "lam_x"},
        {"lambda[tt]", ROLE_MULTIPLIER, 0, "lam_tt_"},
        {"delta(x)", ROLE_VARIATION, 0, "delta_x"},
        {"delta_x", ROLE_PARAMETER, 0, "delta_x_"},
        {"delta", ROLE_COORDINATE, 2, "delta_tt"},
        {"delta(tt)", ROLE_VARIATION, 0, "delta_tt_"},
        {"t1", ROLE_PARAMETER, 0, "t1"},
        {"m_disk", ROLE_PARAMETER, 0, "m_disk"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const expr e = expr_symbol(r->p, cases[i].name, cases[i].role);
        prints(r, expr_symbol_of_order(r->p, e, cases[i].order), STYLE_SYMPY, cases[i].wanted);
        for (size_t j = 0; j < i; j++) assert_string_not_equal(cases[i].wanted, cases[j].wanted);
    }
}

static void names_take_apart_for_latex(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"theta1", "\\theta_{1}"}, {"speed", "\\mathrm{speed}"}, {"m_disk", "m_{\\mathrm{disk}}"},
        {"q[1,2]", "q_{1,2}"},     {"q[-1]", "q_{-1}"},          {"x", "x"},
        {"Omega0", "\\Omega_{0}"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text printed = {0};
        print_name(cases[i][0], 0, STYLE_LATEX, &printed);
        assert_string_equal(text_string(&printed), cases[i][1]);
        text_free(&printed);
    }
}

static void named_nodes_print_as_their_names_except_at_the_root(void **state) {
    reader_of_words *r = *state;
    const expr inner = words_read(r, "x + y"), outer = words_read(r, "(x + y)^2*z"),
               square = words_read(r, "(x + y)^2");
    const expr named[] = {outer, inner};
    const char *const names[] = {"w2", "w1"};
    text printed = {0};
    printer *pr = printer_create(r->p, named, names, 2);
    printer_print(pr, outer, STYLE_TEXT, &printed);
    text_char(&printed, ';');
    printer_print(pr, inner, STYLE_TEXT, &printed);
    text_char(&printed, ';');
    printer_print(pr, expr_sub(r->p, square, outer), STYLE_TEXT, &printed);
    printer_free(pr);
    assert_string_equal(text_string(&printed), "z*w1^2;x + y;w1^2 - w2");
    text_free(&printed);
}

// Each name is the square of the one before, plus x: written out the last
// would have 2^10000 symbols.
static void ten_thousand_names_print_in_linear_time(void **state) {
    enum { NAMES = 10000 };
    reader_of_words *r = *state;
    expr *named = memory_array(expr, NAMES);
    char(*spelled)[16] = memory_unset(NAMES, sizeof *spelled);
    const char **names = memory_array(const char *, NAMES);
    const expr x = words_read(r, "x");
    for (int i = 0; i < NAMES; i++) {
        named[i] = expr_add(r->p, x, expr_square(r->p, i ? named[i - 1] : words_read(r, "y")));
        snprintf(spelled[i], sizeof spelled[i], "w%d", i);
        names[i] = spelled[i];
    }
    const clock_t start = clock();
    printer *pr = printer_create(r->p, named, names, NAMES);
    text printed = {0};
    for (int i = 0; i < NAMES; i++)
        text_clear(&printed), printer_print(pr, named[i], STYLE_TEXT, &printed);
    assert_string_equal(text_string(&printed), "x + w9998^2");
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    // takes 0.01 s; with the look-up made anew for each print it took 13 s
    const double PATIENCE = 2;
    assert_true(seconds < PATIENCE);
    printer_free(pr);
    text_free(&printed);
    memory_free(named), memory_free(spelled), memory_free(names);
}

static void a_tree_too_large_to_write_is_only_described(void **state) {
    reader_of_words *r = *state;
    expr e = words_read(r, "x");
    for (int i = 0; i < 100; i++) {
        const expr f = expr_function(r->p, EXPR_SIN, &e);
        e = expr_mul(r->p, f, expr_function(r->p, EXPR_COS, &e));
    }
    prints(r, e, STYLE_TEXT, "<an expression of 4294967295 symbols>");
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, words_setup, words_teardown)
    const struct CMUnitTest tests[] = {
        TEST(quotients_have_one_bar),
        TEST(powers_and_roots_read_naturally),
        TEST(terms_lead_with_a_plus),
        TEST(common_numbers_stand_in_front),
        TEST(factors_and_terms_stand_in_human_order),
        TEST(constants_that_are_only_subtracted_stand_last),
        TEST(functions_and_their_derivatives),
        TEST(latex_uses_its_own_signs),
        TEST(sympy_names_are_python_identifiers),
        TEST(sympy_gets_derivatives_at_arguments_as_substitutions),
        TEST(variations_and_transpositions_have_their_signs),
        TEST(sympy_names_are_all_different),
        TEST(names_take_apart_for_latex),
        TEST(named_nodes_print_as_their_names_except_at_the_root),
        TEST(ten_thousand_names_print_in_linear_time),
        TEST(a_tree_too_large_to_write_is_only_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
