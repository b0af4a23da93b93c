// The boxes in which nothing can hide: one holds a step exactly where the curve of the step is in
// it, they grow only as far as it is clear, and are kept.
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

static bool holds_ends(clear_box *w, const step *s) {
    return clear_box_holds_ends(w, N, s->t, s->h, s->z, s->f, s->z1, s->f1);
}

// --- boxes of a judge ----------------------------------------------------------------------------

// Clear is where x_0 .. are below a wall, x_1^2 < 4 and so on, as ranges of the input tell; the
// numbers are those of x, which must not spread over more than `most`
typedef struct {
    box_judge base; // first
    uint32_t inputs, looks;
    double wall, most;
} walls;

static bool part(box_judge *j, const range *value, range *numbers) {
    walls *w = (walls *)j;
    bool clear = true;
    w->looks++;
    for (uint32_t i = 0; i < w->inputs; i++) {
        numbers[i] = value[i];
        if (!(value[i].hi < w->wall)) clear = false;
    }
    return clear;
}

static bool whole(box_judge *j, const range *numbers) {
    const walls *w = (walls *)j;
    for (uint32_t i = 0; i < w->inputs; i++)
        if (!(range_width(numbers[i]) <= w->most)) return false;
    return true;
}

static walls no_walls(uint32_t inputs) {
    return (walls){{part, whole}, inputs, 0, INFINITY, INFINITY};
}

// A box around these ranges and no wider; the judge forbids it
static void box_of(clear_box *w, const range *value) {
    walls open = no_walls(INPUTS);
    w->reach = 0;
    clear_box_grow(w, value, &open.base);
}

static void widen_by(range *out, const range *value, double wider) {
    for (uint32_t i = 0; i < INPUTS; i++)
        out[i] = (range){value[i].lo - wider, value[i].hi + wider};
}

