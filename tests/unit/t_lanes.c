// Runs in lanes against the same runs one after the other, through the driver of `simulate`.
#include "base/processor.h"
#include "execute/module.h"
#include "support/lanes_case.h"
#include "support/random_text.h"
#include "support/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

static const char PENDULUM[] = "system angle\nparam m = 1, l = 1, g = 9.81\ncoord theta\n"
                               "kinetic m*l^2/2*theta'^2\npotential -m*g*l*cos(theta)\n"
                               "initial theta = 1, theta' = 0.4\n";
static const char CROSSING[] = "system angle\nparam m = 1, l = 1, g = 9.81\ncoord theta\n"
                               "kinetic m*l^2/2*theta'^2\npotential -m*g*l*cos(theta)\n"
                               "initial theta = 1, theta' = 0.4\n"
                               "event low: theta\nevent down: theta' down\n";
static const char STOPPED[] = "system angle\nparam m = 1, l = 1, g = 9.81\ncoord theta\n"
                              "kinetic m*l^2/2*theta'^2\npotential -m*g*l*cos(theta)\n"
                              "initial theta = 1, theta' = 0.4\n"
                              "event far: theta + 0.9 down stop\nevent down: theta'\n";

typedef struct {
    lanes_case *c;
    sweep_engine *e;
    uint64_t count;
    double *values, *out, *other;
    sweep_end *end, *other_end;
} comparison;

// All runs by the engine, and all of them one after the other
static comparison run_both(lanes_case *c, uint32_t width, bool libm, uint64_t count, double size) {
    const char *why = NULL;
    comparison w = {.c = c, .count = count};
    const uint32_t k = c->system.collected_count;
    w.e = lanes_case_engine(c, width, libm, &why);
    if (!w.e) print_message("%s\n", why);
    assert_non_null(w.e);
    w.values = lanes_case_values(c, count, size);
    w.out = malloc(sizeof(double) * (count * k + 1)),
    w.other = malloc(sizeof(double) * (count * k + 1));
    w.end = calloc(count, sizeof(sweep_end)), w.other_end = calloc(count, sizeof(sweep_end));
    assert_true(w.e->run(w.e, 0, count, w.values, w.out, w.end));
    c->steps = 0;
    assert_true(lanes_case_run(&c->scalar, 0, count, w.values, w.other, w.other_end));
    return w;
}

static void close_both(comparison *w) {
    w->e->release(w->e);
    free(w->values), free(w->out), free(w->other), free(w->end), free(w->other_end);
}

static bool is_same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static double difference(double a, double b) {
    return is_same(a, b) ? 0 : isnan(a) || isnan(b) ? INFINITY : fabs(a - b) / (1 + fabs(b));
}

static double largest_difference(const comparison *w) {
    double most = 0;
    const uint32_t k = w->c->system.collected_count;
    for (uint64_t i = 0; i < w->count * k; i++) {
        const collect_kind kind = w->c->collected[i % k].kind;
        if (kind == COLLECT_MAX || kind == COLLECT_MIN || kind == COLLECT_MEAN) continue;
        most = fmax(most, difference(w->out[i], w->other[i]));
    }
    return most;
}

static lanes_case *open_case(const char *name, const char *text, const char *method, double end) {
    lanes_case *c = lanes_case_open(name, text, method, 1e-8, end);
    assert_non_null(c);
    lanes_case_collect(c, 1, 1);
    return c;
}

// --- the bits ------------------------------------------------------------------------------------

static void expect_bits(const char *name, const char *text, const char *method, double end,
                        uint64_t count) {
    lanes_case *c = open_case(name, text, method, end);
    const uint32_t least = text ? 4 : run_size(processor_lanes(), 4);
    for (uint32_t width = 8; width >= least; width -= 4) {
        if (width > processor_lanes()) continue;
        comparison w = run_both(c, width, true, count, 0.01);
        const lanes_counts n = sweep_lanes_counts(w.e);
        if (largest_difference(&w) != 0 || n.given_up || n.steps != c->steps)
            print_message("%s %s in %u lanes: %g, %g steps for %g, %g given up\n", name, method,
                          width, largest_difference(&w), (double)n.steps, (double)c->steps,
                          (double)n.given_up);
        assert_true(largest_difference(&w) == 0);
        assert_int_equal(n.steps, c->steps);
        assert_int_equal(n.given_up, 0);
        close_both(&w);
    }
    lanes_case_close(c);
}

