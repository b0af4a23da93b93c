// The Cartesian approach: velocities are a field, accelerations its derivative along itself.
#include "support/typed_agreement.h"

#include "derive/formalism.h"
#include "equations/evaluate.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 40, BITS = 400, STATES = 4 };

static bool equal(arb_srcptr a, arb_srcptr b, uint32_t count) {
    bool ok = true;
    arb_t gap;
    mag_t size;
    arb_init(gap), mag_init(size);
    for (uint32_t i = 0; i < count && ok; i++) {
        arb_sub(gap, a + i, b + i, BITS);
        arb_get_mag(size, gap);
        ok = arb_is_finite(gap) && mag_cmp_2exp_si(size, -(slong)(DIGITS * 3.33)) < 0;
    }
    arb_clear(gap), mag_clear(size);
    return ok;
}

// At random positions: are the accelerations those of the field? Of the classical motion
// with the velocities of the field?
static void look(const char *text, bool *of_field, bool *classical, const char **remark) {
    world w = world_open();
    model *m = world_model(&w, text);
    const mechanics *system = mechanics_of(m);
    assert_null(formalism_refusal(formalism_find("cartesian"), system));
    equations *eq = formalism_derive(formalism_find("cartesian"), system),
              *maggi = formalism_derive(formalism_find("maggi"), system);
    static char copy[400];
    strncpy(copy, eq->remark ? eq->remark : "", sizeof copy - 1);
    *of_field = *classical = true, *remark = copy;
    arb_ptr rate = _arb_vec_init(system->n);
    expr *derivative = calloc(system->n, sizeof(expr));
    for (uint32_t i = 0; i < system->n; i++)
        derivative[i] = expr_ddt(system->pool, eq->velocity[i]);
    for (uint64_t seed = 0; seed < STATES; seed++) {
        state s;
        evaluation e, other;
        expr missing;
        assert_true(admissible_state(m, seed, BITS, &s));
        assert_int_equal(equations_evaluate(eq, &s, &e, &missing), EVALUATE_OK);
        // the q' of the state are now those of the field
        equations_values(eq, &s, system->n, derivative, rate);
        *of_field = *of_field && equal(e.acceleration, rate, system->n);
        assert_int_equal(equations_evaluate(maggi, &s, &other, &missing), EVALUATE_OK);
        *classical = *classical && equal(e.acceleration, other.acceleration, system->n) &&
                     equal(e.multiplier, other.multiplier, system->k);
        evaluation_clear(&e), evaluation_clear(&other);
        state_clear(&s);
    }
    free(derivative);
    _arb_vec_clear(rate, system->n);
    equations_free(eq), equations_free(maggi);
    world_close(&w);
}

// RS's particle with x' + a(z) y' = 0, in polar coordinates; U = A^2/2 + h/2 - z^2/2 on the field.
static const char particle[] =
    "param A = 3/2, h = 4\n"
    "coord r, phi, z\n"
    "let a = 1/2 + z^2/2\n"
    "kinetic (r'^2 + r^2*phi'^2 + z'^2)/2\n"
    "potential %s\n"
    "constraint c: cos(phi)*r' - r*sin(phi)*phi' + a*(sin(phi)*r' + r*cos(phi)*phi') = 0\n"
    "cartesian sin(phi)*r' + r*cos(phi)*phi' = %s\n"
    "cartesian z' = sqrt(h - z^2)\n"
    "initial r = 1.2, phi = 0.4, z = 0.3, z' = 0.1\n";

static const char *particle_with(world *w, const char *potential, const char *value) {
    return arena_format(&w->ctx->arena, particle, potential, value);
}

static void where_the_conditions_hold_accelerations_are_those_of_the_field(void **unused) {
    (void)unused;
    world w = world_open();
    bool of_field, classical;
    const char *remark;
    look(particle_with(&w, "0", "-A/sqrt(1 + a^2)"), &of_field, &classical, &remark);
    assert_true(of_field);
    assert_false(classical); // no potential: the model's own forces are others
    assert_non_null(strstr(remark, "hold identically"));
    assert_null(strstr(remark, "is one of its classical motions"));
    world_close(&w);
}

static void with_minus_u_for_potential_the_motion_is_classical(void **unused) {
    (void)unused;
    world w = world_open();
    bool of_field, classical;
    const char *remark;
    look(particle_with(&w, "z^2/2", "-A/sqrt(1 + a^2)"), &of_field, &classical, &remark);
    assert_true(of_field);
    assert_true(classical);
    assert_non_null(strstr(remark, "classical"));
    world_close(&w);
}

static void where_the_conditions_fail_it_is_said_and_the_field_is_no_motion(void **unused) {
    (void)unused;
    world w = world_open();
    bool of_field, classical;
    const char *remark;
    look(particle_with(&w, "0", "-A/(1 + a^2)"), &of_field, &classical, &remark);
    assert_false(of_field);
    assert_non_null(strstr(remark, "fail: Lambda["));
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_the_conditions_hold_accelerations_are_those_of_the_field),
        cmocka_unit_test(with_minus_u_for_potential_the_motion_is_classical),
        cmocka_unit_test(where_the_conditions_fail_it_is_said_and_the_field_is_no_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
