// Integrability and growth vectors against what is known of classical systems.
#include "support/support.h"

#include "analyse/geometry.h"

#include <stdio.h>
#include <string.h>

static geometry geometry_of_library(world *w, const char *name, model **m) {
    mechanics *s;
    assert_int_equal(hamel_model_open(w->ctx, name, m), HAMEL_OK);
    assert_int_equal(mechanics_create(*m, NULL, &s), HAMEL_OK);
    return geometry_of(s);
}

static geometry geometry_of_text(world *w, const char *text) {
    mechanics *s;
    assert_int_equal(mechanics_create(world_model(w, text), NULL, &s), HAMEL_OK);
    return geometry_of(s);
}

static void growth_vectors_of_the_classics(void **unused) {
    (void)unused;
    static const struct {
        const char *name, *growth;
    } known[] = {
        {"sleigh", "2 3"},          // contact distribution
        {"vertical_disc", "2 3 4"}, // Engel
        {"rolling_disc", "3 4 5"},
        {"chaplygin_ball", "3 5"},
        {"n_trailer", "2 3 4 5 6"}, // Goursat: the longest there is
        {"rs_1_1_ball_in_sphere", "3 5"}, // one combination, the radial one, is integrable
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        world w = world_open();
        model *m;
        const geometry g = geometry_of_library(&w, known[i].name, &m);
        char text[64] = "";
        for (uint32_t k = 0; k < g.growth_count; k++) sprintf(text + strlen(text), "%s%u", k ? " " : "", g.growth[k]);
        assert_string_equal(text, known[i].growth);
        for (uint32_t k = 0; k < m->constraints_count; k++)
            if (m->constraints[k].order == 1) assert_int_equal(g.constraint[k], INTEGRABLE_NO);
        world_close(&w);
    }
}

static void a_total_derivative_is_integrable(void **unused) {
    (void)unused;
    world w = world_open();
    const geometry g = geometry_of_text(&w, "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x' + x*y'\n");
    assert_int_equal(g.constraint[0], INTEGRABLE_YES);
    assert_int_equal(g.growth_count, 1);
    world_close(&w);
}

static void an_integrating_factor_does_not_hide_integrability(void **unused) {
    (void)unused;
    world w = world_open();
    const geometry g = geometry_of_text(&w, "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                                            "constraint exp(z)*sin(x)*(x*x' + y*y' + z*z') = 0\ninitial x = 1, y = 1, z = 1\n");
    assert_int_equal(g.constraint[0], INTEGRABLE_YES);
    world_close(&w);
}

static void motion_in_time_can_spoil_integrability(void **unused) {
    (void)unused;
    world w = world_open();
    const char *still = "param f = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint y' = f*x'\n";
    const char *moving = "given f\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint y' = f*x'\n";
    assert_int_equal(geometry_of_text(&w, still).constraint[0], INTEGRABLE_YES);
    assert_int_equal(geometry_of_text(&w, moving).constraint[0], INTEGRABLE_NO);
    world_close(&w);
}

static void two_constraints_can_be_integrable_together_only(void **unused) {
    (void)unused;
    world w = world_open(); // z' = y x' alone is not; with y' = 0 it is: z = y x + c
    const geometry g = geometry_of_text(&w, "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x'\nconstraint y' = 0\n");
    assert_int_equal(g.constraint[0], INTEGRABLE_YES);
    assert_int_equal(g.constraint[1], INTEGRABLE_YES);
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth_vectors_of_the_classics),
        cmocka_unit_test(a_total_derivative_is_integrable),
        cmocka_unit_test(an_integrating_factor_does_not_hide_integrability),
        cmocka_unit_test(motion_in_time_can_spoil_integrability),
        cmocka_unit_test(two_constraints_can_be_integrable_together_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