static void the_c_librarys_functions_give_the_bits_of_the_scalar_code(void **unused) {
    (void)unused;
    static const uint64_t counts[] = {1, 3, 8, 33};
    for (int i = 0; i < 4; i++) expect_bits("angle", PENDULUM, "dop853", 6, counts[i]);
    expect_bits("angle", PENDULUM, "tsit5", 3, 17);
    static const char *const models[] = {"sleigh", "double_pendulum", "rolling_disc"};
    for (int i = 0; i < 3; i++) expect_bits(models[i], NULL, i == 1 ? "tsit5" : "dop853", 3, 19);
    expect_bits("rattleback", NULL, "dop853", 1, 19),
        expect_bits("rattleback", NULL, "tsit5", 1, 5);
    for (int i = 0; i < 4; i++) expect_bits("angle", PENDULUM, "taylor", 6, counts[i]);
    for (int i = 0; i < 3; i++) expect_bits(models[i], NULL, "taylor", 3, 19);
    expect_bits("rattleback", NULL, "taylor", 1, 11);
}

static void lanes_of_plain_c_give_them_too(void **unused) {
    (void)unused;
    lanes_case *c = open_case("angle", PENDULUM, "dop853", 3);
    comparison w = run_both(c, processor_lanes() == 8 ? 8 : 4, true, 5, 0.01);
    assert_true(largest_difference(&w) == 0);
    close_both(&w);
    lanes_case_close(c);
}

// --- SLEEF ---------------------------------------------------------------------------------------

// Functions to 1 ulp in the place of those of the C library: a motion that does not spread errors
// differs by rounding, here 3000 of them.
static const double ROUNDED = 3000 * 0x1p-53;

static bool has_sleef(context *ctx) {
    const char *error;
    module *nothing = module_load(ctx, "int hamel_nothing;", "-lsleef", &error);
    if (!nothing) return false;
    module_free(nothing);
    return processor_fuses();
}

static void sleefs_functions_differ_by_rounding(void **unused) {
    (void)unused;
    static const char *const models[] = {"sleigh", "rolling_disc"};
    for (int i = 0; i < 2; i++)
        for (uint32_t width = processor_lanes(); width >= 4; width -= 4) {
            lanes_case *c = open_case(models[i], NULL, "dop853", 5);
            comparison w = run_both(c, width, false, 40, 0.01);
            assert_true(!strstr(w.e->how, "SLEEF") == !has_sleef(c->motion->ctx));
            if (largest_difference(&w) > ROUNDED)
                print_message("%s %s: %g\n", models[i], w.e->how, largest_difference(&w));
            assert_true(largest_difference(&w) <= ROUNDED);
            close_both(&w);
            lanes_case_close(c);
        }
}

// --- neighbours ----------------------------------------------------------------------------------

static void a_run_does_not_depend_on_its_neighbours(void **unused) {
    (void)unused;
    enum { COUNT = 60 };
    lanes_case *c = open_case("double_pendulum", NULL, "dop853", 2);
    comparison w = run_both(c, 0, false, COUNT, 0.5);
    const uint32_t k = c->system.collected_count, v = c->scalar.value_count;
    double *out = malloc(sizeof(double) * COUNT * k), *turned = malloc(sizeof(double) * COUNT * v);
    sweep_end *end = calloc(COUNT, sizeof *end);
    // the other way round, and one by one
    for (uint64_t i = 0; i < COUNT; i++)
        memcpy(turned + i * v, w.values + (COUNT - 1 - i) * v, sizeof(double) * v);
    assert_true(w.e->run(w.e, 0, COUNT, turned, out, end));
    for (uint64_t i = 0; i < COUNT; i++)
        assert_memory_equal(out + i * k, w.out + (COUNT - 1 - i) * k, sizeof(double) * k);
    for (uint64_t i = 0; i < COUNT; i += 7) {
        assert_true(w.e->run(w.e, 0, 1, w.values + i * v, out, end));
        assert_memory_equal(out, w.out + i * k, sizeof(double) * k);
    }
    free(out), free(turned), free(end);
    close_both(&w);
    lanes_case_close(c);
}

