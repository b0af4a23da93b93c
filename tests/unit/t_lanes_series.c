// Taylor's method in lanes where something is looked for inside of its long steps: what is narrow
// in the rates, events; and where coefficients are large. The numbers, the steps and the events are
// those of the runs one after the other.
#include "base/processor.h"
#include "support/lanes_case.h"
#include "support/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

typedef struct {
    const char *what, *text;
    double tolerance, end, size; // size: how far starts are apart
} problem;

#define MASS_ON_A_LINE "system line\ncoord x\nkinetic x'^2/2\ninitial x = -1, x' = 0.8\n"

static const problem PROBLEMS[] = {
    {"a wall", MASS_ON_A_LINE "potential 0.5*exp(-((x - 0.3)/0.01)^2) + 0.1*x^2\n", 1e-9, 6, 0.3},
    {"a wall that is passed", MASS_ON_A_LINE "potential 0.05*exp(-((x - 0.3)/0.01)^2)\n", 1e-8, 5,
     0.1},
    {"a pulse in time", MASS_ON_A_LINE "force x = 20*exp(-((t - 1.7)/0.004)^2) - x\n", 1e-8, 4,
     0.5},
    {"a step in time", MASS_ON_A_LINE "force x = tanh(500*(t - 1.7)) - x\n", 1e-8, 4, 0.5},
    {"a step in space", MASS_ON_A_LINE "force x = -0.2*tanh(300*(x - 0.1)) - x\n", 1e-7, 4, 0.5},
    {"a step at a pole", MASS_ON_A_LINE "force x = -atan(0.01/x) - 0.1*x\n", 1e-7, 4, 0.3},
    {"nothing by nothing", MASS_ON_A_LINE "force x = -sin(30*x)/x\n", 1e-9, 4, 0.3},
    {"a wall at a pole", MASS_ON_A_LINE "force x = -sin(x)/x - 8*exp(-((x - 0.3)/0.01)^2)\n", 1e-9,
     4, 0.3},
    {"a kink that a root hides", MASS_ON_A_LINE "force x = -sqrt(x^2 - 0.6*x + 0.09)\n", 1e-6, 4,
     0.2},
    {"a tent that roots hide",
     MASS_ON_A_LINE "force x = 400*(sqrt(t^2 - 3.4*t + 2.89) - 2*sqrt(t^2 - 3.42*t + 2.9241) + "
                    "sqrt(t^2 - 3.44*t + 2.9584)) - x\n",
     1e-6, 4, 0.2},
    {"a flat bottom", MASS_ON_A_LINE "potential x^12\n", 1e-9, 10, 0.1},
    {"near a pole",
     "system kepler\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\n"
     "initial x = 1, y = 0, x' = 0, y' = 0.3\n",
     1e-9, 8, 0.1},
    {"a wall and an event",
     MASS_ON_A_LINE "potential 0.5*exp(-((x - 0.3)/0.01)^2) + 0.1*x^2\nevent middle: x\n"
                    "event slow: x' down\n",
     1e-9, 6, 0.3},
    {"an event in time", MASS_ON_A_LINE "potential x^2/2\nevent narrow: (t - 2)^2 + x^2 - 1e-3\n",
     1e-9, 5, 1},
    {"two crossings that are close",
     MASS_ON_A_LINE "potential x^2/2\nevent hidden: x - 1.28\nevent all: sin(40*x) stop\n", 1e-9, 5,
     0.02},
    {"an event that ends the run", MASS_ON_A_LINE "potential x^4\nevent right: x - 0.9 up stop\n",
     1e-10, 5, 0.5},
    {"coefficients whose products are beyond double",
     "system fast\ncoord x\nkinetic x'^2/2\nforce x = -1e8*x\ninitial x = 0, x' = 1e152\n", 1e-9,
     3e-3, 1e150},
};

static bool is_same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void expect_same(const char *what, lanes_case *c, uint64_t count, double size, bool libm,
                        double most, uint32_t least) {
    const char *why = NULL;
    const uint32_t k = c->system.collected_count;
    double *values = lanes_case_values(c, count, size), *out = calloc(count * k, sizeof(double)),
           *other = calloc(count * k, sizeof(double));
    sweep_end *end = calloc(count, sizeof *end), *other_end = calloc(count, sizeof *end);
    c->steps = 0;
    assert_true(lanes_case_run(&c->scalar, 0, count, values, other, other_end));
    for (uint32_t width = processor_lanes(); width >= least; width -= 4) {
        sweep_engine *e = lanes_case_engine(c, width, libm, &why);
        if (!e) print_message("%s: %s\n", what, why);
        assert_non_null(e);
        assert_true(e->run(e, 0, count, values, out, end));
        const lanes_counts n = sweep_lanes_counts(e);
        double worst = 0;
        for (uint64_t i = 0; i < count * k; i++)
            if (!is_same(out[i], other[i]))
                worst = fmax(worst, isnan(out[i]) || isnan(other[i])
                                        ? INFINITY
                                        : fabs(out[i] - other[i]) / (1 + fabs(other[i])));
        if (worst > most || n.given_up || (most == 0 && n.steps != c->steps))
            print_message("%s in %u lanes: %g, %g steps for %g, %g given up\n", what, width, worst,
                          (double)n.steps, (double)c->steps, (double)n.given_up);
        assert_true(worst <= most);
        assert_int_equal(n.given_up, 0);
        if (most == 0) assert_int_equal(n.steps, c->steps);
        for (uint64_t i = 0; i < count; i++) {
            assert_int_equal(end[i].outcome, other_end[i].outcome);
            assert_int_equal(end[i].event, other_end[i].event);
            assert_true(most > 0 || end[i].t == other_end[i].t);
        }
        e->release(e);
    }
    free(values), free(out), free(other), free(end), free(other_end);
}

static void what_is_looked_for_is_found_as_in_the_scalar_code(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof PROBLEMS / sizeof *PROBLEMS; i++) {
        const problem *p = &PROBLEMS[i];
        lanes_case *c = lanes_case_open("model", p->text, "taylor", p->tolerance, p->end);
        if (!c) print_message("%s\n", p->what);
        assert_non_null(c);
        lanes_case_collect(c, 1, 1);
        expect_same(p->what, c, 61, p->size, true, 0, i % 6 ? processor_lanes() : 4);
        lanes_case_close(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_looked_for_is_found_as_in_the_scalar_code),
    };
    return cmocka_run_group_tests(tests, cache_make, cache_remove);
}
