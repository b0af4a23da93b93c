// Dimensions: exponents that are kept exactly or not at all, the table of units, and unknown
// dimensions that follow from equations.
#include "support/support.h"

#include "model/dimension.h"
#include "parse/dimension_terms.h"

#include <string.h>

static void exponents_are_fractions_kept_exactly(void **s) {
    (void)s;
    arena a;
    arena_init(&a);
    exponent third, half, product;
    assert_true(exponent_make(1, 3, &third));
    assert_true(exponent_make(-1, 2, &half));
    assert_true(exponent_times(third, half, &product));
    assert_string_equal(exponent_text(&a, product), "(-1/6)");
    assert_true(exponent_over(third, half, &product));
    assert_string_equal(exponent_text(&a, product), "(-2/3)");
    assert_string_equal(exponent_text(&a, 2 * DIMENSION_WHOLE), "2");
    assert_false(exponent_make(1, 13, &product)); // no sum of its like could be kept
    assert_false(exponent_make(1, 0, &product));
    assert_false(exponent_make(1001, 1, &product));
    assert_false(exponent_make(INT64_MIN, 1, &product));
    assert_false(exponent_make(1, INT64_MIN, &product));
    arena_free(&a);
}

static void a_product_beyond_the_range_leaves_the_dimension_as_it_was(void **s) {
    (void)s;
    dimension d = dimension_make(900, 1, -2);
    const dimension before = d, length = dimension_make(1, 0, 0);
    assert_false(dimension_multiply(&d, &length, 200 * DIMENSION_WHOLE));
    assert_true(dimension_equal(&d, &before));
    assert_true(dimension_multiply(&d, &length, 100 * DIMENSION_WHOLE));
    assert_int_equal(d.of[BASE_LENGTH], 1000 * DIMENSION_WHOLE);
}

