// The second evaluator: values and derivatives of typed expressions against
// closed forms worked out by hand.
#include "support/support.h"

#include "typed/typed.h"

#include <stdio.h>
#include <string.h>

enum { BITS = 200 };

// --- one expression at x = 3/4, y = -2, x' = 5/8, y' = 1/2, x'' = 3, y'' = -1, t = 1/4, a = 2 -

static const char *const declarations =
    "param a = 2, half = 1/2, b\nconst N = 3\ncoord x, y, q[1..3]\ngiven f = sin(2*t)\n"
    "function h(u) = u^2 + ddt(u)\nlet r = sqrt(x^2 + y^2), g(u, v) = u*v - v\n"
    "function unknown(u)\nquasi v = 2*x' - y\nkinetic x'^2/2 + y'^2/2\n"
    "point P: mass 0 at (x, x*y, 1)\n"
    "body B: mass 0 at (x, 0, 0) inertia (0, 0, 0) rotation rot(z, x)*rot(x, y)\n";

static void set(state *s, expr base, uint32_t order, const char *value) {
    arb_t v;
    arb_init(v);
    arb_set_str(v, value, BITS);
    state_set(s, expr_symbol_of_order(s->model->pool, base, order), v);
    arb_clear(v);
}

static typed_finding evaluate_text(const char *text, arb_t value, arb_t rate) {
    world w = world_open();
    char whole[4096];
    snprintf(whole, sizeof whole, "%sobserve it = %s\n", declarations, text);
    model *m = world_model(&w, whole);
    state s;
    state_init(&s, m, BITS);
    set(&s, m->time, 0, "0.25");
    set(&s, m->parameters[0].symbol, 0, "2");
    set(&s, m->parameters[1].symbol, 0, "0.5");
    static const char *const values[2][3] = {{"0.75", "0.625", "3"}, {"-2", "0.5", "-1"}};
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t order = 0; order < 3; order++)
            set(&s, m->coordinates[i], order, values[i][order]);
    for (uint32_t i = 2; i < 5; i++)
        set(&s, m->coordinates[i], 0, i == 2 ? "1" : i == 3 ? "2" : "4");
    const typed_finding found = typed_value(&m->observables[0].typed, &s, value, rate);
    state_clear(&s);
    world_close(&w);
    return found;
}

static bool is_near(const arb_t a, double b) {
    arb_t gap;
    arb_init(gap);
    arb_set_d(gap, b);
    arb_sub(gap, a, gap, BITS);
    arb_abs(gap, gap);
    mag_t size;
    mag_init(size);
    arb_get_mag(size, gap);
    const bool near = arb_is_finite(a) && mag_cmp_2exp_si(size, -40) < 0;
    mag_clear(size);
    arb_clear(gap);
    return near;
}

static void expect(const char *text, double value) {
    arb_t v;
    arb_init(v);
    const typed_finding found = evaluate_text(text, v, NULL);
    const bool right = found.status == TYPED_OK && is_near(v, value);
    if (!right)
        fprintf(stderr, "%s: %s, expected %.17g\n", text, found.reason ? found.reason : "differs",
                value);
    assert_true(right);
    arb_clear(v);
}

static void expect_rate(const char *text, double rate) {
    arb_t v, r;
    arb_init(v), arb_init(r);
    const typed_finding found = evaluate_text(text, v, r);
    const bool right = found.status == TYPED_OK && is_near(r, rate);
    if (!right)
        fprintf(stderr, "%s: %s, expected %.17g\n", text, found.reason ? found.reason : "differs",
                rate);
    assert_true(right);
    arb_clear(v), arb_clear(r);
}

static void expect_status(const char *text, typed_status status) {
    arb_t v;
    arb_init(v);
    const typed_finding found = evaluate_text(text, v, NULL);
    if (found.status != status)
        fprintf(stderr, "%s: status %d, %s\n", text, found.status, found.reason);
    assert_int_equal(found.status, status);
    assert_true(status == TYPED_OK || (found.reason && found.at.source));
    arb_clear(v);
}

static void powers_bind_as_the_language_says(void **unused) {
    (void)unused;
    expect("-a^2", -4);
    expect("2^3^2", 512);
    expect("2^-1", 0.5);
    expect("y^3", -8);
    expect("y^-2", 0.25);
    expect("y^a", 4); // an integer value of a parameter makes an integer power
    expect("x^0", 1);
    expect("(x - x)^0", 1);
    expect("0.1 + 0.2 - 0.3", 0);
    expect("4^half", 2);
    expect("(x - x)^(f + 1)", 0);
    expect("8^(1/3)", 2);
    expect("6/3/2", 1);
    expect("1 - 2 - 3", -4);
}

