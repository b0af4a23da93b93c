// Runge-Kutta pairs in lanes where something is looked for in steps: what is narrow in the rates,
// events, constraints that become dependent, charts that become poor. Places depend on parameters,
// which each run has of its own; every third run has the usual ones, with the boxes that such runs
// share. The numbers are those of a motion that is given these values, one after the other.
#include "base/processor.h"
#include "support/lanes_case.h"
#include "support/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

enum { COUNT = 45, MOST = 32 };

typedef struct {
    const char *what, *text;
    double end, starts, parameters; // how far starts are apart, and parameters, in parts of them
} problem;

#define MASS_ON_A_LINE                                                                             \
    "system line\nparam at = 0.3\ncoord x\nkinetic x'^2/2\ninitial x = -1, x' = 0.8\n"

static const problem PROBLEMS[] = {
    {"a wall", MASS_ON_A_LINE "potential 0.5*exp(-((x - at)/0.01)^2) + 0.1*x^2\n", 5, 0.3, 0.9},
    {"a wall that is passed", MASS_ON_A_LINE "potential 0.05*exp(-((x - at)/0.01)^2)\n", 4, 0.1,
     0.9},
    {"a step at a pole, which the energy shows",
     MASS_ON_A_LINE "potential 0.05*atan(0.01/(x - at))\n", 4, 0.1, 0.9},
    {"a pulse in time", MASS_ON_A_LINE "force x = 20*exp(-((t - 5*at)/0.004)^2) - x\n", 4, 0.5,
     0.9},
    {"an event in space",
     MASS_ON_A_LINE "potential x^2/2\nevent there: x - at\nevent back: x' down\n", 8, 0.5, 0.9},
    {"an event in time", MASS_ON_A_LINE "potential x^2/2\nevent then: (t - 7*at)^2 - 1e-4\n", 5,
     0.5, 0.5},
    {"a wall and an event behind it",
     MASS_ON_A_LINE "potential 0.05*exp(-((x - at)/0.01)^2)\nevent behind: x - at - 0.2 up\n", 4,
     0.1, 0.9},
    {"an event that ends the run",
     MASS_ON_A_LINE "potential x^2/2\nevent there: x - at down stop\n", 8, 0.3, 0.9},
};

static bool is_same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

// --- one by one ----------------------------------------------------------------------------------

// What is collected of a motion: finals, first crossings, numbers of them
static void take(const lanes_case *c, hamel_motion *m, double *out) {
    double t, row[MOST];
    const run *r = &m->j->r;
    assert_true(c->sim->column_count <= MOST);
    hamel_motion_now(m, &t, NULL, row);
    for (uint32_t j = 0; j < c->system.collected_count; j++) {
        const struct collected *what = &c->collected[j];
        out[j] = what->kind == COLLECT_FINAL   ? row[what->at.offset]
                 : what->kind == COLLECT_COUNT ? 0
                                               : NAN;
        for (uint32_t l = 0; what->kind >= COLLECT_FIRST && l < r->record.events_count; l++) {
            const event_record *seen = &r->record.events[l];
            if (strcmp(seen->name, c->sim->m->events[what->event].name) != 0) continue;
            if (what->kind == COLLECT_COUNT) out[j] += 1;
            else if (isnan(out[j])) out[j] = seen->t;
        }
    }
}

static void run_one(lanes_case *c, hamel_motion *m, const double *values, double *t, double *out) {
    double z[MOST], p[MOST];
    sweep_outcome no;
    lanes_case_start(&c->base, 0, values, t, z, p, &no);
    for (uint32_t j = 0; j < c->sim->parameter_count; j++)
        assert_int_equal(hamel_motion_set(m, hamel_motion_name(m, HAMEL_PARAMETER, j), p[j]),
                         HAMEL_OK);
    assert_int_equal(hamel_motion_start(m, *t, z), HAMEL_OK);
    assert_int_equal(hamel_motion_run(m, c->system.end, NULL, 0, NULL, NULL), HAMEL_OK);
    take(c, m, out);
    *t = m->j->r.state.t;
}

// --- all of them ---------------------------------------------------------------------------------

static double *values_of(const lanes_case *c, const problem *p) {
    const uint32_t n = c->sim->o->size, v = c->scalar.value_count;
    double *values = lanes_case_values(c, COUNT, 1);
    for (uint32_t i = 0; i < COUNT * v; i++) {
        if (i % v < n) values[i] *= p->starts;
        else values[i] = i / v % 3 ? 1 + p->parameters * values[i] : 1;
    }
    return values;
}

