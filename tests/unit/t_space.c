// Vectors, rotations, energies and forces of space against formulas written by hand.
#include "support/support.h"

#include "model/rotation.h"

#include <math.h>
#include <stdlib.h>

static vec3 numbers(pool *p, int64_t x, int64_t y, int64_t z) {
    return vec3_make(expr_int(p, x), expr_int(p, y), expr_int(p, z));
}

static void assert_same_vector(pool *p, vec3 a, vec3 b) {
    for (int i = 0; i < 3; i++) assert_true(same_function(p, a.at[i], b.at[i]));
}

static void vectors_are_right_handed(void **unused) {
    (void)unused;
    world w = world_open();
    pool *p = w.p;
    const vec3 x = numbers(p, 1, 0, 0), y = numbers(p, 0, 1, 0), z = numbers(p, 0, 0, 1);
    assert_same_vector(p, vec3_cross(p, x, y), z);
    assert_same_vector(p, vec3_cross(p, y, z), x);
    assert_same_vector(p, vec3_cross(p, numbers(p, 1, 2, 3), numbers(p, 4, 5, 6)),
                       numbers(p, -3, 6, -3));
    assert_same_vector(p, vec3_sub(p, numbers(p, 1, 2, 3), numbers(p, 4, 6, 9)),
                       numbers(p, -3, -4, -6));
    assert_same_vector(p, vec3_add(p, numbers(p, 1, 2, 3), numbers(p, 4, 6, 9)),
                       numbers(p, 5, 8, 12));
    assert_same_vector(p, vec3_scale(p, EXPR_TWO, numbers(p, 1, 2, 3)), numbers(p, 2, 4, 6));
    assert_int_equal(vec3_dot(p, numbers(p, 1, 2, 3), numbers(p, 4, 5, 6)), expr_int(p, 32));
    assert_int_equal(vec3_norm(p, numbers(p, 3, 4, 12)), expr_int(p, 13));
    world_close(&w);
}

// --- rotations -----------------------------------------------------------------------------------

static double value_at(world *w, expr e, double first) {
    double value[32];
    assert_true(pool_symbol_count(w->p) <= 32);
    for (int i = 0; i < 32; i++) value[i] = first + 0.37 * i;
    return expr_value(w->p, e, value);
}

// v + 2 r x (r x v + c v) with the unit quaternion (c, r) of half the angle
static void turn_by_quaternion(const double axis[3], double angle, double v[3]) {
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]),
                 c = cos(angle / 2);
    double r[3], inner[3];
    for (int i = 0; i < 3; i++) r[i] = axis[i] / length * sin(angle / 2);
    inner[0] = r[1] * v[2] - r[2] * v[1] + c * v[0];
    inner[1] = r[2] * v[0] - r[0] * v[2] + c * v[1];
    inner[2] = r[0] * v[1] - r[1] * v[0] + c * v[2];
    v[0] += 2 * (r[1] * inner[2] - r[2] * inner[1]);
    v[1] += 2 * (r[2] * inner[0] - r[0] * inner[2]);
    v[2] += 2 * (r[0] * inner[1] - r[1] * inner[0]);
}

static void rotations_are_those_of_quaternions(void **unused) {
    (void)unused;
    static const double TOLERANCE = 1e-13;
    static const int64_t axes[][3] = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {0, -1, 0},
                                      {3, 0, 4}, {1, 2, -2}, {1, -1, 1}};
    enum { AXES = sizeof axes / sizeof *axes };
    for (int i = 0; i < AXES; i++)
        for (int j = 0; j < AXES; j++) {
            world w = world_open();
            pool *p = w.p;
            const expr a = expr_symbol(p, "a", ROLE_COORDINATE),
                       b = expr_symbol(p, "b", ROLE_COORDINATE);
            const rotation r = rotation_times(
                p, rotation_about(p, numbers(p, axes[i][0], axes[i][1], axes[i][2]), a),
                rotation_about(p, numbers(p, axes[j][0], axes[j][1], axes[j][2]), b));
            const vec3 v = numbers(p, 2, -3, 5), turned = rotation_apply(p, r, v);
            double wanted[3] = {2, -3, 5}, axis[3];
            for (int k = 0; k < 3; k++) axis[k] = (double)axes[j][k]; // the last factor acts first
            turn_by_quaternion(axis, value_at(&w, b, 0.4), wanted);
            for (int k = 0; k < 3; k++) axis[k] = (double)axes[i][k];
            turn_by_quaternion(axis, value_at(&w, a, 0.4), wanted);
            for (int k = 0; k < 3; k++)
                assert_true(fabs(value_at(&w, turned.at[k], 0.4) - wanted[k]) < TOLERANCE);
            assert_same_vector(p, rotation_apply_inverse(p, r, turned), v);
            world_close(&w);
        }
}

