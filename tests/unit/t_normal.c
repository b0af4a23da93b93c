// Normal forms: the shortest way to write an expression, deciding zero, solving linear systems.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "normal/normal.h"
#include "print/expression.h"
#include "expr/program.h"
#include "unit/t_normal_words.h"

static void simplifies(reader_of_words *r, const char *from, const char *to) {
    const normal_budget b = normal_budget_default();
    const expr e = normal_simplify(r->p, words_read(r, from), &b);
    text printed = {0};
    print_expression(r->p, e, STYLE_TEXT, &printed);
    assert_string_equal(text_string(&printed), to);
    text_free(&printed);
}

static void short_forms_stay_as_they_are(void **state) {
    simplifies(*state, "a*w^2", "a*w^2");
    simplifies(*state, "-a*m*v*w/(J + a^2*m)", "-m*a*v*w/(J + m*a^2)");
    simplifies(*state, "-y*x'*y'/(1 + y^2)", "-y*x'*y'/(1 + y^2)");
    simplifies(*state, "g + lambda*sin(phi)", "g + lambda*sin(phi)");
    simplifies(*state, "-lambda*cos(phi)", "-lambda*cos(phi)");
    simplifies(*state, "(x + y)^20", "(x + y)^20");
}

static void squares_of_sine_and_cosine_cancel(void **state) {
    simplifies(*state, "m*x'^2*sin(theta)^2 + m*(x'*cos(theta))^2", "m*x'^2");
    simplifies(*state, "(1 - cos(x)^2)/sin(x)", "sin(x)");
    simplifies(*state, "sin(x)^4 - cos(x)^4", "1 - 2*cos(x)^2");
    simplifies(*state, "m*x'*cos(theta)^2 + J*x'*sin(theta)^2",
               "(m*cos(theta)^2 + J*sin(theta)^2)*x'");
    simplifies(*state, "(m + M)*l^2*theta'' - m*l^2*cos(theta)^2*theta''",
               "l^2*(M + m*sin(theta)^2)*theta''");
    simplifies(*state, "cosh(x)^2 - sinh(x)^2", "1");
    simplifies(*state, "tan(x)*cos(x)", "sin(x)");
    simplifies(*state, "x'*(cos(x)*y' - sin(x)*z')/cos(x)", "x'*(y' - z'*tan(x))");
}

static normal_truth zero(reader_of_words *r, const char *sentence) {
    const normal_budget b = normal_budget_default();
    return normal_is_zero(r->p, words_read(r, sentence), &b);
}

static void hyperbolic_functions_have_addition_theorems(void **state) {
    assert_int_equal(zero(*state, "cosh(x + y) - cosh(x)*cosh(y) - sinh(x)*sinh(y)"), NORMAL_YES);
    assert_int_equal(zero(*state, "sinh(x - y) - sinh(x)*cosh(y) + cosh(x)*sinh(y)"), NORMAL_YES);
    assert_int_equal(zero(*state, "cosh(2*x) - 2*sinh(x)^2 - 1"), NORMAL_YES);
    assert_int_not_equal(zero(*state, "cosh(x + y) - cosh(x)*cosh(y) + sinh(x)*sinh(y)"),
                         NORMAL_YES);
}

// Only pairs of equal size are cos(x - y) or sin(x + y).
static void pairs_of_other_coefficients_are_left_alone(void **state) {
    reader_of_words *r = *state;
    static const char *const sentences[] = {
        "2*cos(x)*cos(y) + 3*sin(x)*sin(y)",
        "m*cos(x)*cos(y) + m*sin(x)*sin(y) + a*sin(x)*cos(y)",
        "2*sin(x)*cos(y) - 3*cos(x)*sin(y) + 2*x*cos(x)*cos(y) + 2*x*sin(x)*sin(y)",
        "5*cos(x)*cos(y) - 5*sin(x)*sin(y) + x^2",
    };
    const normal_budget budget = normal_budget_default();
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        const expr e = words_read(r, sentences[i]), made = normal_simplify(r->p, e, &budget);
        for (int point = 0; point < 3; point++) {
            double at[64];
            assert_true(pool_symbol_count(r->p) <= 64);
            for (int j = 0; j < 64; j++) at[j] = 0.3 + 0.17 * j * (point + 1);
            assert_true(fabs(expr_value(r->p, e, at) - expr_value(r->p, made, at)) < 1e-9);
        }
    }
}