static void a_step_is_in_the_box_where_its_curve_is(void **state) {
    (void)state;
    static const double LITTLE = 1e-9; // above rounding
    static const bool all[INPUTS] = {true, true, true, true};
    uint64_t random = 7;
    for (int k = 0; k < 1000; k++) {
        const step s = random_step(&random);
        range value[INPUTS];
        clear_box w;
        clear_box_init(&w, INPUTS, all, INPUTS);
        assert_false(clear_box_holds(&w, s.value) || holds_ends(&w, &s));
        widen_by(value, s.value, LITTLE);
        box_of(&w, value);
        assert_int_equal(w.known, 1);
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
    range value[INPUTS];
    clear_box w;
    clear_box_init(&w, INPUTS, second, INPUTS);
    widen_by(value, s.value, 1e-9);
    box_of(&w, value);
    s.t += 100, s.z[0] += 100, s.z1[0] += 100, s.value[0].hi += 100;
    assert_true(clear_box_holds(&w, s.value) && holds_ends(&w, &s));
    s.z[1] += 100, s.z1[1] += 100, s.value[1].hi += 100;
    assert_false(clear_box_holds(&w, s.value) || holds_ends(&w, &s));
    clear_box_free(&w);
}

static const bool ONE[1] = {true};

// A wall at 10: no box may reach over it, and there are few more tries than steps.
static void the_box_grows_until_something_is_in_the_way(void **state) {
    (void)state;
    clear_box w;
    walls judge = no_walls(1);
    judge.wall = 10;
    clear_box_init(&w, 1, ONE, 1);
    uint32_t looks = 0;
    for (double x = 0; x < 8.9; x += 0.001) {
        const range value = {x, x + 0.1};
        if (clear_box_holds(&w, &value)) continue;
        looks++;
        clear_box_grow(&w, &value, &judge.base);
        for (uint32_t i = 0; i < w.known; i++) assert_true(w.box[i].hi < 10);
    }
    assert_true(looks < 20);
    assert_true(clear_box_now(&w)->hi > 8.9);
    judge.looks = 0;
    const range over = {9.95, 10.05};
    for (int i = 0; i < 10000; i++) clear_box_grow(&w, &over, &judge.base);
    assert_true(judge.looks < 11500 && !clear_box_holds(&w, &over));
    clear_box_free(&w);
}

// A motion to and fro through what may not spread over more than 1: some boxes, and soon no look.
static void boxes_are_kept_for_a_motion_that_comes_back(void **state) {
    (void)state;
    clear_box w;
    walls judge = no_walls(1);
    judge.most = 1;
    clear_box_init(&w, 1, ONE, 1);
    uint32_t looks = 0, late = 0;
    for (int k = 0; k < 20000; k++) {
        const double x = 1.5 * sin(0.01 * k);
        const range value = {x, x + 0.02};
        if (clear_box_holds(&w, &value)) continue;
        looks++, late += k > 2000;
        clear_box_grow(&w, &value, &judge.base);
        for (uint32_t i = 0; i < w.known; i++) assert_true(range_width(w.box[i]) <= 1);
    }
    assert_true(looks < 60 && late < 5);
    clear_box_free(&w);
}

// x^2 - 2 x y + y^2 + 1 >= 1, of which ranges over a box tell nothing: they do over its parts.
// Whatever box grows, this is from 1 to 4 in it
typedef struct {
    box_judge base; // first
    uint32_t looks;
} valley;

static range height(range x, range y) {
    return range_add(range_of(1), range_add(range_add(range_square(x), range_square(y)),
                                            range_mul(range_of(-2), range_mul(x, y))));
}

static bool part_of_valley(box_judge *j, const range *value, range *numbers) {
    ((valley *)j)->looks++;
    numbers[0] = height(value[0], value[1]);
    return numbers[0].lo > 0 && numbers[0].hi < 4 * numbers[0].lo;
}

static bool whole_valley(box_judge *j, const range *numbers) {
    (void)j;
    return numbers[0].lo > 0.25 && numbers[0].hi < 4;
}

static void boxes_are_judged_by_their_parts(void **state) {
    (void)state;
    static const bool both[2] = {true, true};
    clear_box w;
    valley judge = {{part_of_valley, whole_valley}, 0};
    clear_box_init(&w, 2, both, 1), clear_box_share(&w);
    uint32_t looks = 0, in_one = 0;
    uint64_t random = 3;
    for (int k = 0; k < 3000; k++) {
        const double x = 3 * sin(0.01 * k), y = x + 0.5 * sin(0.013 * k);
        const range value[2] = {{x - 0.02, x + 0.02}, {y - 0.02, y + 0.02}};
        if (clear_box_holds(&w, value)) continue;
        looks++;
        clear_box_grow(&w, value, &judge.base);
        for (uint32_t i = 0; i < w.known; i++) {
            const range a = w.box[2 * i], b = w.box[2 * i + 1];
            const range all = height(a, b);
            in_one += !(all.lo > 0.25 && all.hi < 4);
            for (int p = 0; p < 50; p++) {
                const double u = random_between(&random, a.lo, a.hi),
                             v = random_between(&random, b.lo, b.hi), f = 1 + (u - v) * (u - v);
                assert_true(f < 4);
            }
        }
    }
    assert_true(looks < 500); // of 3000
    assert_true(in_one > 0);  // ranges over the whole box would not have shown it
    clear_box_free(&w);
}

// Nothing is clear anywhere: there is no box, and few more tries than steps
static void nothing_grows_where_nothing_is_clear(void **state) {
    (void)state;
    clear_box w;
    walls judge = no_walls(1);
    judge.wall = -INFINITY;
    clear_box_init(&w, 1, ONE, 1);
    for (int k = 0; k < 10000; k++) {
        const range value = {0.1 * k, 0.1 * k + 0.2};
        clear_box_grow(&w, &value, &judge.base);
        assert_false(clear_box_holds(&w, &value));
    }
    assert_null(clear_box_now(&w));
    assert_true(judge.looks < 21000);
    const range endless = {-INFINITY, INFINITY}, nowhere = {NAN, NAN};
    judge.wall = INFINITY;
    for (int k = 0; k < 1000; k++) {
        clear_box_grow(&w, &endless, &judge.base), clear_box_grow(&w, &nowhere, &judge.base);
        assert_false(clear_box_holds(&w, &endless) || clear_box_holds(&w, &nowhere));
    }
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
        clear_box_init(&w, INPUTS, all, INPUTS);
        range value[INPUTS];
        for (uint32_t i = 0; i < INPUTS; i++) {
            const range exact = i < N ? curve_values(&c, i, 0, h) : (range){t, t + h};
            const double wider = random_between(&random, 0, 0.4);
            value[i] = (range){exact.lo - wider, exact.hi + wider};
        }
        box_of(&w, value);
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
        cmocka_unit_test(boxes_are_kept_for_a_motion_that_comes_back),
        cmocka_unit_test(boxes_are_judged_by_their_parts),
        cmocka_unit_test(nothing_grows_where_nothing_is_clear),
        cmocka_unit_test(a_series_is_in_the_box_where_all_of_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