static void names_mean_what_was_declared(void **unused) {
    (void)unused;
    expect("r", 2.1360009363293826);
    expect("r'", (0.75 * 0.625 - 2 * 0.5) / 2.1360009363293826);
    expect("g(x, y)", 0.75 * -2 + 2);
    expect("g(g(x, y), a)", 0.5 * 2 - 2);
    // an argument is differentiated as it was typed
    expect("h(x*y)", 2.25 + (0.625 * -2 + 0.75 * 0.5));
    expect("v", 2 * 0.625 + 2);
    expect("v'", 6 - 0.5);
    expect("f", 0.479425538604203);
    expect("f''", -4 * 0.479425538604203);
    expect("q[N] + q[N - 1]", 6);
    expect("sum(i in 1..N, i*q[i])", 1 + 4 + 12);
    expect("prod(i in 1..N, q[i])", 8);
    expect("sum(x in 1..2, x)", 3); // an index hides a coordinate
    expect("sum(i in 1..0, x)", 0);
    expect("e^1 - exp(1)", 0);
}

static void derivatives_nest_without_confusion(void **unused) {
    (void)unused;
    expect("ddt(x*y)", 0.625 * -2 + 0.75 * 0.5);
    expect("ddt(ddt(x*y))", 3 * -2 + 2 * 0.625 * 0.5 - 0.75);
    expect("diff(ddt(x^2*y), x')", 2 * 0.75 * -2);
    expect("diff(ddt(x^2*y), x)", 2 * 0.625 * -2 + 2 * 0.75 * 0.5);
    expect("ddt(diff(x^3, x))", 6 * 0.75 * 0.625);
    expect("diff(x*diff(x*y, y), x)", 1.5); // d/dx (x * x): the inner derivative is by y only
    expect("diff(diff(exp(a*x), x), a)", (1 + 2 * 0.75) * 4.4816890703380645);
    expect("diff(f^2, f)", 2 * 0.479425538604203);
    expect("diff(f*t, t)", 0.479425538604203); // a given counts as a symbol of its own
    expect("diff(t^2, t)", 0.5);
    expect("diff(vel(P).y, x')", -2);
    expect_rate("x'*y", 3 * -2 + 0.625 * 0.5);
    expect_rate("sin(t)*a", 2 * 0.9689124217106447);
}

static void space_is_as_in_the_textbook(void **unused) {
    (void)unused;
    expect("dot((1, 2), (3, 4))", 11);
    expect("cross((1, 0, 0), (0, 1, 0)).z", 1);
    expect("norm((3, 0, -4))", 5);
    expect("(rot(z, pi/2)*(1, 0, 0)).y", 1);
    expect("(rot(x, pi/2)*(0, 1, 0)).z", 1); // the letter is the axis, though x is a coordinate
    expect("(rot((0, 0, 2), pi/2)*(1, 0, 0)).y", 1);
    expect("(rot((1, 1, 1), 2*pi/3)*(1, 0, 0)).y", 1);
    expect("vel(P).y", 0.625 * -2 + 0.75 * 0.5);
    expect("acc(P).y", 3 * -2 + 2 * 0.625 * 0.5 - 0.75);
    expect("omega(B).z", 0.625); // x' about z, then y' about the turned x-axis
    expect("omega(B).x", 0.5 * 0.7316888688738209);
    expect("omega(B).y", 0.5 * 0.6816387600233341);
    expect("(frame(B)*(1, 0, 0)).y", 0.6816387600233341);
    expect("velat(B, (x, 1, 0)).x", 0.625 - 0.625);
}

static void functions_have_their_values_and_rates(void **unused) {
    (void)unused;
    expect("atan2(0, y)", 3.141592653589793);
    expect("atan2(y, 0)", -1.5707963267948966);
    expect_rate("atan2(y, x)", (0.5 * 0.75 + 2 * 0.625) / (4 + 0.5625));
    expect_rate("tanh(x)", 0.625 * (1 - 0.6351489523872873 * 0.6351489523872873));
    expect_rate("asin(x)", 0.625 / 0.6614378277661477);
    expect_rate("acos(x)", -0.625 / 0.6614378277661477);
    expect_rate("abs(y)", -0.5);
    expect_rate("sign(y)*x", -0.625);
    expect_rate("min(x, y, 1)", 0.5);
    expect_rate("max(x, y)", 0.625);
    expect_rate("x^y",
                0.75 * 0 + 1.7777777777777777 * (0.5 * -0.2876820724517809 - 2 * 0.625 / 0.75));
    expect_rate("x^(1/3)", 0.625 / 3 * 0.9085602964160698 / 0.75);
    expect("abs(x - x)", 0);
    expect("sqrt(x - x)", 0);
}