static void sums_of_angles_are_used_where_they_help(void **state) {
    simplifies(*state, "cos(x)*cos(y) + sin(x)*sin(y)", "cos(x - y)");
    simplifies(*state, "sin(x + y)*cos(y) - cos(x + y)*sin(y)", "sin(x)");
    simplifies(*state, "sin(x/2)*cos(x/2) - sin(x)/2", "0");
    simplifies(*state, "m*l*cos(x - y)*y'' - m*l*(cos(x)*cos(y) + sin(x)*sin(y))*y''", "0");
}

static void fractions_are_reduced_and_split(void **state) {
    simplifies(*state, "((J + a^2*m)*x'' + a*m*v*w)/(J + a^2*m)", "x'' + m*a*v*w/(J + m*a^2)");
    simplifies(*state, "(x^2 - y^2)/(x - y)", "x + y");
    simplifies(*state, "m*r^2*(2*(R - r)^2 + 5*x^2)/(5*(R - r)^2)",
               "m*r^2*(2 + 5*x^2/(R - r)^2)/5");
    simplifies(*state, "5*m*(x*sin(phi) - y*cos(phi))^2 + m*z^2",
               "m*(z^2 + 5*(x*sin(phi) - y*cos(phi))^2)");
    simplifies(*state, "(exp(2*x) - 1)/(exp(x) - 1)", "1 + exp(x)");
}

static void roots_obey_their_equation(void **state) {
    simplifies(*state, "a*g*x'*(x'^2 + y'^2)/((1 + a^2)*(x'^2 + y'^2)^(3/2))",
               "a*g*x'/((1 + a^2)*sqrt(x'^2 + y'^2))");
    simplifies(*state, "(x - 1)/(sqrt(x) - 1)", "1 + sqrt(x)");
    simplifies(*state, "1/(1 + sqrt(x))", "1/(1 + sqrt(x))");
    simplifies(*state, "sqrt(x^2*sin(y)^2 + x^2*cos(y)^2 + z^2)", "sqrt(x^2 + z^2)");
    simplifies(*state, "sqrt((x + y)^2 + 1) - sqrt(x^2 + 2*x*y + y^2 + 1)", "0");
}

static void a_cotangent_keeps_its_value_where_the_cosine_vanishes(void **state) {
    simplifies(*state, "(x'*sin(phi) + y'*sin(phi))/cos(phi)", "tan(phi)*(x' + y')");
    simplifies(*state, "(x'*cos(phi) + y'*cos(phi))/sin(phi)", "cos(phi)*(x' + y')/sin(phi)");
    simplifies(*state, "x'/tan(phi) + y'*cos(phi)^2/sin(phi)^2*tan(phi)",
               "cos(phi)*(x' + y')/sin(phi)");
}

static void what_a_root_is_the_root_of_is_written_by_it(void **state) {
    simplifies(*state, "a*((x - y)^2 - l*sqrt((x - y)^2 + z^2) + z^2)/(x^2 - 2*x*y + y^2 + z^2)",
               "a*(1 - l/sqrt(z^2 + (x - y)^2))");
    simplifies(*state, "g*sqrt(1 + (x + y)^2)/(1 + x^2 + 2*x*y + y^2)", "g/sqrt(1 + (x + y)^2)");
    simplifies(*state, "(x^2 + y^2 + sqrt(x^2 + y^2))/(x^2 + y^2)^2",
               "(1 + sqrt(x^2 + y^2))/(x^2 + y^2)^(3/2)");
    // not all of it
    simplifies(*state, "(x^2 + y^2 + 1)/sqrt(x^2 + y^2)", "(1 + x^2 + y^2)/sqrt(x^2 + y^2)");
}