static void a_run_without_numbers_disturbs_no_other(void **unused) {
    (void)unused;
    enum { COUNT = 40 };
    static const double strange[] = {NAN, INFINITY, -INFINITY, 1e308, 1e200, -1e155};
    lanes_case *c = open_case("rolling_disc", NULL, "dop853", 2);
    comparison w = run_both(c, 0, false, COUNT, 0.01);
    const uint32_t k = c->system.collected_count, v = c->scalar.value_count;
    double *out = malloc(sizeof(double) * COUNT * k);
    sweep_end *end = calloc(COUNT, sizeof *end);
    const uint64_t before = sweep_lanes_counts(w.e).given_up;
    for (uint64_t i = 0; i < 6; i++) w.values[(3 + 5 * i) * v + 3] = strange[i];
    assert_true(w.e->run(w.e, 0, COUNT, w.values, out, end));
    for (uint64_t i = 0; i < COUNT; i++)
        if (i % 5 != 3 || i > 28)
            assert_memory_equal(out + i * k, w.out + i * k, sizeof(double) * k);
    assert_true(sweep_lanes_counts(w.e).given_up >= before + 3); // those have no rates
    for (uint64_t i = 0; i < 3; i++) assert_int_equal(end[3 + 5 * i].outcome, SWEEP_OTHER);
    free(out), free(end);
    close_both(&w);
    lanes_case_close(c);
}

static void lanes_take_the_next_run_as_soon_as_theirs_is_over(void **unused) {
    (void)unused;
    lanes_case *c = open_case("angle", PENDULUM, "dop853", 10);
    comparison w = run_both(c, 0, false, 400, 3); // from small swings to fast turns
    const lanes_counts n = sweep_lanes_counts(w.e);
    const double full = (double)(n.steps + n.rejected) / (double)(n.tries * processor_lanes());
    assert_true(full > 0.9);
    assert_true(largest_difference(&w) < 1e-4); // near the upper rest errors spread
    close_both(&w);
    lanes_case_close(c);
}

// --- parameters ----------------------------------------------------------------------------------

static void each_lane_has_parameters_of_its_own(void **unused) {
    (void)unused;
    enum { COUNT = 24 };
    const char *why;
    lanes_case *c = open_case("double_pendulum", NULL, "dop853", 2);
    const uint32_t n = c->sim->o->size, v = n + c->sim->parameter_count,
                   k = c->system.collected_count;
    c->varied = v, c->scalar.value_count = v;
    double *values = lanes_case_values(c, COUNT, 0.1), *out = malloc(sizeof(double) * COUNT * k),
           *row = malloc(sizeof(double) * c->sim->column_count);
    sweep_end *end = calloc(COUNT, sizeof *end);
    for (uint64_t i = 0; i < COUNT; i++)
        for (uint32_t j = n; j < v; j++) values[i * v + j] += 1;
    sweep_engine *e = lanes_case_engine(c, 0, true, &why);
    assert_non_null(e);
    assert_true(e->run(e, 0, COUNT, values, out, end));
    for (uint64_t i = 0; i < COUNT; i++) {
        double t, z[16], p[16];
        sweep_outcome no;
        lanes_case_start(&c->base, 0, values + i * v, &t, z, p, &no);
        // a motion of its own, with these values
        hamel_motion *m;
        assert_int_equal(hamel_model_prepare(c->m, &c->asked, &m), HAMEL_OK);
        for (uint32_t j = 0; j < c->sim->parameter_count; j++)
            assert_int_equal(hamel_motion_set(m, hamel_motion_name(m, HAMEL_PARAMETER, j), p[j]),
                             HAMEL_OK);
        assert_int_equal(hamel_motion_start(m, t, z), HAMEL_OK);
        assert_int_equal(hamel_motion_run(m, c->system.end, NULL, 0, NULL, NULL), HAMEL_OK);
        hamel_motion_now(m, &t, NULL, row);
        for (uint32_t j = 0; j < k; j++)
            assert_true(is_same(out[i * k + j], row[c->collected[j].at.offset]));
        hamel_motion_free(m);
    }
    e->release(e);
    free(values), free(out), free(row), free(end);
    lanes_case_close(c);
}

// --- what is collected of steps ------------------------------------------------------------------

static const double NEAR =
    1e-7; // dense output is of order 7 and 4, at a tolerance of 1e-8 and 1e-10