static void where_there_is_no_value_it_says_so(void **unused) {
    (void)unused;
    expect_status("1/(x - 3/4)", TYPED_UNDEFINED);
    expect_status("(x - 3/4)/(y*x - y*3/4)", TYPED_UNDEFINED);
    expect_status("(x - 3/4)*(1/(x - 3/4))", TYPED_UNDEFINED);
    expect_status("sqrt(y)", TYPED_UNDEFINED);
    expect_status("y^(1/3)", TYPED_UNDEFINED);
    expect_status("y^x", TYPED_UNDEFINED);
    expect_status("log(x - 3/4)", TYPED_UNDEFINED);
    expect_status("asin(y)", TYPED_UNDEFINED);
    expect_status("atan2(x - 3/4, 0)", TYPED_UNDEFINED);
    expect_status("ddt(abs(x - 3/4))", TYPED_UNDEFINED);
    expect_status("ddt(sqrt(x - 3/4))", TYPED_UNDEFINED);
    expect_status("ddt(sign(x - 3/4))", TYPED_UNDEFINED);
    expect_status("tan(pi/2)", TYPED_TOO_WIDE);
    expect_status("1/(exp(x) - exp(3/4))", TYPED_TOO_WIDE);
    expect_status("b + 1", TYPED_NO_VALUE);
    expect_status("unknown(x)", TYPED_NO_VALUE);
    expect_status("x''''", TYPED_NO_VALUE);
}

// --- statements ----------------------------------------------------------------------------------

static void both_sides_of_a_claim_have_their_values(void **unused) {
    (void)unused;
    world w = world_open();
    model *m = world_model(&w, "coord x, y\nkinetic x'^2/2 + y'^2/2\nconstraint c: y' = x\n"
                               "for i in 1..2 { claim k[i]: i*x'' = lambda[c]*delta(x) }\n"
                               "claim v: (x, y, 0) = (1, x', 2)\n");
    state s;
    state_init(&s, m, BITS);
    set(&s, m->coordinates[0], 2, "3");
    set(&s, m->coordinates[0], 1, "7");
    set(&s, m->constraints[0].multiplier, 0, "5");
    set(&s, m->variations[0].symbol, 0, "11");
    arb_t l, r;
    arb_init(l), arb_init(r);
    assert_int_equal(typed_claim(&m->claims[1], &s, l, r).status, TYPED_OK);
    assert_true(is_near(l, 6) && is_near(r, 55));
    // z needs y too: it has no value
    assert_int_equal(typed_claim(&m->claims[4], &s, l, r).status, TYPED_NO_VALUE);
    set(&s, m->coordinates[0], 0, "1");
    set(&s, m->coordinates[1], 0, "2");
    assert_int_equal(typed_claim(&m->claims[3], &s, l, r).status, TYPED_OK);
    assert_true(is_near(l, 2) && is_near(r, 7));
    set(&s, m->coordinates[1], 1, "4");
    assert_int_equal(typed_constraint(&m->constraints[0], &s, l).status, TYPED_OK);
    assert_true(is_near(l, 3));
    arb_clear(l), arb_clear(r);
    state_clear(&s);
    world_close(&w);
}

static void a_solution_has_its_derivatives(void **unused) {
    (void)unused;
    world w = world_open();
    model *m = world_model(&w, "param k = 3\ncoord x, y\nkinetic x'^2/2 + y'^2/2\n"
                               "claim s: solution y = t^3, x = exp(k*t)\n");
    state s;
    state_init(&s, m, BITS);
    arb_t t;
    arb_ptr d = _arb_vec_init(4);
    arb_init(t);
    arb_set_d(t, 2);
    assert_int_equal(typed_solution(&m->claims[0], 1, &s, t, 3, d).status, TYPED_OK);
    assert_true(is_near(d, 8) && is_near(d + 1, 12) && is_near(d + 2, 12) && is_near(d + 3, 6));
    arb_zero(t);
    assert_int_equal(typed_solution(&m->claims[0], 0, &s, t, 2, d).status, TYPED_OK);
    assert_true(is_near(d, 1) && is_near(d + 1, 3) && is_near(d + 2, 9));
    _arb_vec_clear(d, 4);
    arb_clear(t);
    state_clear(&s);
    world_close(&w);
}