static void expect_same(const problem *p, const char *method) {
    const char *why = NULL;
    double expected[MOST];
    uint32_t seen = 0;
    hamel_motion *m;
    lanes_case *c = lanes_case_open("line", p->text, method, 1e-8, p->end);
    assert_non_null(c);
    lanes_case_collect(c, 1, 1);
    c->varied = c->sim->o->size + c->sim->parameter_count, c->scalar.value_count = c->varied;
    const uint32_t k = c->system.collected_count;
    assert_true(k <= MOST);
    double *values = values_of(c, p), *out = calloc(COUNT * k, sizeof(double));
    sweep_end *end = calloc(COUNT, sizeof *end);
    sweep_engine *e = lanes_case_engine(c, 0, true, &why);
    if (!e) print_message("%s: %s\n", p->what, why);
    assert_non_null(e);
    assert_true(e->run(e, 0, COUNT, values, out, end));
    assert_int_equal(sweep_lanes_counts(e).given_up, 0);
    assert_int_equal(hamel_model_prepare(c->m, &c->asked, &m), HAMEL_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        double t;
        run_one(c, m, values + i * c->varied, &t, expected);
        for (uint32_t j = 0; j < k; j++) {
            if (!is_same(out[i * k + j], expected[j]))
                print_message("%s %s, run %u, number %u: %.17g, not %.17g\n", p->what, method, i, j,
                              out[i * k + j], expected[j]);
            assert_true(is_same(out[i * k + j], expected[j]));
            if (c->collected[j].kind == COLLECT_COUNT) seen += (uint32_t)expected[j];
        }
        assert_true(end[i].t == t);
    }
    assert_true(!c->sim->m->events_count || seen >= COUNT / 3);
    e->release(e);
    hamel_motion_free(m);
    free(values), free(out), free(end);
    lanes_case_close(c);
}

static void places_that_depend_on_parameters_are_found(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof PROBLEMS / sizeof *PROBLEMS; i++)
        expect_same(&PROBLEMS[i], "dop853"), expect_same(&PROBLEMS[i], "tsit5");
}

// Rank is lost at x = 1, where all numbers stay finite: the scalar code ends there, and lanes hand
// their runs to it
static const char RANK[] = "system rank\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                           "constraint level: z' = x*x'\n"
                           "constraint rank: (x - 1)*y' + (x - 1)*z' = 0\nindependent x\n"
                           "initial x = 0, y = 0, z = 0, x' = 1\n";

static void constraints_that_become_dependent_end_a_run(void **unused) {
    (void)unused;
    const char *why = NULL, *const methods[] = {"dop853", "tsit5"};
    for (int m = 0; m < 2; m++) {
        lanes_case *c = lanes_case_open("rank", RANK, methods[m], 1e-8, 3);
        assert_non_null(c);
        lanes_case_collect(c, 1, 1);
        const uint32_t k = c->system.collected_count;
        double *values = lanes_case_values(c, COUNT, 0.3), *out = calloc(COUNT * k, sizeof *out),
               *other = calloc(COUNT * k, sizeof *other);
        sweep_end end[COUNT], expected[COUNT];
        sweep_engine *e = lanes_case_engine(c, 0, true, &why);
        if (!e) print_message("%s\n", why);
        assert_non_null(e);
        assert_true(e->run(e, 0, COUNT, values, out, end));
        assert_int_equal(sweep_lanes_counts(e).given_up, COUNT);
        assert_true(lanes_case_run(&c->scalar, 0, COUNT, values, other, expected));
        for (uint32_t i = 0; i < COUNT; i++) {
            assert_int_equal(end[i].outcome, SWEEP_OTHER);
            assert_true(end[i].t == expected[i].t && end[i].t < 3);
        }
        e->release(e);
        free(values), free(out), free(other);
        lanes_case_close(c);
    }
}

// Skates that turn: which of their velocities follow from the others is chosen anew where
// cos(a) < 0.3, and the run is handed over; before that it stays in lanes
#define SKATE(x, y, a)                                                                             \
    "constraint on_" #a ": sin(" #a ")*" #x "' = cos(" #a ")*" #y "'\ninitial " #x " = 0, " #y     \
    " = 0, " #a " = 0, " #x "' = 1, " #a "' = 1\n"

static void charts_that_become_poor_are_handed_over(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "system one\ncoord x, y, a\nkinetic (x'^2 + y'^2 + a'^2)/2\n" SKATE(x, y, a),
        "system two\ncoord x, y, a, u, v, b\n"
        "kinetic (x'^2 + y'^2 + a'^2 + u'^2 + v'^2 + b'^2)/2\n"
        "force x = -0.1*u\n" SKATE(x, y, a) SKATE(u, v, b)};
    const char *why = NULL;
    for (int i = 0; i < 4; i++) {
        const bool turns_far = i % 2; // cos 1.1 = 0.45, cos 1.45 = 0.12
        lanes_case *c =
            lanes_case_open("skate", texts[i / 2], "dop853", 1e-11, turns_far ? 1.45 : 1.1);
        assert_non_null(c);
        lanes_case_collect(c, 1, 1);
        const uint32_t k = c->system.collected_count;
        double *values = lanes_case_values(c, COUNT, 0.02), *out = calloc(COUNT * k, sizeof *out),
               *other = calloc(COUNT * k, sizeof *other);
        sweep_end end[COUNT], expected[COUNT];
        sweep_engine *e = lanes_case_engine(c, 0, true, &why);
        if (!e) print_message("%s\n", why);
        assert_non_null(e);
        assert_true(e->run(e, 0, COUNT, values, out, end));
        assert_int_equal(sweep_lanes_counts(e).given_up, turns_far ? COUNT : 0);
        assert_true(lanes_case_run(&c->scalar, 0, COUNT, values, other, expected));
        for (uint32_t j = 0; j < COUNT * k; j++) assert_true(is_same(out[j], other[j]));
        e->release(e);
        free(values), free(out), free(other);
        lanes_case_close(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_that_depend_on_parameters_are_found),
        cmocka_unit_test(constraints_that_become_dependent_end_a_run),
        cmocka_unit_test(charts_that_become_poor_are_handed_over),
    };
    return cmocka_run_group_tests(tests, cache_make, cache_remove);
}