// A pendulum that swings: its largest angle follows from the energy, its mean speed is the way
static void extremes_and_means_are_those_of_the_motion(void **unused) {
    (void)unused;
    static const char *const methods[] = {"dop853", "tsit5"};
    for (int m = 0; m < 2; m++) {
        lanes_case *c = lanes_case_open("angle", PENDULUM, methods[m], m ? 1e-10 : 1e-8, 5);
        assert_non_null(c);
        lanes_case_collect(c, 1, 3); // theta and theta'
        comparison w = run_both(c, 0, false, 50, 0.3);
        const uint32_t k = c->system.collected_count, finals = c->sim->column_count - 1;
        for (uint64_t i = 0; i < w.count; i++) {
            const double *o = w.out + i * k, theta = 1 + w.values[2 * i],
                         speed = 0.4 + w.values[2 * i + 1],
                         energy = speed * speed / 2 - 9.81 * cos(theta), top = acos(-energy / 9.81),
                         fastest = sqrt(2 * (energy + 9.81));
            const double found[] = {o[finals], o[finals + 1], o[finals + 3], o[finals + 4],
                                    o[finals + 5]},
                         wanted[] = {top, -top, fastest, -fastest, (o[0] - theta) / 5};
            for (int j = 0; j < 5; j++) {
                if (!(fabs(found[j] - wanted[j]) < NEAR))
                    print_message("%s, run %d, %d: %.15g, not %.15g\n", methods[m], (int)i, j,
                                  found[j], wanted[j]);
                assert_true(fabs(found[j] - wanted[j]) < NEAR);
            }
        }
        close_both(&w);
        lanes_case_close(c);
    }
}

static void events_are_those_of_the_scalar_code(void **unused) {
    (void)unused;
    static const char *const texts[] = {CROSSING, STOPPED};
    static const char *const methods[] = {"dop853", "tsit5", "taylor"};
    for (int i = 0; i < 6; i++) {
        lanes_case *c = open_case("angle", texts[i / 3], methods[i % 3], 5);
        comparison w = run_both(c, 0, true, 50, 0.3);
        const uint32_t k = c->system.collected_count;
        uint32_t seen = 0;
        for (uint64_t run = 0; run < w.count; run++) {
            assert_int_equal(w.end[run].outcome, w.other_end[run].outcome);
            assert_int_equal(w.end[run].event, w.other_end[run].event);
            assert_true(w.end[run].t == w.other_end[run].t);
            for (uint32_t j = 0; j < k; j++)
                if (c->collected[j].kind == COLLECT_COUNT) seen += (uint32_t)w.out[run * k + j];
        }
        assert_true(seen > 50);
        if (largest_difference(&w) != 0)
            print_message("%s: %g\n", methods[i % 3], largest_difference(&w));
        assert_true(largest_difference(&w) == 0);
        close_both(&w);
        lanes_case_close(c);
    }
}

// --- what falls back -----------------------------------------------------------------------------

static void what_lanes_cannot_follow_is_refused_with_a_reason(void **unused) {
    (void)unused;
    static const char *const models[] = {"conical_pendulum", "pendulum"};
    static const char *const method[] = {"dop853", "midpoint"};
    static const char *const reason[] = {
        NULL, "the method is no explicit Runge-Kutta pair and no series"};
    for (int i = 1; i < 2; i++) {
        const char *why = NULL;
        lanes_case *c = open_case(models[i], NULL, method[i], 1);
        assert_null(lanes_case_engine(c, 0, false, &why));
        assert_string_equal(why, reason[i]);
        lanes_case_close(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_c_librarys_functions_give_the_bits_of_the_scalar_code),
        cmocka_unit_test(lanes_of_plain_c_give_them_too),
        cmocka_unit_test(sleefs_functions_differ_by_rounding),
        cmocka_unit_test(a_run_does_not_depend_on_its_neighbours),
        cmocka_unit_test(a_run_without_numbers_disturbs_no_other),
        cmocka_unit_test(lanes_take_the_next_run_as_soon_as_theirs_is_over),
        cmocka_unit_test(each_lane_has_parameters_of_its_own),
        cmocka_unit_test(extremes_and_means_are_those_of_the_motion),
        cmocka_unit_test(events_are_those_of_the_scalar_code),
        cmocka_unit_test(what_lanes_cannot_follow_is_refused_with_a_reason),
    };
    return cmocka_run_group_tests(tests, cache_make, cache_remove);
}
