// Special cases are named when they are there, not named when they are not, and
// their simplified equations hold.
#include "support/support.h"

#include "analyse/special.h"
#include "derive/formalism.h"
#include "derive/manifold.h"

#include <stdio.h>
#include <string.h>

static const mechanics *library(world *w, const char *name) {
    return mechanics_of(world_library(w, name));
}

// The words of a case, or NULL
static const char *words_of(const mechanics *s, const char *id) {
    const character c = character_of(s);
    const special_cases all = special_cases_of(s, &c);
    for (uint32_t i = 0; i < all.count; i++)
        if (strcmp(all.at[i].id, id) == 0) return all.at[i].words;
    return NULL;
}

static const char *case_of_library(const char *name, const char *id) {
    static char copy[400];
    world w = world_open();
    const char *words = words_of(library(&w, name), id);
    if (words) snprintf(copy, sizeof copy, "%s", words);
    world_close(&w);
    return words ? copy : NULL;
}

static const char *case_of_text(const char *text, const char *id) {
    static char copy[400];
    world w = world_open();
    const char *words = words_of(mechanics_of(world_model(&w, text)), id);
    if (words) snprintf(copy, sizeof copy, "%s", words);
    world_close(&w);
    return words ? copy : NULL;
}

// A free particle with one constraint on its velocities
static const char *case_of_particle(const char *constraint, const char *id) {
    char text[300];
    snprintf(text, sizeof text,
             "param m = 1\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\nindependent x, "
             "y\nconstraint c: %s\n",
             constraint);
    return case_of_text(text, id);
}

static void purely_geometric_constraints_are_named(void **unused) {
    (void)unused;
    assert_non_null(strstr(case_of_library("pendulum", "geometric"), "on the surface"));
    assert_non_null(
        strstr(case_of_library("double_pendulum", "geometric"), "solved by the coordinates"));
    assert_null(case_of_library("sleigh", "geometric"));
    assert_null(case_of_library("skier", "geometric")); // one of two is geometric
}

static void quasi_velocities_that_are_momenta_give_hamiltons_equations(void **unused) {
    (void)unused;
    const char polar[] =
        "param m = 2, k = 3\ncoord r, phi\nkinetic m/2*(r'^2 + r^2*phi'^2)\npotential k*r^2\n";
    char text[300];
    snprintf(text, sizeof text, "%squasi p1 = m*r'\nquasi p2 = m*r^2*phi'\n", polar);
    assert_non_null(strstr(case_of_text(text, "geometric"), "eta = p"));
    snprintf(text, sizeof text, "%squasi p1 = m*r'\nquasi p2 = m*r*phi'\n", polar);
    assert_null(strstr(case_of_text(text, "geometric"), ", eta = p:"));
}

static void the_stationary_case_needs_homogeneous_constraints_and_no_time(void **unused) {
    (void)unused;
    assert_non_null(strstr(case_of_library("sleigh", "stationary"), "T15"));
    assert_null(strstr(case_of_library("ball_on_turntable", "stationary"), "T15")); // affine
    assert_null(strstr(case_of_library("rs_3_3_appell", "stationary"), "T15"));     // nonlinear
    assert_null(case_of_library("t15_3_2_front_motion", "stationary"));             // moving
    assert_null(case_of_particle("z' = t*x'", "stationary"));
}

static void cyclic_coordinates_untouched_by_the_constraints_are_named(void **unused) {
    (void)unused;
    assert_non_null(strstr(case_of_library("snakeboard", "cyclic"), "in psi"));
    assert_null(case_of_library("sleigh", "cyclic")); // x, y, theta are cyclic, and constrained
    assert_non_null(strstr(case_of_particle("z' = z*x'", "cyclic"), "in y"));
    // with friction
    assert_null(case_of_text("param m = 1\ncoord x\nkinetic m/2*x'^2\nforce x = -x'\n", "cyclic"));
}

static void integrable_constraints_are_told_from_others(void **unused) {
    (void)unused;
    assert_non_null(case_of_particle("z' = y*x' + x*y'", "integrable")); // z = x y
    assert_null(case_of_particle("z' = y*x'", "integrable"));
    // Log z = x y: only with alpha_mu dalpha/dq_{m+mu}
    assert_non_null(case_of_particle("z' = z*(y*x' + x*y')", "integrable"));
    assert_null(case_of_particle("z' = z*x' + x*y'", "integrable"));
    assert_null(case_of_library("sleigh", "integrable"));
    assert_null(case_of_library("pendulum", "integrable")); // geometric, and named so
}

static void integrability_counts_time_as_a_direction(void **unused) {
    (void)unused;
    assert_non_null(case_of_particle("z' = x + t*x'", "integrable")); // z = t x
    assert_null(case_of_particle("z' = t*x'", "integrable"));
    assert_null(case_of_particle("z' = x", "integrable"));
    assert_non_null(case_of_particle("z' = 3*x' + 1", "integrable"));
}

