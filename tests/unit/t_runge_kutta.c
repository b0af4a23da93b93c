// The numbers of the Runge-Kutta pairs: order conditions over all rooted trees (Butcher; Hairer,
// Norsett, Wanner II.2), and the orders one measures.
#include "integrate/step_control.h"
#include "integrate/runge_kutta.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

// --- rooted trees --------------------------------------------------------------------------------

// A tree is one root, or a tree u with a tree v grafted onto its root: every tree of up to 8
// nodes arises, some in several ways.
typedef struct {
    uint32_t order;
    // its density: the solution has theta^order / gamma where a method has sum_i b_i phi_i
    double gamma;
    double phi[MOST_STAGES]; // phi_i(u v) = phi_i(u) sum_j a_ij phi_j(v)
    // the same with |a_ij|: rounding of the a_ij shows as DBL_EPSILON times this
    double size[MOST_STAGES];
} tree;

enum { MOST_TREES = 1 + 1 + 2 + 5 + 14 + 42 + 132 + 429, HIGHEST = 8 };

typedef struct {
    tree list[MOST_TREES];
    uint32_t count;
} forest;

static void graft(forest *w, const tableau *m, const tree *u, const tree *v) {
    tree *t = &w->list[w->count++];
    t->order = u->order + v->order;
    t->gamma = u->gamma * v->gamma * t->order / u->order;
    for (uint32_t i = 0; i < m->stages; i++) {
        double sum = 0, size = 0;
        for (uint32_t j = 0; j < i; j++)
            sum += m->a[i][j] * v->phi[j], size += fabs(m->a[i][j]) * v->size[j];
        t->phi[i] = u->phi[i] * sum, t->size[i] = u->size[i] * size;
    }
}

static forest *grow(const tableau *m) {
    forest *w = calloc(1, sizeof *w);
    tree *root = &w->list[w->count++];
    root->order = 1, root->gamma = 1;
    for (uint32_t i = 0; i < m->stages; i++) root->phi[i] = root->size[i] = 1;
    for (uint32_t order = 2; order <= HIGHEST; order++) {
        const uint32_t known = w->count;
        for (uint32_t i = 0; i < known; i++)
            for (uint32_t j = 0; j < known; j++)
                if (w->list[i].order + w->list[j].order == order)
                    graft(w, m, &w->list[i], &w->list[j]);
    }
    assert_int_equal(w->count, MOST_TREES);
    return w;
}

// The largest |sum_i b_i phi_i - wanted| over the trees of one order, in units of what
// rounding the numbers to doubles allows.
static double worst(const forest *w, uint32_t stages, const double *b, uint32_t order, double theta,
                    double factor) {
    double most = 0;
    for (uint32_t t = 0; t < w->count; t++) {
        const tree *g = &w->list[t];
        if (g->order != order) continue;
        double sum = 0, size = 1;
        for (uint32_t i = 0; i < stages; i++)
            sum += b[i] * g->phi[i], size += fabs(b[i]) * g->size[i];
        most = fmax(most, fabs(sum - factor * pow(theta, order) / g->gamma) / size);
    }
    return most;
}

static const double ROUNDING = 1e-15; // a few DBL_EPSILON of the largest summands

static void conditions_hold(const tableau *m) {
    forest *w = grow(m);
    for (uint32_t order = 1; order <= m->order; order++)
        assert_true(worst(w, m->last, m->b, order, 1, 1) < ROUNDING);
    for (uint32_t x = 0; x <= 10; x++) {
        double b[MOST_STAGES];
        m->weights(x / 10.0, b);
        for (uint32_t order = 1; order <= m->dense_order; order++)
            assert_true(worst(w, m->stages, b, order, x / 10.0, 1) < ROUNDING);
    }
    free(w);
}

// A method of order p is not one of order p + 1: the conditions are not empty.
static void conditions_end_where_they_should(const tableau *m) {
    forest *w = grow(m);
    double b[MOST_STAGES];
    m->weights(0.3, b);
    if (m->order < HIGHEST)
        assert_true(worst(w, m->last, m->b, m->order + 1, 1, 1) > 1e6 * ROUNDING);
    assert_true(worst(w, m->stages, b, m->dense_order + 1, 0.3, 1) > 1e6 * ROUNDING);
    free(w);
}

static void embedded_solution_has_order(const tableau *m, const double *error, uint32_t order) {
    forest *w = grow(m);
    for (uint32_t i = 1; i <= order; i++)
        assert_true(worst(w, m->last + 1, error, i, 1, 0) < ROUNDING);
    assert_true(worst(w, m->last + 1, error, order + 1, 1, 0) > 1e6 * ROUNDING);
    free(w);
}

static void rows_sum_to_their_times_and_the_interpolant_ends_at_the_solution(const tableau *m) {
    for (uint32_t i = 0; i < m->stages; i++) {
        double sum = -m->c[i], size = 1;
        for (uint32_t j = 0; j < i; j++) sum += m->a[i][j], size += fabs(m->a[i][j]);
        assert_true(fabs(sum) < ROUNDING * size);
    }
    double start[MOST_STAGES], end[MOST_STAGES];
    m->weights(0, start), m->weights(1, end);
    for (uint32_t i = 0; i < m->stages; i++) {
        assert_true(start[i] == 0);
        assert_true(fabs(end[i] - (i < m->last ? m->b[i] : 0)) < 4 * ROUNDING);
    }
}