static void symbols_that_come_in_sums_and_differences_stay_in_them(void **state) {
    simplifies(*state, "x'/(x^2 - 2*x*y + y^2 + z^2)", "x'/(z^2 + (x - y)^2)");
    simplifies(*state, "(x + y + r)^2 + (x - y)^2*0 + g", "g + (r + x + y)^2");
    simplifies(*state, "x'/(m^2 + 2*m*M + M^2 - a*m*x - a*M*x + g)",
               "x'/(g + (m + M)^2 - a*x*(m + M))");
    // y comes alone too
    simplifies(*state, "x'/(x^2 - 2*x*y + 2*y^2 + z^2)", "x'/(x^2 - 2*x*y + 2*y^2 + z^2)");
}

static void equations_of_motion_are_collected_in_velocities(void **state) {
    simplifies(*state, "m*x'^2*x + J*x'^2*x + m*x'*y' + a*x'*y'", "x'*((m + a)*y' + x*(m + J)*x')");
    simplifies(*state, "m*l^2*(cos(x)*cos(y) + sin(x)*sin(y))*y'' + m*l^2*x'' + m*g*l*sin(x)",
               "m*l*(l*x'' + l*y''*cos(x - y) + g*sin(x))");
}

static void energies_are_collected_in_parameters(void **state) {
    simplifies(*state, "m*x'^2/2 + m*y'^2/2 + J*psi'^2/2 + J*phi'^2/2 + J*psi'*phi'*cos(theta)",
               "(m*(x'^2 + y'^2) + J*(phi'^2 + psi'^2 + 2*phi'*psi'*cos(theta)))/2");
    simplifies(*state, "m*(5*x'^2 + 5*y'^2 + 2*r^2*psi'^2 + 2*r^2*theta'^2)/10",
               "m*(x'^2 + y'^2)/2 + m*r^2*(theta'^2 + psi'^2)/5");
}

static void abstract_functions_are_generators(void **state) {
    simplifies(*state, "A(z)^2 + 2*A(z)*x + x^2", "(x + A(z))^2");
    simplifies(*state, "diff(A(z)*z, z) - A(z)", "z*diff(A(z), z)");
}

static void a_large_expression_comes_back_untouched(void **state) {
    reader_of_words *r = *state;
    const normal_budget b = {.terms = 20, .generators = 8};
    const expr e = words_read(r, "(x + y)^7*(x' + y' + z')^5 + (x + 2*y)^8*(x' - y' + z')^5");
    assert_true(normal_simplify(r->p, e, &b) == e);
    assert_int_equal(normal_is_zero(r->p, e, &b), NORMAL_UNKNOWN);
}

static void zero_is_proved(void **state) {
    assert_int_equal(zero(*state, "(x + y)^3 - x^3 - 3*x^2*y - 3*x*y^2 - y^3"), NORMAL_YES);
    assert_int_equal(zero(*state, "sin(x + y) - sin(x)*cos(y) - cos(x)*sin(y)"), NORMAL_YES);
    assert_int_equal(zero(*state, "sqrt(x)*sqrt(x) - x"), NORMAL_YES);
    assert_int_equal(zero(*state, "tan(x)^2 + 1 - 1/cos(x)^2"), NORMAL_YES);
    assert_int_equal(zero(*state, "cos(3*x) - 4*cos(x)^3 + 3*cos(x)"), NORMAL_YES);
}

static void nonzero_is_claimed_only_where_that_is_known(void **state) {
    assert_int_equal(zero(*state, "sin(x) - x"), NORMAL_NO);
    assert_int_equal(zero(*state, "A(z) - z"), NORMAL_NO);
    assert_int_equal(zero(*state, "sqrt(2)*sqrt(3) - x"), NORMAL_NO);
    // true for x, y > 0
    assert_int_equal(zero(*state, "sqrt(x)*sqrt(y) - sqrt(x*y)"), NORMAL_UNKNOWN);
    assert_int_equal(zero(*state, "log(x*y) - log(x) - log(y)"), NORMAL_UNKNOWN);
    assert_int_equal(zero(*state, "A(2*z) - A(z)"), NORMAL_UNKNOWN);
    assert_int_equal(zero(*state, "exp(x) - sinh(x) - cosh(x)"), NORMAL_UNKNOWN);
    assert_int_equal(zero(*state, "8*sin(pi/18)^3 - 6*sin(pi/18) + 1"), NORMAL_UNKNOWN);
}