static void dimensions_are_called_by_their_names(void **s) {
    (void)s;
    arena a;
    arena_init(&a);
    const struct {
        int length, mass, time;
        const char *words;
    } known[] = {{0, 0, 0, "a pure number"},
                 {1, 0, 0, "a length [m]"},
                 {1, 0, -1, "a speed [m/s]"},
                 {1, 1, -2, "a force [N]"},
                 {2, 1, -2, "an energy or a torque [J]"},
                 {0, 1, -2, "a stiffness [N/m]"},
                 {5, 0, 0, "a quantity [m^5]"},
                 {-2, 0, -3, "a quantity [1/m^2/s^3]"},
                 {3, 2, -1, "a quantity [kg^2*m^3/s]"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const dimension d = dimension_make(known[i].length, known[i].mass, known[i].time);
        assert_string_equal(dimension_words(&a, &d), known[i].words);
    }
    arena_free(&a);
}

static void units_have_their_size_by_definition(void **s) {
    (void)s;
    const struct {
        const char *name;
        int length, mass, time;
        int64_t up, down;
        int pi;
    } known[] = {{"kg", 0, 1, 0, 1, 1, 0},        {"mm", 1, 0, 0, 1, 1000, 0},
                 {"min", 0, 0, 1, 60, 1, 0},      {"mN", 1, 1, -2, 1, 1000, 0},
                 {"deg", 0, 0, 0, 1, 180, 1},     {"rpm", 0, 0, -1, 1, 30, 1},
                 {"in", 1, 0, 0, 127, 5000, 0},   {"kn", 1, 0, -1, 463, 900, 0},
                 {"mus", 0, 0, 1, 1, 1000000, 0}, {"GPa", -1, 1, -2, 1000000000, 1, 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        unit_size u;
        const dimension d = dimension_make(known[i].length, known[i].mass, known[i].time);
        assert_true(unit_find(known[i].name, &u));
        assert_true(dimension_equal(&u.dimension, &d));
        assert_true(u.up * known[i].down == known[i].up * u.down);
        assert_int_equal(u.pi, known[i].pi);
    }
    unit_size u;
    const char *const none[] = {"", "e", "t", "x", "kmin", "cdeg", "meter", "kk", "kkg", "mu", "k"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_false(unit_find(none[i], &u));
    assert_string_equal(unit_nearest("sec"), "s");
    assert_string_equal(unit_nearest("Kg"), "kg");
}

// --- unknown dimensions --------------------------------------------------------------------------

static dim speed(void) { return dim_of(dimension_make(1, 0, -1)); }

static void unknown_dimensions_follow_from_equations(void **s) {
    (void)s;
    arena a;
    arena_init(&a);
    dim_table t = {.arena = &a};
    const dim x = dim_new(&t, "x"), y = dim_new(&t, "y"), one = dim_none();
    // x^2 y = speed and x/y = 1: x = y = speed^(1/3)
    const dim left = dim_times(&t, dim_times(&t, one, x, 2 * DIMENSION_WHOLE), y, DIMENSION_WHOLE);
    assert_true(dim_agree(&t, left, speed(), (span){0}));
    assert_true(dim_agree(&t, dim_times(&t, x, y, -DIMENSION_WHOLE), one, (span){0}));
    assert_string_equal(dim_words(&t, x), "a quantity [m^(1/3)/s^(1/3)]");
    assert_string_equal(dim_words(&t, y), "a quantity [m^(1/3)/s^(1/3)]");
    assert_false(dim_agree(&t, x, speed(), (span){0}));
    assert_true(dim_agree(&t, dim_times(&t, one, x, 3 * DIMENSION_WHOLE), speed(), (span){0}));
    dim_free(&t);
    arena_free(&a);
}

static void zero_fits_everything_and_what_is_lost_too(void **s) {
    (void)s;
    arena a;
    arena_init(&a);
    dim_table t = {.arena = &a};
    const dim x = dim_new(&t, "x");
    assert_true(dim_agree(&t, dim_any(), speed(), (span){0}));
    assert_true(dim_agree(&t, x, dim_any(), (span){0}));
    assert_int_equal(dim_settle(&t, x).count, 1); // and says nothing of x
    assert_true(dim_agree(&t, dim_lost(), speed(), (span){0}));
    assert_true(dim_times(&t, speed(), dim_lost(), DIMENSION_WHOLE).lost);
    // an exponent that cannot be kept: speed^(1/12 * 1/12)
    const dim twelfth = dim_times(&t, dim_none(), x, DIMENSION_WHOLE / 12);
    assert_true(dim_times(&t, dim_none(), twelfth, DIMENSION_WHOLE / 12 + 1).lost);
    dim_free(&t);
    arena_free(&a);
}

// x_1 = x_2, x_2 = x_3 ..: what the last one is, all are; and the time grows with the number.
static void long_chains_of_unknowns_are_settled(void **s) {
    (void)s;
    enum { LINKS = 1500 };
    arena a;
    arena_init(&a);
    dim_table t = {.arena = &a};
    dim x[LINKS];
    for (int i = 0; i < LINKS; i++) x[i] = dim_new(&t, "x");
    for (int i = LINKS - 1; i > 0; i--) assert_true(dim_agree(&t, x[i], x[i - 1], (span){0}));
    assert_true(dim_agree(&t, x[LINKS - 1], speed(), (span){0}));
    for (int i = 0; i < LINKS; i++) assert_string_equal(dim_words(&t, x[i]), "a speed [m/s]");
    assert_false(dim_agree(&t, x[LINKS / 2], dim_none(), (span){0}));
    dim_free(&t);
    arena_free(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponents_are_fractions_kept_exactly),
        cmocka_unit_test(a_product_beyond_the_range_leaves_the_dimension_as_it_was),
        cmocka_unit_test(dimensions_are_called_by_their_names),
        cmocka_unit_test(units_have_their_size_by_definition),
        cmocka_unit_test(unknown_dimensions_follow_from_equations),
        cmocka_unit_test(zero_fits_everything_and_what_is_lost_too),
        cmocka_unit_test(long_chains_of_unknowns_are_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
