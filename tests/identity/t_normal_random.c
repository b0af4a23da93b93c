// Random expressions: simplifying keeps the value, two ways of building one expression differ by
// zero, solutions satisfy their systems.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "expr/program.h"
#include "normal/normal.h"
#include "print/expression.h"
#include "unit/t_normal_words.h"

#include <math.h>
#include <stdio.h>

// Random expressions reach values of 1e6 or so through cancelling terms; sixteen digits leave
// eight to compare with room to spare.
static const double TOLERANCE = 1e-8;
enum { ROUNDS = 1000, SYSTEMS = 100 };

typedef struct {
    reader_of_words words;
    uint64_t state;
} fixture;

static uint32_t pick(fixture *f, uint32_t n) { return (uint32_t)(random_next(&f->state) % n); }

static int start(void **state) {
    fixture *f = malloc(sizeof *f);
    words_start(&f->words);
    f->state = 20240607;
    *state = f;
    return 0;
}

static int end(void **state) {
    words_end(&((fixture *)*state)->words);
    free(*state);
    return 0;
}

static expr leaf(fixture *f) {
    static const char *const leaves[] = {"m",      "J",   "a", "x", "y",      "theta", "x'", "y'",
                                         "theta'", "x''", "v", "w", "lambda", "1",     "2",  "3/2"};
    return words_read(&f->words, leaves[pick(f, sizeof leaves / sizeof *leaves)]);
}

static expr circular(fixture *f) {
    static const char *const calls[] = {
        "sin(x)",           "cos(x)",     "sin(y)",        "cos(y)",   "sin(x - y)",
        "cos(x - y)",       "sin(2*x)",   "cos(x + y)",    "cos(x/2)", "tan(y)",
        "sin(x)^2",         "cos(x)^2",   "sqrt(1 + x^2)", "exp(x)",   "exp(-2*x)",
        "sinh(y)",          "cosh(y)",    "tanh(y)",       "sqrt(x)",  "x^(1/3)",
        "log(x + 2)",       "abs(x - y)", "atan2(x, y)",   "x^y",      "1/sqrt(2)",
        "sqrt(x'^2 + y'^2)"};
    return words_read(&f->words, calls[pick(f, sizeof calls / sizeof *calls)]);
}

// a in disguise: roundabout ways to write it, for simplify to see through.
static expr disguise(fixture *f, expr a, expr b) {
    pool *p = f->words.p;
    const expr c = circular(f), below = expr_add(p, expr_square(p, b), expr_square(p, c));
    switch (pick(f, 6)) {
    case 0:
        return expr_sub(p, expr_mul(p, expr_add(p, a, b), c),
                        expr_add(p, expr_mul(p, b, c), expr_mul(p, a, expr_sub(p, c, EXPR_ONE))));
    case 1:
        return expr_mul(p, expr_add(p, expr_div(p, a, below), expr_div(p, b, below)),
                        expr_div(p, expr_mul(p, a, below), expr_add(p, a, b)));
    case 4: {
        const expr r = expr_sqrt(p, below); // b^2 + c^2 + c*r = r*(r + c)
        return expr_div(p, expr_mul(p, a, expr_add(p, below, expr_mul(p, c, r))),
                        expr_mul(p, r, expr_add(p, r, c)));
    }
    case 5: {
        const expr near = words_read(&f->words, "1 + (x - y)^2"),
                   far = words_read(&f->words, "1 + x^2 - 2*x*y + y^2");
        return expr_mul(p, a, expr_div(p, expr_add(p, below, near), expr_add(p, below, far)));
    }
    case 2: {
        const expr x = words_read(&f->words, "sin(x - y)"),
                   y = words_read(&f->words, "sin(x)*cos(y) - cos(x)*sin(y)");
        return expr_add(p, a, expr_mul(p, b, expr_sub(p, x, y)));
    }
    default: {
        const expr s = words_read(&f->words, "sin(x)"), t = words_read(&f->words, "cos(x)");
        return expr_add(p, expr_mul(p, expr_add(p, expr_mul(p, a, s), b), s),
                        expr_sub(p, expr_mul(p, a, expr_square(p, t)), expr_mul(p, b, s)));
    }
    }
}

static expr grow(fixture *f, int depth) {
    pool *p = f->words.p;
    if (depth == 0) return pick(f, 3) ? leaf(f) : circular(f);
    const expr a = grow(f, depth - 1), b = grow(f, depth - 1);
    if (pick(f, 3) == 0) return disguise(f, a, b);
    switch (pick(f, 9)) {
    case 0: return expr_square(p, a);
    case 1:
    case 2: return expr_add(p, a, b);
    case 3: return expr_sub(p, a, b);
    case 4: return expr_div(p, a, expr_add(p, expr_square(p, b), EXPR_ONE));
    case 5: return expr_mul(p, expr_sqrt(p, expr_add(p, expr_square(p, a), EXPR_TWO)), b);
    case 6: { // a root of what stands below
        const expr below = expr_add(p, expr_square(p, a), EXPR_TWO);
        return expr_div(p, expr_sub(p, below, expr_mul(p, b, expr_sqrt(p, below))), below);
    }
    default: return expr_mul(p, a, b);
    }
}