static void solves(reader_of_words *r, uint32_t n, const char *const *equations,
                   const char *const *unknowns, const char *const *solutions) {
    const normal_budget b = normal_budget_default();
    expr residual[8], unknown[8], out[8];
    for (uint32_t i = 0; i < n; i++)
        residual[i] = words_read(r, equations[i]), unknown[i] = words_read(r, unknowns[i]);
    assert_true(normal_solve(r->p, n, residual, unknown, &b, out));
    for (uint32_t i = 0; i < n; i++) {
        text printed = {0};
        print_expression(r->p, out[i], STYLE_TEXT, &printed);
        assert_string_equal(text_string(&printed), solutions[i]);
        text_free(&printed);
    }
}

static void the_sleigh_is_solved_for_its_accelerations(void **state) {
    solves(*state, 2, (const char *[]){"m*v' - m*a*w^2", "(J + m*a^2)*w' + m*a*v*w"},
           (const char *[]){"v'", "w'"}, (const char *[]){"a*w^2", "-m*a*v*w/(J + m*a^2)"});
}

static void multipliers_are_solved_for_together_with_accelerations(void **state) {
    solves(*state, 4,
           (const char *[]){"x'' + lambda*a*x'/sqrt(x'^2 + y'^2)",
                            "y'' + lambda*a*y'/sqrt(x'^2 + y'^2)", "z'' + g - lambda",
                            "z'' - a*(x'*x'' + y'*y'')/sqrt(x'^2 + y'^2)"},
           (const char *[]){"x''", "y''", "z''", "lambda"},
           (const char *[]){"-a*g*x'/((1 + a^2)*sqrt(x'^2 + y'^2))",
                            "-a*g*y'/((1 + a^2)*sqrt(x'^2 + y'^2))", "-a^2*g/(1 + a^2)",
                            "g/(1 + a^2)"});
}

static void the_double_pendulum_comes_out_in_differences_of_angles(void **state) {
    solves(*state, 2,
           (const char *[]){"(m + M)*l*x'' + M*r*(cos(x)*cos(y) + sin(x)*sin(y))*y'' + M*r*sin(x - "
                            "y)*y'^2 + (m + M)*g*sin(x)",
                            "r*y'' + l*cos(x - y)*x'' - l*sin(x - y)*x'^2 + g*sin(y)"},
           (const char *[]){"x''", "y''"},
           (const char *[]){"-(M*r*y'^2*sin(x - y) + M*l*x'^2*sin(x - y)*cos(x - y) + g*(m*sin(x) "
                            "+ M*sin(x - y)*cos(y)))/(l*(m + M*sin(x - y)^2))",
                            "sin(x - y)*(l*(m + M)*x'^2 + M*r*y'^2*cos(x - y) + g*(m + "
                            "M)*cos(x))/(r*(m + M*sin(x - y)^2))"});
}

static void a_solution_that_is_too_long_is_refused(void **state) {
    reader_of_words *r = *state;
    normal_budget b = normal_budget_default();
    const expr residual[2] = {words_read(r, "m*v' - m*a*w^2"),
                              words_read(r, "(J + m*a^2)*w' + m*a*v*w")};
    const expr unknown[2] = {words_read(r, "v'"), words_read(r, "w'")};
    expr out[2];
    assert_true(normal_solve(r->p, 2, residual, unknown, &b, out));
    const uint32_t weight = expr_weight(r->p, out[1]); // the longer one
    b.longest = weight + 1;
    assert_true(normal_solve(r->p, 2, residual, unknown, &b, out));
    b.longest = weight;
    assert_false(normal_solve(r->p, 2, residual, unknown, &b, out));
}

