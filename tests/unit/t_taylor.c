// Taylor's method in long double is right to the last bit of a double.
#include "support/support.h"

#include "derive/formalism.h"
#include "integrate/extended.h"
#include "simulate/run.h"

#include <math.h>
#include <string.h>

static const char OSCILLATOR[] =
    "system oscillator\ncoord x\nkinetic x'^2/2\npotential x^2/2\ninitial x = 1\n";

// x at `end` of x'' = -x from x = 1
static double swing(const char *precision, double tolerance, double end) {
    world w = world_open();
    simulation *system = simulation_of(world_model(&w, OSCILLATOR));
    field *f = field_interpreted(system);
    run r = {.asked = {.method = integrator_find("taylor"),
                       .end = end,
                       .tolerance = tolerance,
                       .interval = end}};
    run_open(&r, f, 0, system->z0);
    r.state.extended = extended_create(extended_find(precision), &r.state);
    assert_int_equal(run_begin(&r), RUN_DONE);
    assert_int_equal(run_integrate(&r), RUN_DONE);
    const double x = r.state.z[0];
    run_free(&r);
    extended_free(r.state.extended);
    field_free(f);
    simulation_and_equations_free(system);
    world_close(&w);
    return x;
}

static void an_oscillator_in_long_double_is_a_cosine_to_the_last_bit(void **unused) {
    (void)unused;
    // of numbers between 1/2 and 1, as these cosines are; a tenth more for
    // what long double is off by
    static const double HALF_UNIT = 0x1p-54;
    const double times[] = {1, 6, 25, 50.5, 100};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const long double expected = cosl(times[i]);
        const double x = swing("long", 1e-19, times[i]);
        if (!(fabsl(x - expected) <= 1.1L * HALF_UNIT))
            fail_msg("cos(%g) = %.17g is off by %.3Lg", times[i], x, fabsl(x - expected));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oscillator_in_long_double_is_a_cosine_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
