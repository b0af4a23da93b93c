// Taylor coefficients are those of closed solutions, and of time derivatives taken
// k times in exact arithmetic.
#include "support/support.h"

#include "base/processor.h"
#include "derive/formalism.h"
#include "execute/jets.h"
#include "execute/simulation.h"

#include <math.h>
#include <stdlib.h>

// Recurrences of order k add some k rounding errors of the size of their terms.
static const double ROUNDING = 2e-14;

enum { ORDER = 24 };

typedef struct {
    world w;
    expr x, y, t;
} plane;

static plane plane_open(void) {
    plane s = {.w = world_open()};
    s.x = expr_symbol(s.w.p, "x", ROLE_COORDINATE), s.y = expr_symbol(s.w.p, "y", ROLE_COORDINATE),
    s.t = expr_symbol(s.w.p, "t", ROLE_TIME);
    return s;
}

// Coefficients of the solution of x' = fx, y' = fy through (t, x, y)
static void solve(plane *s, expr fx, expr fy, double t, double x, double y, double out[][2]) {
    const expr state[] = {s->x, s->y}, rate[] = {fx, fy};
    tape *g = tape_create(s->w.p, 2, state, s->t, 0, NULL, 2, rate);
    jets *j = jets_create(g, true, NULL, processor_fuses());
    assert_true(jets_of_solution(j, t, (double[]){x, y}, ORDER, &out[0][0]));
    jets_free(j);
    tape_free(g);
}

static expr f(plane *s, expr_kind kind, expr a) { return expr_function(s->w.p, kind, &a); }

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) <= ROUNDING * fmax(fabs(expected), 1e-3)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

static void growth_is_the_exponential_series(void **unused) {
    (void)unused;
    plane s = plane_open();
    double c[ORDER + 1][2], factorial = 1;
    solve(&s, s.x, expr_int(s.w.p, 3), 0, 2, 5, c);
    for (int k = 0; k <= ORDER; k++, factorial *= k) {
        assert_near(c[k][0] * factorial, 2);
        assert_near(c[k][1], k == 0 ? 5 : k == 1 ? 3 : 0); // a fixed rate: a straight line
    }
    world_close(&s.w);
}

// x' = x^2: x = x0/(1 - x0 t)
static void the_square_blows_up_as_a_geometric_series(void **unused) {
    (void)unused;
    plane s = plane_open();
    double c[ORDER + 1][2];
    solve(&s, expr_square(s.w.p, s.x), expr_square(s.w.p, s.y), 0, 1, 1.5, c);
    for (int k = 0; k <= ORDER; k++) {
        assert_near(c[k][0], 1);
        assert_near(c[k][1] / pow(1.5, k + 1), 1);
    }
    world_close(&s.w);
}

static void an_oscillator_is_sine_and_cosine_and_so_is_its_clock(void **unused) {
    (void)unused;
    plane s = plane_open();
    double c[ORDER + 1][2], d[ORDER + 1][2], factorial = 1;
    solve(&s, s.y, expr_neg(s.w.p, s.x), 0, 0, 1, c);
    // The same motion, from time alone
    solve(&s, f(&s, EXPR_COS, s.t), f(&s, EXPR_SIN, expr_neg(s.w.p, s.t)), 0, 0, 1, d);
    for (int k = 0; k <= ORDER; k++, factorial *= k) {
        const double sine = k % 2 ? (k % 4 == 1 ? 1 : -1) : 0, cosine = k % 2 ? 0 : k % 4 ? -1 : 1;
        assert_near(c[k][0] * factorial, sine), assert_near(c[k][1] * factorial, cosine);
        assert_near(d[k][0] * factorial, sine), assert_near(d[k][1] * factorial, cosine);
    }
    world_close(&s.w);
}

// x' = 1 + x^2 = 1/cos(t)^2 = y'
static void the_slope_of_the_tangent_gives_the_tangent(void **unused) {
    (void)unused;
    static const double tangent[] = {0, 1,          0, 1.0 / 3,     0, 2.0 / 15,
                                     0, 17.0 / 315, 0, 62.0 / 2835, 0, 1382.0 / 155925};
    plane s = plane_open();
    pool *p = s.w.p;
    double c[ORDER + 1][2];
    solve(&s, expr_add(p, EXPR_ONE, expr_square(p, s.x)),
          expr_add(p, EXPR_ONE, expr_square(p, f(&s, EXPR_TAN, s.t))), 0, 0, 0, c);
    for (int k = 0; k < 12; k++) assert_near(c[k][0], tangent[k]), assert_near(c[k][1], tangent[k]);
    world_close(&s.w);
}

