// Which symbols expressions are periodic in, and with which period.
#include "support/support.h"

#include "expr/period.h"

typedef struct {
    world w;
    expr x, y, t;
} stage;

static stage stage_open(void) {
    stage s = {.w = world_open()};
    s.x = expr_symbol(s.w.p, "x", ROLE_COORDINATE), s.y = expr_symbol(s.w.p, "y", ROLE_COORDINATE),
    s.t = expr_symbol(s.w.p, "t", ROLE_TIME);
    return s;
}

static expr of(stage *s, expr_kind kind, expr argument) {
    return expr_function(s->w.p, kind, &argument);
}
static expr times(stage *s, int64_t numerator, int64_t denominator) {
    return expr_mul(s->w.p, expr_rational(s->w.p, numerator, denominator), s->x);
}

// The period in x as a fraction of 2 pi
static void has_period(stage *s, uint32_t count, const expr *e, int64_t numerator,
                       int64_t denominator) {
    fmpq_t found, expected;
    fmpq_init(found), fmpq_init(expected);
    fmpq_set_si(expected, numerator, (ulong)denominator);
    assert_int_equal(expr_period(s->w.p, count, e, s->x, found), PERIOD_FOUND);
    assert_true(fmpq_equal(found, expected));
    fmpq_clear(found), fmpq_clear(expected);
}

static void has_no_period(stage *s, expr e) {
    fmpq_t found;
    fmpq_init(found);
    assert_int_equal(expr_period(s->w.p, 1, &e, s->x, found), PERIOD_NONE);
    fmpq_clear(found);
}

static void sines_have_the_period_of_their_arguments(void **unused) {
    (void)unused;
    stage s = stage_open();
    pool *p = s.w.p;
    const expr whole = of(&s, EXPR_SIN, s.x), half = of(&s, EXPR_SIN, times(&s, 1, 2)),
               tangent = of(&s, EXPR_TAN, s.x),
               both[] = {of(&s, EXPR_COS, times(&s, 2, 3)), of(&s, EXPR_SIN, times(&s, 1, 2))};
    const expr shifted = of(&s, EXPR_SIN, expr_add(p, s.x, s.t)),
               difference = expr_square(p, of(&s, EXPR_COS, expr_sub(p, s.y, s.x)));
    // the argument gains as much as x
    const expr wobbling = of(&s, EXPR_SIN, expr_add(p, s.x, whole));
    has_period(&s, 1, &whole, 1, 1);
    has_period(&s, 1, &half, 2, 1);
    has_period(&s, 1, &tangent, 1, 2);
    has_period(&s, 2, both, 6, 1);
    has_period(&s, 1, &shifted, 1, 1);
    has_period(&s, 1, &difference, 1, 1);
    has_period(&s, 1, &wobbling, 1, 1);
    world_close(&s.w);
}

static void what_shows_the_angle_itself_has_no_period(void **unused) {
    (void)unused;
    stage s = stage_open();
    pool *p = s.w.p;
    has_no_period(&s, s.x);
    has_no_period(&s, expr_mul(p, s.x, of(&s, EXPR_SIN, s.x)));
    has_no_period(&s, of(&s, EXPR_SIN, expr_square(p, s.x)));
    has_no_period(&s, of(&s, EXPR_SIN, expr_mul(p, s.x, s.y)));
    has_no_period(&s, of(&s, EXPR_EXP, s.x));
    has_no_period(&s, expr_add(p, of(&s, EXPR_SIN, s.x), times(&s, 1, 3)));
    world_close(&s.w);
}

static void a_symbol_that_does_not_occur_is_told_apart(void **unused) {
    (void)unused;
    stage s = stage_open();
    const expr other = of(&s, EXPR_SIN, s.y);
    fmpq_t found;
    fmpq_init(found);
    assert_int_equal(expr_period(s.w.p, 1, &other, s.x, found), PERIOD_ABSENT);
    fmpq_clear(found);
    world_close(&s.w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sines_have_the_period_of_their_arguments),
        cmocka_unit_test(what_shows_the_angle_itself_has_no_period),
        cmocka_unit_test(a_symbol_that_does_not_occur_is_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
