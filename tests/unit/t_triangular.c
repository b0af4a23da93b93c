// Equations that bring one unknown each, solved by substitution.
#include "support/support.h"

#include "expr/triangular.h"

enum { LINKS = 60 };

// x_0 - a = 0, x_i + c*(x_0 + .. + x_(i-1)) - a = 0, the sums shared, the equations in reverse
static void fill_chain(world *w, expr a, expr c, expr *x, expr *f) {
    expr sum = EXPR_ZERO;
    for (uint32_t i = 0; i < LINKS; i++) {
        x[i] = expr_symbol(w->p, "x", ROLE_LOCAL);
        f[LINKS - 1 - i] = expr_sub(w->p, expr_add(w->p, x[i], expr_mul(w->p, c, sum)), a);
        sum = expr_add(w->p, sum, x[i]);
    }
}

static void a_chain_is_solved_link_by_link(void **state) {
    (void)state;
    world w = world_open();
    expr x[LINKS], f[LINKS];
    const expr a = expr_symbol(w.p, "a", ROLE_PARAMETER), half = EXPR_HALF;
    fill_chain(&w, a, half, x, f);
    const uint32_t before = pool_size(w.p);
    triangular t;
    assert_true(triangular_solve(w.p, LINKS, f, x, &t));
    double value[LINKS + 1] = {0}, sum = 0;
    value[expr_symbol_index(w.p, a)] = 3;
    for (uint32_t i = 0; i < LINKS; i++) { // x_i = a - sum/2
        const double expected = 3 - sum / 2;
        assert_true(fabs(expr_value(w.p, t.solution[i], value) - expected) < 1e-12);
        sum += expected;
        assert_int_equal(t.slope[i], EXPR_ONE);
        assert_int_equal(t.row[i], LINKS - 1 - i);
        assert_int_equal(t.column[i], i);
    }
    assert_true(pool_size(w.p) - before < 40 * LINKS); // a matrix would have 60^2/2 entries
    triangular_free(&t);
    world_close(&w);
}

static void slopes_are_what_was_divided_by(void **state) {
    (void)state;
    world w = world_open();
    const expr x = expr_symbol(w.p, "x", ROLE_LOCAL), y = expr_symbol(w.p, "y", ROLE_LOCAL),
               a = expr_symbol(w.p, "a", ROLE_PARAMETER);
    // a*x - 1 = 0; (x + a)*(y - 1) = 0, affine in y alone
    const expr f[2] = {expr_sub(w.p, expr_mul(w.p, a, x), EXPR_ONE),
                       expr_mul(w.p, expr_add(w.p, x, a), expr_sub(w.p, y, EXPR_ONE))},
               unknown[2] = {y, x};
    triangular t;
    assert_true(triangular_solve(w.p, 2, f, unknown, &t));
    assert_int_equal(t.solution[1], expr_div(w.p, EXPR_ONE, a));
    assert_int_equal(t.slope[1], a);
    assert_int_equal(t.solution[0], EXPR_ONE);
    triangular_free(&t);
    world_close(&w);
}

static void what_has_no_order_or_is_not_affine_is_refused(void **state) {
    (void)state;
    world w = world_open();
    const expr x = expr_symbol(w.p, "x", ROLE_LOCAL), y = expr_symbol(w.p, "y", ROLE_LOCAL),
               unknown[2] = {x, y};
    const expr sum = expr_add(w.p, x, y), product = expr_mul(w.p, x, y),
               square = expr_sub(w.p, expr_square(w.p, x), EXPR_TWO),
               sine = expr_function(w.p, EXPR_SIN, &x);
    triangular t;
    assert_false(triangular_solve(w.p, 2, (expr[]){sum, product}, unknown, &t)); // a circle
    assert_false(triangular_solve(w.p, 2, (expr[]){square, sum}, unknown, &t));
    assert_false(triangular_solve(w.p, 2, (expr[]){sine, sum}, unknown, &t));
    assert_false(triangular_solve(w.p, 2, (expr[]){x, x}, unknown, &t)); // y stands nowhere
    assert_false(triangular_solve(w.p, 2, (expr[]){EXPR_ONE, sum}, unknown, &t));
    assert_true(triangular_solve(w.p, 2, (expr[]){sum, x}, unknown, &t));
    triangular_free(&t);
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_is_solved_link_by_link),
        cmocka_unit_test(slopes_are_what_was_divided_by),
        cmocka_unit_test(what_has_no_order_or_is_not_affine_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