// d/dt dT*/dq'_i - dT*/dq_i - dalpha/dq'_i dT*/dq_3 - F_i - dalpha/dq'_i F_3, i = 1, 2, with the
// third velocity dependent: Lagrange's equations in coordinates of a leaf.
static void lagrange_on_the_leaf(const mechanics *s, expr *out) {
    pool *p = s->pool;
    const manifold m = manifold_create(s);
    const expr star = manifold_star(&m, s->kinetic);
    expr force[3];
    for (uint32_t j = 0; j < 3; j++)
        force[j] = expr_neg(p, expr_diff(p, s->potential, s->q[j])); // F_j = -dU/dq_j
    for (uint32_t i = 0; i < 2; i++) {
        const expr slope = expr_diff(p, m.v.velocity[2], s->qd[i]); // dalpha/dq'_i
        out[i] = manifold_rate(&m, expr_diff(p, star, s->qd[i]));
        for (uint32_t j = 0; j < 3; j++) {
            const expr acting = expr_add(p, expr_diff(p, star, s->q[j]), force[j]);
            if (j == i) out[i] = expr_sub(p, out[i], acting);
            if (j == 2) out[i] = expr_sub_product(p, out[i], slope, acting);
        }
    }
}

// beta = 0: what Voronec's equations have beyond Lagrange's on the leaf is nothing.
static void with_integrable_constraints_voronec_is_lagrange_on_the_leaf(void **unused) {
    (void)unused;
    static const char *const constraint[2] = {"z' = z*(y*x' + x*y') + 2*y*y'*z", "z' = y*x'"};
    for (int integrable = 0; integrable < 2; integrable++) {
        world w = world_open();
        char text[400];
        snprintf(
            text, sizeof text,
            "param m = 1, g = 9\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2*(1 + z^2) + "
            "z'^2)\npotential m*g*z*x\n"
            "independent x, y\nconstraint c: %s\ninitial z = 1, x = 0.2, y = 0.3, x' = 1, y' = 2\n",
            constraint[!integrable]);
        const mechanics *s = mechanics_of(world_model(&w, text));
        equations *eq = formalism_derive(formalism_find("voronec-linear"), s);
        expr lagrange[2];
        lagrange_on_the_leaf(s, lagrange);
        for (uint32_t i = 0; i < 2; i++)
            assert_int_equal(same_function(s->pool, eq->residual[i].value, lagrange[i]),
                             integrable);
        assert_int_equal(eq->remark && strstr(eq->remark, "integrable constraints: beta = 0"),
                         integrable);
        equations_free(eq);
        world_close(&w);
    }
}

static void the_algebraic_case_of_poincare_is_named(void **unused) {
    (void)unused;
    assert_non_null(case_of_library("sleigh", "algebraic"));
    assert_null(case_of_library("vertical_disc", "algebraic"));
    // the fields commute: nothing to say
    assert_null(case_of_library("double_pendulum", "algebraic"));
}

static void chaplygins_case_is_named_with_the_velocities_to_eliminate(void **unused) {
    (void)unused;
    assert_non_null(strstr(case_of_library("vertical_disc", "chaplygin"),
                           "eliminating x', y': the other equations stand alone"));
    assert_null(case_of_library("n_trailer", "chaplygin"));
    const char spring[] = "param m = 1, k = 2\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + "
                          "z'^2)\npotential k/2*z^2\nindependent x, y\n"
                          "constraint c: z' = y*x'\n";
    assert_non_null(case_of_text(spring, "chaplygin"));
    assert_null(strstr(case_of_text(spring, "chaplygin"), "alone")); // the spring knows z
}

static void constraints_of_higher_order_have_no_special_case(void **unused) {
    (void)unused;
    assert_null(case_of_library("gentle_lift", "geometric"));
    assert_null(case_of_library("gentle_lift", "stationary"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(purely_geometric_constraints_are_named),
        cmocka_unit_test(quasi_velocities_that_are_momenta_give_hamiltons_equations),
        cmocka_unit_test(the_stationary_case_needs_homogeneous_constraints_and_no_time),
        cmocka_unit_test(cyclic_coordinates_untouched_by_the_constraints_are_named),
        cmocka_unit_test(integrable_constraints_are_told_from_others),
        cmocka_unit_test(integrability_counts_time_as_a_direction),
        cmocka_unit_test(with_integrable_constraints_voronec_is_lagrange_on_the_leaf),
        cmocka_unit_test(the_algebraic_case_of_poincare_is_named),
        cmocka_unit_test(chaplygins_case_is_named_with_the_velocities_to_eliminate),
        cmocka_unit_test(constraints_of_higher_order_have_no_special_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
