// Every model of the library in lanes, against the same runs one after the other.
#include "support/lanes_case.h"
#include "support/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

typedef struct {
    uint32_t tried, refused, given_up, runs;
} tally;

// Where whole turns are taken off, rows are of the state without them and lanes collect with them:
// that differs by the rounding of an angle, times what a column makes of it.
static const double OF_TURNS = 1e-10;

static bool is_same(double a, double b, bool turns) {
    return a == b || (isnan(a) && isnan(b)) || (turns && fabs(a - b) <= OF_TURNS * (1 + fabs(b)));
}

// The bits of the scalar code for all numbers of all runs
static void compare(const char *name, const char *method, tally *all) {
    enum { COUNT = 11 };
    const char *why = NULL;
    lanes_case *c = lanes_case_open(name, NULL, method, 1e-8, 0.4);
    if (!c) return;
    lanes_case_collect(c, 1, 1);
    sweep_engine *e = lanes_case_engine(c, 0, true, &why);
    all->tried++;
    if (!e) {
        print_message("%-24s %s\n", name, why);
        all->refused++;
        lanes_case_close(c);
        return;
    }
    const bool turns = c->motion->j->shifts != NULL;
    const uint32_t k = c->system.collected_count;
    double *values = lanes_case_values(c, COUNT, 1e-3), *out = malloc(sizeof(double) * COUNT * k),
           *other = malloc(sizeof(double) * COUNT * k);
    sweep_end end[COUNT], other_end[COUNT];
    assert_true(e->run(e, 0, COUNT, values, out, end));
    lanes_case_run(&c->scalar, 0, COUNT, values, other, other_end);
    const lanes_counts n = sweep_lanes_counts(e);
    if (n.given_up) print_message("%-24s %d given up\n", name, (int)n.given_up);
    all->given_up += (uint32_t)n.given_up, all->runs += COUNT;
    for (uint32_t i = 0; i < COUNT; i++) {
        if (end[i].outcome != other_end[i].outcome || end[i].t != other_end[i].t)
            print_message("%s, run %u: ends at %.17g, not at %.17g\n", name, i, end[i].t,
                          other_end[i].t);
        assert_int_equal(end[i].outcome, other_end[i].outcome);
        assert_true(end[i].t == other_end[i].t);
        for (uint32_t j = 0; j < k; j++) {
            if (!is_same(out[i * k + j], other[i * k + j], turns))
                print_message("%s, run %u, number %u: %.17g, not %.17g\n", name, i, j,
                              out[i * k + j], other[i * k + j]);
            assert_true(is_same(out[i * k + j], other[i * k + j], turns));
        }
    }
    e->release(e);
    free(values), free(out), free(other);
    lanes_case_close(c);
}

static void expect_bits(const char *method) {
    tally all = {0};
    for (size_t i = 0; i < hamel_library_count(); i++) compare(hamel_library_name(i), method, &all);
    print_message("%s: %u models, %u refused; of %u runs %u were given up\n", method, all.tried,
                  all.refused, all.runs, all.given_up);
    assert_true(all.tried > 60 && all.refused < all.tried / 2);
    assert_true(all.given_up < all.runs / 10);
}

static void models_of_the_library_have_the_bits_of_the_scalar_code(void **unused) {
    (void)unused;
    expect_bits("dop853");
}

static void and_so_they_have_by_series(void **unused) {
    (void)unused;
    expect_bits("taylor");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_of_the_library_have_the_bits_of_the_scalar_code),
        cmocka_unit_test(and_so_they_have_by_series),
    };
    return cmocka_run_group_tests(tests, cache_make, cache_remove);
}