// A bead on a parabola z = x^2/2 under gravity, at x = 1, x' = 2: (1 + x^2) x'' + x x'^2 + g x = 0.
static void a_bead_on_a_parabola_accelerates(void **unused) {
    (void)unused;
    world w = world_open();
    model *m = world_model(
        &w, "param g = 10\ncoord x, z\npoint P: mass 3 at (x, 0, z)\ngravity (0, 0, -g)\n"
            "constraint c: z = x^2/2\ninitial x = 1, x' = 2\n");
    const mechanics *system = mechanics_of(m);
    state s;
    state_init(&s, m, BITS);
    set(&s, m->time, 0, "0");
    set(&s, m->coordinates[0], 0, "1");
    set(&s, m->coordinates[0], 1, "2");
    set(&s, m->coordinates[1], 0, "0.5");
    set(&s, m->coordinates[1], 1, "2");
    arb_ptr qdd = _arb_vec_init(2), lambda = _arb_vec_init(1), residual = _arb_vec_init(3);
    assert_int_equal(typed_accelerations(system, &s, qdd, lambda).status, TYPED_OK);
    assert_true(is_near(qdd, -7) && is_near(qdd + 1, -3)); // z'' = x x'' + x'^2
    assert_true(is_near(lambda, 21));                      // m z'' = -m g + lambda
    set(&s, m->coordinates[0], 2, "-7");
    set(&s, m->coordinates[1], 2, "-3");
    set(&s, m->constraints[0].multiplier, 0, "20");
    assert_int_equal(typed_motion(system, &s, residual).status, TYPED_OK);
    assert_true(is_near(residual, -1) && is_near(residual + 1, 1) && is_near(residual + 2, 0));
    _arb_vec_clear(qdd, 2), _arb_vec_clear(lambda, 1), _arb_vec_clear(residual, 3);
    state_clear(&s);
    world_close(&w);
}

// Each abbreviation uses the one before, three thousand times: a_n = a_(n-1) + 1.
static void a_long_chain_of_definitions_has_its_value(void **unused) {
    (void)unused;
    enum { LENGTH = 3000 };
    text t = {0};
    text_append(&t, "coord x\nkinetic x'^2/2\nlet a0 = x\n");
    for (int i = 1; i <= LENGTH; i++) text_format(&t, "let a%d = a%d + 1\n", i, i - 1);
    text_format(&t, "observe o = a%d\n", LENGTH);
    world w = world_open();
    model *m = world_model(&w, text_string(&t));
    state s;
    arb_t v, r;
    arb_init(v), arb_init(r);
    state_init(&s, m, BITS);
    set(&s, m->coordinates[0], 0, "0.5");
    set(&s, m->coordinates[0], 1, "7");
    assert_int_equal(typed_value(&m->observables[0].typed, &s, v, r).status, TYPED_OK);
    assert_true(is_near(v, LENGTH + 0.5) && is_near(r, 7));
    arb_clear(v), arb_clear(r);
    state_clear(&s);
    world_close(&w);
    text_free(&t);
}

