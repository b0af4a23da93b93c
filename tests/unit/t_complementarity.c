// Contacts by cases, against the law itself, an iteration that knows no cases, and Painleve's rod.
#include "support/support.h"

#include "base/random.h"
#include "simulate/complementarity.h"

#include <math.h>
#include <string.h>

enum { MOST = 3 * MOST_CLOSED, PROBLEMS = 300 };
static const double CLOSE = 1e-7; // of iterations that converge by a factor each round

static uint64_t stream = 7;
static double uniform(double low, double high) {
    return low + (high - low) * (double)(random_next(&stream) >> 11) * 0x1p-53;
}

typedef struct {
    uint32_t count, n;
    closed_contact contact[MOST_CLOSED];
    double g[MOST * MOST], c[MOST], force[MOST], rate[MOST];
    contact_answer answer[MOST_CLOSED];
} problem;

// G = B B^T + 1/10: of bodies that are not too light
static problem draw(uint32_t count, uint32_t tangents, double mu) {
    problem p = {.count = count, .n = count * (1 + tangents)};
    double b[MOST * MOST];
    for (uint32_t i = 0; i < p.n * p.n; i++) b[i] = uniform(-1, 1);
    for (uint32_t i = 0; i < p.n; i++)
        for (uint32_t j = 0; j < p.n; j++) {
            p.g[i * p.n + j] = i == j ? 0.1 : 0;
            for (uint32_t k = 0; k < p.n; k++) p.g[i * p.n + j] += b[i * p.n + k] * b[j * p.n + k];
        }
    for (uint32_t i = 0; i < p.n; i++) p.c[i] = uniform(-3, 3);
    for (uint32_t k = 0; k < count; k++) {
        p.contact[k] = (closed_contact){
            .first = k * (1 + tangents), .tangents = tangents, .hold = mu, .rub = mu};
        p.contact[k].allowed[MODE_FREE] = p.contact[k].allowed[MODE_SLIDING] = true;
        p.contact[k].allowed[MODE_SLIDING_BACK] = tangents == 1;
        p.contact[k].allowed[MODE_STICKING] = tangents > 0;
    }
    return p;
}

static uint32_t solve(problem *p) {
    complementarity_result out = {.force = p->force, .rate = p->rate};
    double size = 0;
    for (uint32_t i = 0; i < p->n; i++) size = fmax(size, fabs(p->c[i]));
    complementarity_solve(p->count, p->contact, p->n, p->g, p->c, size, p->answer, &out);
    return out.solutions;
}

// y = G P + c, 0 <= y_n, 0 <= P_n, y_n P_n = 0; |P_t| <= mu P_n, and where y_t is not 0, P_t = -mu
// P_n y_t/|y_t|: that is, mu P_n |y_t| + P_t . y_t = 0
static void assert_law(const problem *p, double mu) {
    for (uint32_t k = 0; k < p->count; k++) {
        const uint32_t first = p->contact[k].first, tangents = p->contact[k].tangents;
        double y[3] = {0}, side = 0, slip = 0, work = 0;
        for (uint32_t i = 0; i <= tangents; i++) {
            y[i] = p->c[first + i];
            for (uint32_t j = 0; j < p->n; j++) y[i] += p->g[(first + i) * p->n + j] * p->force[j];
        }
        const double *force = p->force + first;
        for (uint32_t i = 1; i <= tangents; i++)
            side += force[i] * force[i], slip += y[i] * y[i], work += force[i] * y[i];
        assert_true(y[0] >= -CLOSE && force[0] >= -CLOSE);
        assert_true(fabs(y[0] * force[0]) <= CLOSE * (1 + fabs(y[0]) + fabs(force[0])));
        assert_true(sqrt(side) <= mu * force[0] + CLOSE * (1 + force[0]));
        assert_true(fabs(mu * force[0] * sqrt(slip) + work) <= CLOSE * (1 + force[0] + sqrt(slip)));
    }
}

// Without friction: P_i <- max(0, P_i - y_i/G_ii) again and again. It has one fixed point.
static void smooth_contacts_are_those_of_an_iteration(void **state) {
    (void)state;
    for (int round = 0; round < PROBLEMS; round++) {
        problem p = draw(1 + (uint32_t)round % 5, 0, 0);
        double force[MOST] = {0};
        assert_int_equal(solve(&p), 1);
        for (int sweep = 0; sweep < 20000; sweep++)
            for (uint32_t i = 0; i < p.n; i++) {
                double y = p.c[i];
                for (uint32_t j = 0; j < p.n; j++) y += p.g[i * p.n + j] * force[j];
                force[i] = fmax(0, force[i] - y / p.g[i * p.n + i]);
            }
        for (uint32_t i = 0; i < p.n; i++)
            assert_true(fabs(force[i] - p.force[i]) <= CLOSE * (1 + fabs(force[i])));
        assert_law(&p, 0);
    }
}

static void what_is_found_obeys_coulombs_law(void **state) {
    (void)state;
    for (int round = 0; round < PROBLEMS; round++) {
        const double mu = uniform(0, 0.6);
        problem p = draw(1 + (uint32_t)round % 3, 1 + (uint32_t)round % 2, mu);
        assert_int_equal(solve(&p) > 0, true);
        assert_law(&p, mu);
    }
}

// A rod that slides with friction: N = -c/(g_n - mu g_t). Where that divisor is negative there is
// no motion for c < 0, and there are two for c > 0.
static void painleves_rod_has_no_motion_or_two(void **state) {
    (void)state;
    for (int round = 0; round < PROBLEMS; round++) {
        problem p = draw(1, 1, uniform(0, 3));
        closed_contact *t = &p.contact[0];
        t->slides = true, t->along[0] = uniform(-1, 1) > 0 ? 1 : -1;
        t->allowed[MODE_STICKING] = false;
        t->allowed[t->along[0] > 0 ? MODE_SLIDING_BACK : MODE_SLIDING] = false;
        const double divisor = p.g[0] - t->rub * t->along[0] * p.g[1];
        if (fabs(divisor) < 0.01 || fabs(p.c[0]) < 0.01) continue;
        const uint32_t wanted = divisor > 0 ? 1 : p.c[0] < 0 ? 0 : 2;
        assert_int_equal(solve(&p), wanted);
        if (divisor > 0 && p.c[0] < 0) assert_true(fabs(p.force[0] + p.c[0] / divisor) <= CLOSE);
    }
}

// A block on an incline: held up to mu_s, and sliding with mu once it does not hold.
static void a_block_is_held_up_to_its_static_friction(void **state) {
    (void)state;
    for (int round = 0; round < PROBLEMS; round++) {
        problem p = draw(1, 1, 0);
        const double push = uniform(-1, 1);
        p.g[0] = p.g[3] = 1, p.g[1] = p.g[2] = 0; // a point of mass 1
        p.c[0] = -1, p.c[1] = push;
        p.contact[0].hold = 0.5, p.contact[0].rub = 0.3;
        assert_int_equal(solve(&p), 1);
        const bool holds = fabs(push) < 0.5;
        assert_int_equal(p.answer[0].mode, holds      ? MODE_STICKING
                                           : push > 0 ? MODE_SLIDING
                                                      : MODE_SLIDING_BACK);
        const double rate = holds ? 0 : push - copysign(0.3, push);
        assert_true(fabs(p.rate[1] - rate) <= CLOSE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_contacts_are_those_of_an_iteration),
        cmocka_unit_test(what_is_found_obeys_coulombs_law),
        cmocka_unit_test(painleves_rod_has_no_motion_or_two),
        cmocka_unit_test(a_block_is_held_up_to_its_static_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