static void tsit5_fulfils_the_order_conditions_up_to_5_and_its_interpolant_up_to_4(void **state) {
    (void)state;
    const tableau *m = integrator_find("tsit5")->tableau;
    conditions_hold(m);
    conditions_end_where_they_should(m);
    embedded_solution_has_order(m, m->error, 4);
    rows_sum_to_their_times_and_the_interpolant_ends_at_the_solution(m);
}

static void dop853_fulfils_the_order_conditions_up_to_8_and_its_interpolant_up_to_7(void **state) {
    (void)state;
    const tableau *m = integrator_find("dop853")->tableau;
    conditions_hold(m);
    conditions_end_where_they_should(m);
    embedded_solution_has_order(m, m->error, 5);
    embedded_solution_has_order(m, m->weak_error, 3);
    rows_sum_to_their_times_and_the_interpolant_ends_at_the_solution(m);
}

// --- measured orders -----------------------------------------------------------------------------

// x' = -y w, y' = x w, w = 1 + t/2: not autonomous, with the closed form x =
// cos(t + t^2/4), y = sin(..)
static bool turning(field *f, double t, const double *z, double *dz) {
    f->rate_calls++;
    dz[0] = -z[1] * (1 + t / 2), dz[1] = z[0] * (1 + t / 2);
    return true;
}

static double distance(double t, const double *z) {
    return hypot(z[0] - cos(t + t * t / 4), z[1] - sin(t + t * t / 4));
}

// One step of the method itself: `accept` keeps its end and looks inside the first one.
static double largest_within;

static outcome keep_end(integration *in, const accepted_step *s) {
    for (int x = 1; in->t == 0 && x < 10; x += 2) {
        double z[2];
        const double t = x / 10.0 * s->to;
        s->inside->at(s->inside, t, z);
        largest_within = fmax(largest_within, distance(t, z));
    }
    in->t = s->to, in->z[0] = s->z[0], in->z[1] = s->z[1];
    return (outcome){RUN_EVENT, STATE_KEPT};
}

// The error at t = 2 after `steps` equal steps; *within: the largest of the interpolant at five
// places in one step of that size from t = 0. Nothing is refused at such a tolerance.
static double error_of(const integrator *method, int steps, double *within) {
    const simulation nothing_to_look_for = {0};
    field f = {.sim = &nothing_to_look_for, .size = 2, .rate = turning};
    double z[2] = {1, 0};
    const run_request asked = {.method = method, .end = 100, .tolerance = 1e6};
    integration in = {.request = &asked, .f = &f, .z = z, .accept = keep_end};
    largest_within = 0;
    for (int s = 0; s < steps; s++) {
        in.pace[0] = 2.0 / steps, in.pace[1] = 1; // as a run that is taken up again
        assert_int_equal(method->integrate(&in), RUN_EVENT);
    }
    *within = largest_within;
    assert_int_equal(in.rejected, 0);
    return distance(in.t, z);
}

// Halving the step divides the error by 2^order; the interpolant's error within one
// step is as h^(its order + 1).
static void measured_orders_are(const char *id, int steps) {
    const integrator *method = integrator_find(id);
    const tableau *m = method->tableau;
    double coarse_within, fine_within;
    const double coarse = error_of(method, steps, &coarse_within),
                 fine = error_of(method, 2 * steps, &fine_within);
    const double order = log2(coarse / fine), within = log2(coarse_within / fine_within);
    assert_true(fabs(order - m->order) < 0.35);
    assert_true(fabs(within - (m->dense_order + 1)) < 0.35);
    assert_true(fine > 100 * DBL_EPSILON); // and what was measured is not rounding
}

static void tsit5_is_measured_to_have_order_5_and_4_within_a_step(void **state) {
    (void)state;
    measured_orders_are("tsit5", 64);
}

static void dop853_is_measured_to_have_order_8_and_7_within_a_step(void **state) {
    (void)state;
    measured_orders_are("dop853", 8);
}

static outcome go_on(integration *in, const accepted_step *s) {
    in->t = s->to, in->z[0] = s->z[0], in->z[1] = s->z[1];
    return (outcome){RUN_DONE, STATE_KEPT};
}

// Over a few turns errors add up to some tens of the tolerance, and are not far smaller either.
static void errors_follow_the_tolerance(void **state) {
    (void)state;
    static const char *const ids[] = {"tsit5", "dop853"};
    for (int i = 0; i < 2; i++)
        for (double tolerance = 1e-4; tolerance > 1e-11; tolerance /= 100) {
            const simulation nothing_to_look_for = {0};
            field f = {.sim = &nothing_to_look_for, .size = 2, .rate = turning};
            double z[2] = {1, 0};
            const run_request asked = {
                .method = integrator_find(ids[i]), .end = 5, .tolerance = tolerance};
            integration in = {.request = &asked, .f = &f, .z = z, .accept = go_on};
            assert_int_equal(asked.method->integrate(&in), RUN_DONE);
            const double error = distance(in.t, z) / tolerance;
            assert_true(error < 100 && error > 0.01);
        }
}