// x' = (t + t^2)^n: n given as a parameter, whole
static void powers_serve_where_their_base_vanishes(void **unused) {
    (void)unused;
    world w = world_open();
    const expr x = expr_symbol(w.p, "x", ROLE_COORDINATE), t = expr_symbol(w.p, "t", ROLE_TIME),
               n = expr_symbol(w.p, "n", ROLE_PARAMETER);
    const expr rate = expr_pow(w.p, expr_add(w.p, t, expr_square(w.p, t)), n);
    tape *g = tape_create(w.p, 1, &x, t, 1, &n, 1, &rate);
    jets *j = jets_create(g, true, (double[]){3}, processor_fuses());
    double c[ORDER + 1];
    assert_true(jets_of_solution(j, 0, (double[]){0}, ORDER, c));
    const double expected[] = {0, 0, 0, 0, 1.0 / 4, 3.0 / 5, 3.0 / 6, 1.0 / 7, 0, 0};
    for (int k = 0; k < 10; k++) assert_near(c[k], expected[k]);
    jets_free(j);
    tape_free(g);
    world_close(&w);
}

static void what_has_no_series_is_not_finite(void **unused) {
    (void)unused;
    plane s = plane_open();
    const expr state[] = {s.x, s.y}, rate[] = {expr_sqrt(s.w.p, s.x), EXPR_ONE};
    tape *g = tape_create(s.w.p, 2, state, s.t, 0, NULL, 2, rate);
    jets *j = jets_create(g, true, NULL, processor_fuses());
    double c[2 * (ORDER + 1)];
    assert_false(jets_of_solution(j, 0, (double[]){0, 0}, ORDER, c));
    assert_false(jets_of_solution(j, 0, (double[]){-1, 0}, ORDER, c));
    assert_true(jets_of_solution(j, 0, (double[]){1, 0}, ORDER, c));
    jets_free(j);
    tape_free(g);
    world_close(&s.w);
}

// --- the models of the library -------------------------------------------------------------------

// (d/dt)^k z / k! by differentiating along f, in balls: Z_0 = z, Z_{k+1} =
// dZ_k/dt + sum_i dZ_k/dz_i f_i.
static void assert_jets_are_lie_derivatives(const char *name, uint32_t order) {
    world w = world_open();
    model *m = world_library(&w, name);
    simulation *run = simulation_of(m);
    const uint32_t n = run->o->size;
    double *c = malloc(sizeof(double) * n * (order + 1)), factorial = 1;
    jets *j = jets_create(run->rate, true, run->parameter_value, processor_fuses());
    assert_true(jets_of_solution(j, run->t0, run->z0, order, c));
    expr *along = malloc(sizeof(expr) * (n + 1) * 3), *direction = along + n + 1,
         *z = direction + n + 1;
    for (uint32_t i = 0; i < n; i++)
        along[i] = z[i] = run->o->state[i], direction[i] = run->o->rate[i];
    direction[n] = EXPR_ONE, z[n] = m->time;
    for (uint32_t k = 0; k <= order; k++, factorial *= k) {
        const uint32_t symbols = pool_symbol_count(m->pool);
        arb_ptr at = _arb_vec_init(symbols), value = _arb_vec_init(n);
        for (uint32_t i = 0; i < n; i++)
            arb_set_d(at + expr_symbol_index(m->pool, run->o->state[i]), run->z0[i]);
        for (uint32_t i = 0; i < run->parameter_count; i++)
            arb_set_d(at + expr_symbol_index(m->pool, run->parameter[i]), run->parameter_value[i]);
        arb_set_d(at + expr_symbol_index(m->pool, m->time), run->t0);
        program *prog = program_create(m->pool, n, along);
        program_run_arb(prog, at, 200, value);
        for (uint32_t i = 0; i < n; i++) {
            const double expected = ball_middle(value + i) / factorial;
            // terms on the way are larger than what they add up to
            if (!(fabs(c[k * n + i] - expected) <= 1e3 * ROUNDING * fmax(1, fabs(expected))))
                fail_msg("%s: coefficient %u of z_%u is %.17g, not %.17g", name, k, i, c[k * n + i],
                         expected);
        }
        program_free(prog);
        _arb_vec_clear(at, symbols);
        _arb_vec_clear(value, n);
        expr_pushforward(m->pool, n + 1, z, direction, n, along, along);
    }
    free(c);
    free(along);
    jets_free(j);
    simulation_and_equations_free(run);
    world_close(&w);
}

static void coefficients_are_derivatives_taken_k_times_over_k_factorial(void **unused) {
    (void)unused;
    assert_jets_are_lie_derivatives("pendulum", 6);
    assert_jets_are_lie_derivatives("sleigh", 8);
    assert_jets_are_lie_derivatives("double_pendulum", 5);
    assert_jets_are_lie_derivatives("rolling_disc", 5);
    assert_jets_are_lie_derivatives("ball_on_turntable", 5);
    assert_jets_are_lie_derivatives("prescribed_speed", 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth_is_the_exponential_series),
        cmocka_unit_test(the_square_blows_up_as_a_geometric_series),
        cmocka_unit_test(an_oscillator_is_sine_and_cosine_and_so_is_its_clock),
        cmocka_unit_test(the_slope_of_the_tangent_gives_the_tangent),
        cmocka_unit_test(powers_serve_where_their_base_vanishes),
        cmocka_unit_test(what_has_no_series_is_not_finite),
        cmocka_unit_test(coefficients_are_derivatives_taken_k_times_over_k_factorial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
