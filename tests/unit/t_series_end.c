// The end of a step of Taylor's method: norms, the state in pairs of doubles and the slope of the
// polynomial against sums in long double, component by component; with fused products where the
// processor has them, and without.
#include "support/support.h"

#include "base/processor.h"
#include "integrate/series_end.h"

#include <float.h>
#include <math.h>

enum { MOST_SIZE = 9, MOST_ORDER = 30, ROOM = 12, ROUNDS = 3000 };

typedef struct {
    uint32_t n, order;
    double radius, h, h_low;
    double c[MOST_SIZE * (MOST_ORDER + 1) + SERIES_END_WIDTH], low[ROOM];
    double z1[ROOM], low1[ROOM], slope[ROOM];
} step;

// Coefficients that fall as those of a series with this radius; what stands behind the last is
// nobody's
static void draw(step *s, uint64_t *random) {
    s->n = 1 + (uint32_t)random_between(random, 0, MOST_SIZE - 0.5);
    s->order = 4 + (uint32_t)random_between(random, 0, MOST_ORDER - 3.5);
    s->radius = random_between(random, 0.3, 3);
    for (uint32_t k = 0; k <= s->order; k++)
        for (uint32_t i = 0; i < s->n; i++)
            s->c[k * s->n + i] = random_between(random, -2, 2) * pow(s->radius, -(double)k);
    for (uint32_t i = 0; i < SERIES_END_WIDTH; i++) s->c[(s->order + 1) * s->n + i] = 1e9;
    for (uint32_t i = 0; i < s->n; i++) s->low[i] = random_between(random, -1, 1) * 0x1p-54;
    s->h = random_between(random, 0.01, 0.4) * s->radius;
    s->h_low = random_between(random, -1, 1) * 0x1p-54 * s->h;
}

// c_1 h + c_2 h^2 + .. and its derivative; |c_2| h^2 + |c_3| h^3 + ..
static void sums(const step *s, uint32_t i, long double *sum, long double *slope, double *behind) {
    const long double h = (long double)s->h + s->h_low;
    *sum = 0, *slope = 0, *behind = 0;
    for (uint32_t k = s->order; k > 0; k--) {
        const double c = s->c[k * s->n + i];
        *sum = (*sum + c) * h, *slope = *slope * h + (long double)k * c;
        if (k > 1) *behind += fabs(c) * pow(s->h, k);
    }
}

// What a double cannot hold of z + h c_1 is not lost: the end is off by roundings of what comes
// behind
static void check_end(const step *s) {
    for (uint32_t i = 0; i < s->n; i++) {
        long double sum, slope;
        double behind;
        sums(s, i, &sum, &slope, &behind);
        const long double end = (long double)s->c[i] + (s->low[i] + sum);
        assert_true(fabsl(((long double)s->z1[i] + s->low1[i]) - end) <=
                    2 * DBL_EPSILON * behind + 16 * LDBL_EPSILON);
        assert_true(fabs(s->low1[i]) <= DBL_EPSILON * fabs(s->z1[i]));
        assert_true(fabsl(s->slope[i] - slope) <= 1e-14 * (1 + 1 / s->radius));
    }
}

static void check_norms(const series_end *by, const step *s) {
    double before, last, most[2] = {0};
    by->norms(s->n, s->n, s->c, s->order, &before, &last);
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t k = 0; k < 2; k++)
            most[k] =
                fmax(most[k], fabs(s->c[(s->order - 1 + k) * s->n + i]) / fmax(1, fabs(s->c[i])));
    assert_true(before == most[0] && last == most[1]);
}

static void check(const series_end *by) {
    uint64_t random = 11;
    static step s;
    for (int round = 0; round < ROUNDS; round++) {
        draw(&s, &random);
        by->advance(s.n, s.order, s.c, s.low, s.h, s.h_low, s.z1, s.low1, s.slope);
        check_end(&s);
        check_norms(by, &s);
    }
}

// One component that is off is seen, whichever it is; what stands behind the last is not looked at.
static void check_defect(const series_end *by) {
    double f0[ROOM], f1[ROOM], z[ROOM], slope[ROOM];
    for (uint32_t n = 1; n <= MOST_SIZE; n++)
        for (uint32_t off = 0; off <= n; off++) {
            for (uint32_t i = 0; i < ROOM; i++)
                f0[i] = 0.5, f1[i] = -1, z[i] = 2, slope[i] = i < n ? -1 : 1e9;
            // 1 + 2 + h (1 + 0.5) = 3.3, h = 0.2
            slope[off] = off < n ? -1 - 1e-10 * 3.3 / 0.2 * 1.01 : 1e9;
            assert_int_equal(by->continues(n, 0.2, 1e-10, slope, f0, f1, z), off == n);
            if (off < n) slope[off] = -1 + 1e-10 * 3.3 / 0.2 * 0.99;
            assert_true(by->continues(n, 0.2, 1e-10, slope, f0, f1, z));
            if (off < n) slope[off] = NAN;
            assert_int_equal(by->continues(n, 0.2, 1e-10, slope, f0, f1, z), off == n);
        }
}

static void ends_are_sums_in_long_double(void **unused) {
    (void)unused;
    check(&series_end_plain), check_defect(&series_end_plain);
}

static void ends_with_fused_products_too(void **unused) {
    (void)unused;
    if (!processor_fuses()) skip();
    check(&series_end_fused), check_defect(&series_end_fused);
    assert_ptr_equal(series_end_here(), &series_end_fused);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_are_sums_in_long_double),
        cmocka_unit_test(ends_with_fused_products_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