// --- stability -----------------------------------------------------------------------------------

// |R(-x)|, the factor of z' = -x z in a step of length 1: of a pair by its stages, of Taylor's
// method by its series
static double growth_of_pair(const tableau *m, double x) {
    double k[MOST_STAGES], z1 = 1;
    for (uint32_t i = 0; i < m->last; i++) {
        double z = 1;
        for (uint32_t j = 0; j < i; j++) z += m->a[i][j] * k[j];
        k[i] = -x * z;
    }
    for (uint32_t i = 0; i < m->last; i++) z1 += m->b[i] * k[i];
    return fabs(z1);
}

static double growth_of_series(uint32_t order, double x) {
    double sum = 1, term = 1;
    for (uint32_t k = 1; k <= order; k++) sum += term *= -x / k;
    return fabs(sum);
}

static void steps_are_stable_as_far_as_methods_say(void **state) {
    (void)state;
    static const char *const ids[] = {"tsit5", "dop853"};
    static const double LITTLE = 1.02;
    for (int i = 0; i < 2; i++) {
        const integrator *m = integrator_find(ids[i]);
        for (double x = 0.01; x <= m->stable; x += 0.01)
            assert_true(growth_of_pair(m->tableau, x) <= 1);
        assert_true(growth_of_pair(m->tableau, LITTLE * m->stable) > 1);
    }
    const integrator *taylor = integrator_find("taylor");
    for (uint32_t order = 4; order <= 30; order++) {
        const double most = taylor->stable + order * taylor->stable_an_order;
        assert_true(growth_of_series(order, most / LITTLE) < 1);
        assert_true(growth_of_series(order, LITTLE * most) > 1);
    }
}

// --- step control --------------------------------------------------------------------------------

// |sum_j weight_j k_j| in tolerances of the larger end, root mean square
static double norm_of(const double *weight, uint32_t count, double h, double tolerance,
                      const double *k, const double *z, const double *z1) {
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        double e = 0;
        for (uint32_t j = 0; j < count; j++) e += h * weight[j] * k[2 * j + i];
        sum += pow(e / tolerance / (1 + fmax(fabs(z[i]), fabs(z1[i]))), 2);
    }
    return sqrt(sum / 2);
}

static void errors_are_measured_in_tolerances_of_the_larger_end(void **unused) {
    (void)unused;
    static const char *const ids[] = {"tsit5", "dop853"};
    static const double allowed[] = {1, 1e-2, 1e-6}, z[2] = {-4, 0.3}, h = 0.3;
    for (int i = 0; i < 6; i++) {
        const integrator *method = integrator_find(ids[i % 2]);
        const tableau *m = method->tableau;
        field f = {.size = 2, .rate = turning};
        double k[2 * MOST_STAGES], work[2], z1[2];
        turning(&f, 0.7, z, k);
        const double size = method->attempt(&f, 0.7, z, h, allowed[i / 2], k, work, z1),
                     e = norm_of(m->error, m->last + 1, h, allowed[i / 2], k, z, z1),
                     weak = m->weak_error
                                ? norm_of(m->weak_error, m->last + 1, h, allowed[i / 2], k, z, z1)
                                : 0,
                     expected = m->weak_error ? e * e / sqrt(e * e + 0.01 * weak * weak) : e;
        assert_true(fabs(size / expected - 1) < 1e-6 && expected * allowed[i / 2] > 1e-9);
    }
}

static void an_error_at_the_tolerance_keeps_the_step_and_a_small_one_lets_it_grow(void **state) {
    (void)state;
    step_control c = step_control_for(8);
    c.before = 1;
    assert_true(fabs(step_control_after_success(&c, 1) - 0.9) < 1e-15);
    assert_true(step_control_after_success(&c, 1e-6) > 2);
    assert_true(step_control_after_rejection(&c, 100) < 0.9 &&
                step_control_after_rejection(&c, 1e30) >= 0.2);
    c.rejected = true;
    assert_true(step_control_after_success(&c, 1e-6) <= 1); // no growth just after a rejection
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tsit5_fulfils_the_order_conditions_up_to_5_and_its_interpolant_up_to_4),
        cmocka_unit_test(dop853_fulfils_the_order_conditions_up_to_8_and_its_interpolant_up_to_7),
        cmocka_unit_test(tsit5_is_measured_to_have_order_5_and_4_within_a_step),
        cmocka_unit_test(dop853_is_measured_to_have_order_8_and_7_within_a_step),
        cmocka_unit_test(errors_follow_the_tolerance),
        cmocka_unit_test(steps_are_stable_as_far_as_methods_say),
        cmocka_unit_test(errors_are_measured_in_tolerances_of_the_larger_end),
        cmocka_unit_test(an_error_at_the_tolerance_keeps_the_step_and_a_small_one_lets_it_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