static void results_are_remembered(void **state) {
    reader_of_words *r = *state;
    normal_budget b = normal_budget_default();
    b.memory = normal_memory_create();
    const expr e = words_read(r, "cos(x)*cos(y) + sin(x)*sin(y)"),
               first = normal_simplify(r->p, e, &b);
    const uint32_t nodes = pool_size(r->p);
    for (int i = 0; i < 200; i++) { // the table grows, and nothing is lost
        char sentence[64];
        snprintf(sentence, sizeof sentence, "(x + %d)*(x - %d)", i + 1, i + 1);
        normal_simplify(r->p, words_read(r, sentence), &b);
    }
    assert_true(pool_size(r->p) > nodes);
    assert_true(normal_simplify(r->p, e, &b) == first);
    normal_memory_free(b.memory);
}

static void singular_and_nonlinear_systems_are_refused(void **state) {
    reader_of_words *r = *state;
    const normal_budget b = normal_budget_default();
    const expr unknown[2] = {words_read(r, "x''"), words_read(r, "y''")};
    expr out[2];
    const expr singular[2] = {words_read(r, "cos(x - y)*x'' + y''"),
                              words_read(r, "(cos(x)*cos(y) + sin(x)*sin(y))*x'' + y'' - g")};
    assert_false(normal_solve(r->p, 2, singular, unknown, &b, out));
    const expr hidden[2] = {words_read(r, "sqrt(x)*sqrt(y)*x'' + y''"),
                            words_read(r, "sqrt(x*y)*x'' + y'' - g")};
    assert_false(normal_solve(r->p, 2, hidden, unknown, &b, out));
    const expr nonlinear[2] = {words_read(r, "x''*y''"), words_read(r, "y'' - g")};
    assert_false(normal_solve(r->p, 2, nonlinear, unknown, &b, out));
}

static void weight_is_linear_in_the_dag(void **state) {
    reader_of_words *r = *state;
    expr e = words_read(r, "x");
    for (int i = 0; i < 200; i++) { // a tree of 2^200 leaves
        const expr f = expr_function(r->p, EXPR_SIN, &e);
        e = expr_mul(r->p, f, expr_function(r->p, EXPR_COS, &e));
    }
    assert_int_equal(expr_weight(r->p, e), UINT32_MAX);
    assert_true(expr_weight(r->p, words_read(r, "m*(x + y)")) <
                expr_weight(r->p, words_read(r, "m*x + m*y")));
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, words_setup, words_teardown)
    const struct CMUnitTest tests[] = {
        TEST(short_forms_stay_as_they_are),
        TEST(squares_of_sine_and_cosine_cancel),
        TEST(hyperbolic_functions_have_addition_theorems),
        TEST(pairs_of_other_coefficients_are_left_alone),
        TEST(sums_of_angles_are_used_where_they_help),
        TEST(fractions_are_reduced_and_split),
        TEST(roots_obey_their_equation),
        TEST(a_cotangent_keeps_its_value_where_the_cosine_vanishes),
        TEST(what_a_root_is_the_root_of_is_written_by_it),
        TEST(symbols_that_come_in_sums_and_differences_stay_in_them),
        TEST(equations_of_motion_are_collected_in_velocities),
        TEST(energies_are_collected_in_parameters),
        TEST(abstract_functions_are_generators),
        TEST(a_solution_that_is_too_long_is_refused),
        TEST(results_are_remembered),
        TEST(a_large_expression_comes_back_untouched),
        TEST(zero_is_proved),
        TEST(nonzero_is_claimed_only_where_that_is_known),
        TEST(the_sleigh_is_solved_for_its_accelerations),
        TEST(multipliers_are_solved_for_together_with_accelerations),
        TEST(the_double_pendulum_comes_out_in_differences_of_angles),
        TEST(singular_and_nonlinear_systems_are_refused),
        TEST(weight_is_linear_in_the_dag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
