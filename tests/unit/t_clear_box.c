// The box in which nothing can hide: it holds a step exactly where the curve of the step is in it,
// and grows only as far as it is clear.
#include "support/support.h"

#include "integrate/clear_box.h"
#include "integrate/curve.h"

#include <math.h>

enum { N = 3, INPUTS = N + 1 };

typedef struct {
    double t, h, z[N], f[N], z1[N], f1[N];
    range value[INPUTS]; // as the curve has them
} step;

static step random_step(uint64_t *random) {
    step s = {.t = random_between(random, -5, 5), .h = random_between(random, 0.01, 2)};
    for (uint32_t i = 0; i < N; i++) {
        s.z[i] = random_between(random, -3, 3), s.z1[i] = random_between(random, -3, 3);
        s.f[i] = random_between(random, -9, 9), s.f1[i] = random_between(random, -9, 9);
    }
    curve c = {0};
    curve_of_ends(&c, N, s.t, s.h, s.z, s.f, s.z1, s.f1);
    for (uint32_t i = 0; i < N; i++) s.value[i] = curve_values(&c, i, 0, s.h);
    s.value[N] = (range){s.t, s.t + s.h};
    curve_free(&c);
    return s;
}

static bool holds_ends(const clear_box *w, const step *s) {
    return clear_box_holds_ends(w, N, s->t, s->h, s->z, s->f, s->z1, s->f1);
}

// The box of a step, wider by this at all ends
static void learn(clear_box *w, const step *s, double wider) {
    range value[INPUTS];
    for (uint32_t i = 0; i < INPUTS; i++)
        value[i] = (range){s->value[i].lo - wider, s->value[i].hi + wider};
    clear_box_learn(w, value, true);
}

static void a_step_is_in_the_box_where_its_curve_is(void **state) {
    (void)state;
    static const double LITTLE = 1e-9; // above rounding
    static const bool all[INPUTS] = {true, true, true, true};
    uint64_t random = 7;
    for (int k = 0; k < 1000; k++) {
        const step s = random_step(&random);
        clear_box w;
        clear_box_init(&w, INPUTS, all);
        assert_false(clear_box_holds(&w, s.value) || holds_ends(&w, &s));
        learn(&w, &s, LITTLE);
        assert_true(clear_box_holds(&w, s.value) && holds_ends(&w, &s));
        for (uint32_t i = 0; i < INPUTS; i++) { // a little narrower at one end
            const range was = w.box[i];
            w.box[i].lo = s.value[i].lo + LITTLE;
            assert_false(clear_box_holds(&w, s.value) || holds_ends(&w, &s));
            w.box[i] = was, w.box[i].hi = s.value[i].hi - LITTLE;
            assert_false(clear_box_holds(&w, s.value) || holds_ends(&w, &s));
            w.box[i] = was;
        }
        clear_box_free(&w);
    }
}

static void inputs_that_do_not_matter_are_not_looked_at(void **state) {
    (void)state;
    static const bool second[INPUTS] = {false, true, false, false};
    uint64_t random = 8;
    step s = random_step(&random);
    clear_box w;
    clear_box_init(&w, INPUTS, second);
    learn(&w, &s, 1e-9);
    s.t += 100, s.z[0] += 100, s.z1[0] += 100, s.value[0].hi += 100;
    assert_true(clear_box_holds(&w, s.value) && holds_ends(&w, &s));
    s.z[1] += 100, s.value[1].hi += 100;
    assert_false(clear_box_holds(&w, s.value) || holds_ends(&w, &s));
    clear_box_free(&w);
}

// A wall at 10: the box must not reach over it, and tries that fail become rare.
static void the_box_grows_until_something_is_in_the_way(void **state) {
    (void)state;
    static const bool first[1] = {true};
    clear_box w;
    clear_box_init(&w, 1, first);
    uint32_t tried = 0, looks = 0;
    double widest = 0;
    for (double x = 0; x < 8.9; x += 0.001) {
        range value = {x, x + 0.1};
        if (clear_box_holds(&w, &value)) continue;
        looks++;
        if (!clear_box_widen(&w, &value)) continue;
        tried++;
        assert_true(value.lo < x && value.hi > x + 0.1);
        clear_box_learn(&w, &value, value.hi < 10);
        assert_true(w.box->hi < 10);
        widest = fmax(widest, w.box->hi - w.box->lo);
    }
    assert_true(looks < 100 && tried > 1 && widest > 2);
    for (int i = 0; i < 10000; i++) {
        range value = {9.95, 10.05};
        if (clear_box_widen(&w, &value)) tried++, clear_box_learn(&w, &value, false);
    }
    assert_true(tried < 150);
    clear_box_free(&w);
}

// A quick look at a series is right where it says that the step is in the box: so are all places of
// the step. And it says so in a box that is somewhat wider than the curve.
static void a_series_is_in_the_box_where_all_of_it_is(void **state) {
    (void)state;
    enum { ORDER = 9, PLACES = 50 };
    static const bool all[INPUTS] = {true, true, true, true};
    uint64_t random = 9;
    uint32_t seen = 0, inside = 0;
    for (int round = 0; round < 2000; round++) {
        double a[(ORDER + 1) * N], z[N];
        for (uint32_t k = 0; k < (ORDER + 1) * N; k++)
            a[k] = random_between(&random, -2, 2) * pow(2, -(double)(k / N));
        const double h = random_between(&random, 0.1, 0.7), t = random_between(&random, -5, 5);
        curve c = {0};
        clear_box w;
        curve_of_series(&c, N, ORDER, a, t, h);
        clear_box_init(&w, INPUTS, all);
        for (uint32_t i = 0; i < INPUTS; i++) {
            const range exact = i < N ? curve_values(&c, i, 0, h) : (range){t, t + h};
            const double wider = random_between(&random, 0, 0.4);
            w.box[i] = (range){exact.lo - wider, exact.hi + wider};
        }
        const uint32_t narrowed = (uint32_t)random_between(&random, 0, 8);
        if (narrowed < N) w.box[narrowed].hi -= random_between(&random, 0, 1);
        bool is_inside = true;
        for (int k = 0; k <= PLACES; k++) {
            curve_at(&c, N, h * k / PLACES, z, NULL);
            for (uint32_t i = 0; i < N; i++)
                is_inside = is_inside && z[i] >= w.box[i].lo && z[i] <= w.box[i].hi;
        }
        const bool holds = clear_box_holds_curve(&w, N, &c, h);
        assert_true(is_inside || !holds);
        seen += holds, inside += is_inside;
        w.box[N].hi = t + h - 1e-9;
        assert_false(clear_box_holds_curve(&w, N, &c, h));
        clear_box_free(&w);
        curve_free(&c);
    }
    assert_true(inside > 1000 && inside < 1900 && seen > inside / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_in_the_box_where_its_curve_is),
        cmocka_unit_test(inputs_that_do_not_matter_are_not_looked_at),
        cmocka_unit_test(the_box_grows_until_something_is_in_the_way),
        cmocka_unit_test(a_series_is_in_the_box_where_all_of_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