// (R v)' = omega x R v, also for axes that move; in body axes omega is R^T omega.
static void angular_velocities_turn_vectors(void **unused) {
    (void)unused;
    world w = world_open();
    pool *p = w.p;
    const expr a = expr_symbol(p, "a", ROLE_COORDINATE), b = expr_symbol(p, "b", ROLE_COORDINATE),
               c = expr_symbol(p, "c", ROLE_COORDINATE);
    const vec3 moving =
        vec3_make(expr_function(p, EXPR_COS, &a), expr_function(p, EXPR_SIN, &a), EXPR_ONE);
    const vec3 still = numbers(p, 1, 2, -2), up = numbers(p, 0, 0, 1), v = numbers(p, 2, -3, 5);
    const rotation all[] = {
        rotation_about(p, up, a),
        rotation_times(p, rotation_about(p, up, a), rotation_about(p, still, b)),
        rotation_about(p, moving, c),
        rotation_times(p, rotation_about(p, moving, c), rotation_about(p, still, b)),
        rotation_times(p, rotation_about(p, still, b), rotation_about(p, moving, c)),
    };
    static const double TOLERANCE = 1e-11;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const vec3 turned = rotation_apply(p, all[i], v), omega = rotation_omega(p, all[i]),
                   body = rotation_apply(p, all[i], rotation_omega_body(p, all[i])),
                   rate = vec3_ddt(p, turned), crossed = vec3_cross(p, omega, turned);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(value_at(&w, rate.at[k], 0.2) - value_at(&w, crossed.at[k], 0.2)) <
                        TOLERANCE);
            assert_true(fabs(value_at(&w, body.at[k], 0.2) - value_at(&w, omega.at[k], 0.2)) <
                        TOLERANCE);
        }
    }
    world_close(&w);
}

// --- energies and forces -------------------------------------------------------------------------

static const char BODIES[] =
    "param m = 2, M = 3, g = 9, c = 1/5, I1 = 2, I2 = 3, I3 = 4, I12 = 1/3, I13 = 1/5, I23 = 1/7\n"
    "coord x, y, z, a, b\n"
    "point P: mass m at (x, 2*y, x*z)\n"
    "body B: mass M at (x + z, 3*y, z) inertia (I1, I2, I3, I12, I13, I23) rotation rot(x, "
    "a)*rot(y, b)\n"
    "gravity %s\n"
    "force on P = (1, x, 5)\n"
    "force x = 7*y'\n"
    "force x = -2*t\n"
    "torque on B = (11, 13, 17)\n"
    "dissipation c/2*(y'^2 + 4*b'^2)\n"
    // omega in body axes is (a' cos b, b', a' sin b), and in space axes (a', b' cos a, b' sin a)
    "let w1 = a'*cos(b)\nlet w2 = b'\nlet w3 = a'*sin(b)\n"
    "observe T = m/2*(x'^2 + 4*y'^2 + (x'*z + x*z')^2) + M/2*((x' + z')^2 + 9*y'^2 + z'^2) + "
    "(I1*w1^2 + I2*w2^2 + I3*w3^2)/2 + I12*w1*w2 + I13*w1*w3 + I23*w2*w3\n"
    "observe U = %s\n"
    "observe Qx = 1 + 5*z + 7*y' - 2*t + %s\n"
    "observe Qy = 2*x - c*y' + %s\n"
    "observe Qz = 5*x + %s\n"
    "observe Qa = 11\n"
    "observe Qb = 13*cos(a) + 17*sin(a) - 4*c*b'\n"
    "initial x = 1, y = 1, z = 1\n";

static void energies_and_forces_are_those_written_by_hand(void **unused) {
    (void)unused;
    static const char *const cases[][5] = {
        {"(0, 0, -g)", "m*g*x*z + M*g*z", "0", "0", "0"},
        {"(g, 0, 0)", "-m*g*x - M*g*(x + z)", "0", "0", "0"},
        // a gravity that depends on coordinates is a force: m G.dX/dq
        {"(0, -x, 0)", "0", "0", "-2*m*x - 3*M*x", "0"},
        {"(z, 0, -y)", "0", "m*z - m*y*z + M*z", "0", "-m*y*x + M*z - M*y"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[3000];
        snprintf(words, sizeof words, BODIES, cases[i][0], cases[i][1], cases[i][2], cases[i][3],
                 cases[i][4]);
        world w = world_open();
        model *m = world_model(&w, words);
        const mechanics *s = mechanics_of(m);
        assert_int_equal(m->observables_count, 7);
        assert_true(same_function(m->pool, s->kinetic, m->observables[0].value));
        assert_true(same_function(m->pool, s->potential, m->observables[1].value));
        assert_true(same_function(m->pool, s->lagrangian,
                                  expr_sub(m->pool, s->kinetic, m->observables[1].value)));
        for (int j = 0; j < 5; j++)
            assert_true(same_function(m->pool, s->force[j], m->observables[2 + j].value));
        world_close(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_right_handed),
        cmocka_unit_test(rotations_are_those_of_quaternions),
        cmocka_unit_test(angular_velocities_turn_vectors),
        cmocka_unit_test(energies_and_forces_are_those_written_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
