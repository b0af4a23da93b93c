// Which symbols expressions hold in differences only.
#include "support/support.h"

#include "expr/translation.h"

enum { N = 4 };

typedef struct {
    world w;
    expr x[N], k;
} stage;

static stage stage_open(void) {
    static const char *const NAMES[N] = {"x1", "x2", "x3", "y"};
    stage s = {.w = world_open()};
    for (int i = 0; i < N; i++) s.x[i] = expr_symbol(s.w.p, NAMES[i], ROLE_COORDINATE);
    s.k = expr_symbol(s.w.p, "k", ROLE_PARAMETER);
    return s;
}

static expr root_of(stage *s, expr e) { return expr_pow(s->w.p, e, expr_rational(s->w.p, 1, 2)); }
static expr between(stage *s, int i, int j) { return expr_sub(s->w.p, s->x[i], s->x[j]); }

// The directions in which nothing changes, row after row
static void can_move(stage *s, uint32_t count, const expr *e, const bool *fixed, uint32_t rows,
                     const slong *expected) {
    fmpz_mat_t found;
    fmpz_mat_init(found, N, N);
    assert_int_equal(expr_translations(s->w.p, count, e, N, s->x, fixed, found), rows);
    for (uint32_t i = 0; i < rows * N; i++)
        assert_true(fmpz_equal_si(fmpz_mat_entry(found, i / N, i % N), expected[i]));
    fmpz_mat_clear(found);
}

static const bool NONE[N] = {false};

static void two_ends_of_a_spring_move_together(void **unused) {
    (void)unused;
    stage s = stage_open();
    const expr length =
        root_of(&s, expr_add(s.w.p, expr_square(s.w.p, between(&s, 0, 1)), EXPR_ONE));
    can_move(&s, 1, &length, NONE, 1, (const slong[]){1, 1, 0, 0});
    const expr both[] = {length, expr_function(s.w.p, EXPR_SIN, (expr[]){between(&s, 1, 2)})};
    can_move(&s, 2, both, NONE, 1, (const slong[]){1, 1, 1, 0});
    world_close(&s.w);
}

static void two_pairs_move_apart_from_each_other(void **unused) {
    (void)unused;
    stage s = stage_open();
    const expr e[] = {expr_square(s.w.p, between(&s, 0, 2)),
                      expr_function(s.w.p, EXPR_EXP, (expr[]){between(&s, 1, 3)})};
    can_move(&s, 2, e, NONE, 2, (const slong[]){1, 0, 1, 0, 0, 1, 0, 1});
    world_close(&s.w);
}

static void directions_are_whole_numbers(void **unused) {
    (void)unused;
    stage s = stage_open();
    const expr third = expr_mul(s.w.p, expr_rational(s.w.p, 2, 3), s.x[1]);
    const expr e = expr_square(s.w.p, expr_add(s.w.p, s.x[0], third)); // x1 + 2/3 x2
    can_move(&s, 1, &e, NONE, 1, (const slong[]){-2, 3, 0, 0});
    world_close(&s.w);
}

static void what_shows_a_place_keeps_it_there(void **unused) {
    (void)unused;
    stage s = stage_open();
    const expr spring = expr_square(s.w.p, between(&s, 0, 1));
    const expr shown[] = {spring, s.x[0]}, weight[] = {spring, expr_mul(s.w.p, s.k, s.x[1])};
    can_move(&s, 2, shown, NONE, 0, NULL);
    can_move(&s, 2, weight, NONE, 0, NULL);
    can_move(&s, 1, &spring, (const bool[N]){false, true}, 0, NULL);
    world_close(&s.w);
}

static void symbols_that_do_not_occur_are_left_alone(void **unused) {
    (void)unused;
    stage s = stage_open();
    can_move(&s, 1, &s.k, NONE, 0, NULL);
    can_move(&s, 1, &s.x[3], NONE, 0, NULL);
    world_close(&s.w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_ends_of_a_spring_move_together),
        cmocka_unit_test(two_pairs_move_apart_from_each_other),
        cmocka_unit_test(directions_are_whole_numbers),
        cmocka_unit_test(what_shows_a_place_keeps_it_there),
        cmocka_unit_test(symbols_that_do_not_occur_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