// Typed with a factor, twice, as a vector whose components depend on one another: the
// motion of x' = y' all the same.
static void constraints_that_say_the_same_move_the_same(void **unused) {
    (void)unused;
    static const char *const said[] = {
        "x' = y'", "(2 + sin(z))*(x' - y') = 0", "(x' - y')*(z' + 50) = 0",
        "(x' - y', (x' - y')*z, 0) = (0, 0, 0)", "x' = y'\nconstraint again: z*x' = z*y'"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        world w = world_open();
        char whole[512];
        snprintf(whole, sizeof whole,
                 "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = 4\ninitial z = 1/2, x' "
                 "= 1, y' = 1, z' = 3\n"
                 "constraint c: %s\n",
                 said[i]);
        model *m = world_model(&w, whole);
        const mechanics *system = mechanics_of(m);
        state s;
        state_init(&s, m, BITS);
        set(&s, m->time, 0, "0");
        static const char *const values[3][2] = {{"0", "1"}, {"0", "1"}, {"0.5", "3"}};
        for (uint32_t j = 0; j < 3; j++)
            for (uint32_t order = 0; order < 2; order++)
                set(&s, m->coordinates[j], order, values[j][order]);
        arb_ptr qdd = _arb_vec_init(3), lambda = _arb_vec_init(3), residual = _arb_vec_init(6);
        assert_int_equal(typed_accelerations(system, &s, qdd, lambda).status, TYPED_OK);
        assert_true(is_near(qdd, 2) && is_near(qdd + 1, 2) && is_near(qdd + 2, 0));
        assert_true(i > 0 || is_near(lambda, -2));
        // not the motion
        for (uint32_t j = 0; j < 3; j++) set(&s, m->coordinates[j], 2, j < 2 ? "3" : "0");
        for (uint32_t j = 0; j < system->k; j++) state_set(&s, system->multiplier[j], lambda + j);
        if (i > 0) {
            assert_int_equal(typed_motion(system, &s, residual).status, TYPED_OK);
            assert_false(arb_contains_zero(residual) && arb_contains_zero(residual + 1));
        }
        _arb_vec_clear(qdd, 3), _arb_vec_clear(lambda, 3), _arb_vec_clear(residual, 6);
        state_clear(&s);
        world_close(&w);
    }
}

// --- breaks --------------------------------------------------------------------------------------

static void expect_breaks(const char *text, uint32_t count, typed_break_kind kind, double value) {
    world w = world_open();
    char whole[4096];
    snprintf(whole, sizeof whole, "%sobserve it = %s\n", declarations, text);
    model *m = world_model(&w, whole);
    typed_break found[8];
    const uint32_t n = typed_breaks(m, &m->observables[0].typed, 8, found);
    if (n != count) fprintf(stderr, "%s: %u breaks\n", text, n);
    assert_int_equal(n, count);
    if (count) {
        state s;
        arb_t v;
        arb_init(v);
        state_init(&s, m, BITS);
        set(&s, m->coordinates[0], 0, "0.75");
        set(&s, m->coordinates[1], 0, "-2");
        assert_int_equal(found[0].kind, kind);
        assert_int_equal(typed_break_value(&found[0], &s, v, NULL).status, TYPED_OK);
        assert_true(is_near(v, value));
        arb_clear(v);
        state_clear(&s);
    }
    world_close(&w);
}

static void places_of_change_are_found(void **unused) {
    (void)unused;
    expect_breaks("x/a + 1/2 + x^2 + x^N", 0, TYPED_POLE, 0);
    expect_breaks("1/(x - y)", 1, TYPED_POLE, 2.75);
    expect_breaks("sign(y)", 1, TYPED_JUMP, -2);
    expect_breaks("abs(x)*abs(a)", 1, TYPED_KINK, 0.75);
    expect_breaks("min(x, y)", 1, TYPED_KINK, 2.75);
    expect_breaks("r", 1, TYPED_EDGE, 4.5625); // inside the abbreviation
    expect_breaks("r + r + r'", 1, TYPED_EDGE, 4.5625);
    expect_breaks("y^(-N)", 1, TYPED_POLE, -2);
    expect_breaks("y^(1/3)", 1, TYPED_EDGE, -2);
    expect_breaks("log(x)", 1, TYPED_POLE, 0.75);
    expect_breaks("tan(x)", 1, TYPED_POLE, 0.7316888688738209);
    expect_breaks("atan2(y, x)", 2, TYPED_JUMP, -2);
    expect_breaks("acos(x)", 2, TYPED_EDGE, 0.25);
    expect_breaks("sum(i in 1..3, 1/(x - i))", 3, TYPED_POLE, -0.25);
    expect_breaks("ddt(abs(g(x, y)))", 1, TYPED_KINK, 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_bind_as_the_language_says),
        cmocka_unit_test(names_mean_what_was_declared),
        cmocka_unit_test(derivatives_nest_without_confusion),
        cmocka_unit_test(space_is_as_in_the_textbook),
        cmocka_unit_test(functions_have_their_values_and_rates),
        cmocka_unit_test(where_there_is_no_value_it_says_so),
        cmocka_unit_test(both_sides_of_a_claim_have_their_values),
        cmocka_unit_test(a_solution_has_its_derivatives),
        cmocka_unit_test(a_bead_on_a_parabola_accelerates),
        cmocka_unit_test(a_long_chain_of_definitions_has_its_value),
        cmocka_unit_test(constraints_that_say_the_same_move_the_same),
        cmocka_unit_test(places_of_change_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