static double value(fixture *f, expr e, uint64_t seed) {
    const uint32_t n = pool_symbol_count(f->words.p);
    double *symbols = malloc(sizeof(double) * n);
    for (uint32_t i = 0; i < n; i++)
        symbols[i] = 0.25 + (double)(random_next(&seed) >> 11) * 0x1p-53;
    const double v = expr_value(f->words.p, e, symbols);
    free(symbols);
    return v;
}

static void assert_same_value(fixture *f, expr a, expr b, uint64_t seed) {
    const double u = value(f, a, seed), v = value(f, b, seed);
    if (fabs(u - v) <= TOLERANCE * (1 + fabs(u)) || (isnan(u) && isnan(v))) return;
    text left = {0}, right = {0};
    print_expression(f->words.p, a, STYLE_TEXT, &left);
    print_expression(f->words.p, b, STYLE_TEXT, &right);
    fail_msg("%.17g = %s\nbecame\n%.17g = %s", u, text_string(&left), v, text_string(&right));
}

static void simplifying_keeps_the_value(void **state) {
    fixture *f = *state;
    const normal_budget b = normal_budget_default();
    uint32_t shortened = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const expr e = grow(f, 1 + (int)pick(f, 3));
        const expr s = normal_simplify(f->words.p, e, &b);
        assert_true(expr_weight(f->words.p, s) <= expr_weight(f->words.p, e));
        shortened += s != e;
        for (uint64_t seed = 1; seed <= 3; seed++) assert_same_value(f, e, s, seed);
    }
    assert_true(shortened > ROUNDS / 4); // else the test shows nothing
}

static void text_reads_back(void **state) {
    fixture *f = *state;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const expr e = grow(f, 1 + (int)pick(f, 3));
        text printed = {0};
        print_expression(f->words.p, e, STYLE_TEXT, &printed);
        if (words_read(&f->words, text_string(&printed)) != e)
            fail_msg("does not read back: %s", text_string(&printed));
        text_free(&printed);
    }
}

// (a + b)*c - a*c - b*c and (a/d - b/d)*d - a + b, with the parts built into larger nodes first.
static void two_ways_of_building_differ_by_zero(void **state) {
    fixture *f = *state;
    pool *p = f->words.p;
    const normal_budget budget = normal_budget_default();
    uint32_t proved = 0;
    for (uint32_t i = 0; i < ROUNDS / 2; i++) {
        const expr a = grow(f, 1), b = grow(f, 1), c = grow(f, 1);
        const expr d = expr_add(p, expr_square(p, c), EXPR_TWO);
        const expr factored = expr_mul(p, expr_add(p, a, b), expr_div(p, c, d));
        const expr expanded =
            expr_add(p, expr_div(p, expr_mul(p, a, c), d), expr_div(p, expr_mul(p, b, c), d));
        const normal_truth truth = normal_is_zero(p, expr_sub(p, factored, expanded), &budget);
        assert_int_not_equal(truth, NORMAL_NO);
        proved += truth == NORMAL_YES;
        const double v = value(f, a, 7);
        if (normal_is_zero(p, a, &budget) == NORMAL_YES) assert_true(fabs(v) < TOLERANCE);
    }
    assert_true(proved > ROUNDS * 9 / 20);
}

static void solutions_satisfy_their_systems(void **state) {
    fixture *f = *state;
    pool *p = f->words.p;
    const normal_budget budget = normal_budget_default();
    const expr unknown[3] = {words_read(&f->words, "x''"), words_read(&f->words, "y''"),
                             words_read(&f->words, "lambda[blade]")};
    const expr nothing[3] = {EXPR_ZERO, EXPR_ZERO, EXPR_ZERO};
    uint32_t solved = 0;
    for (uint32_t i = 0; i < SYSTEMS; i++) {
        expr residual[3], out[3];
        for (uint32_t r = 0; r < 3; r++) {
            residual[r] = expr_replace(p, grow(f, 1), 3, unknown, nothing);
            for (uint32_t c = 0; c < 3; c++)
                if (pick(f, 3))
                    residual[r] = expr_add(
                        p, residual[r],
                        expr_mul(p, expr_replace(p, leaf(f), 3, unknown, nothing), unknown[c]));
        }
        if (!normal_solve(p, 3, residual, unknown, &budget, out)) continue;
        solved++;
        for (uint32_t r = 0; r < 3; r++) {
            const double v = value(f, expr_replace(p, residual[r], 3, unknown, out), i);
            assert_true(isnan(v) || fabs(v) < TOLERANCE * 1e3);
        }
    }
    assert_true(solved > SYSTEMS / 3);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, start, end)
    const struct CMUnitTest tests[] = {
        TEST(simplifying_keeps_the_value),
        TEST(text_reads_back),
        TEST(two_ways_of_building_differ_by_zero),
        TEST(solutions_satisfy_their_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
