// Newton's method: what it calls verified encloses a solution, and given
// values move only where they must.
#include "support/support.h"

#include "model/constraint_newton.h"

#include <stdlib.h>

enum { FEW_BITS = 64, MANY_BITS = 300 };

static const char PLANE[] = "coord x, y\nkinetic (x'^2 + y'^2)/2\ninitial x = 1, y = 1\n";

typedef struct {
    world w;
    model *m;
    state s;
    expr variable[2];
    uint32_t row[2], column[2];
    newton_result result;
} bench;

static void open_bench(bench *b, double x, double y) {
    *b = (bench){.w = world_open()};
    b->m = world_model(&b->w, PLANE);
    b->variable[0] = b->m->coordinates[0], b->variable[1] = b->m->coordinates[1];
    state_init(&b->s, b->m, FEW_BITS);
    arb_set_d(state_get(&b->s, b->variable[0]), x), arb_set_d(state_get(&b->s, b->variable[1]), y);
}

static void solve(bench *b, uint32_t count, const expr *f, uint32_t variables,
                  const uint8_t *fixed) {
    b->result = (newton_result){.row = b->row, .column = b->column};
    constraint_newton_solve(
        &b->s, &(newton_problem){count, variables, f, b->variable, fixed, false}, &b->result);
}

static void close_bench(bench *b) {
    state_clear(&b->s);
    world_close(&b->w);
}

static void square_roots_are_enclosed_to_the_last_bits(void **unused) {
    (void)unused;
    enum { ROOTS = 300 };
    arb_t exact;
    arb_init(exact);
    for (slong c = 2; c <= ROOTS; c++) {
        bench b;
        open_bench(&b, 1, 1);
        pool *p = b.m->pool;
        const uint8_t fixed[1] = {0};
        const expr f = expr_sub(p, expr_square(p, b.variable[0]), expr_int(p, c)); // x^2 = c
        solve(&b, 1, &f, 1, fixed);
        assert_true(b.result.converged && b.result.verified);
        assert_int_equal(b.result.rank, 1);
        arb_srcptr x = state_get(&b.s, b.variable[0]);
        arb_sqrt_ui(exact, (ulong)c, MANY_BITS);
        assert_true(arb_overlaps(x, exact));
        assert_true(arb_rel_accuracy_bits(x) > FEW_BITS - 16);
        close_bench(&b);
    }
    arb_clear(exact);
}

// x^2 + y^2 = 13, x y = 6 near (1, 4): (2, 3)
static void two_equations_are_solved_together(void **unused) {
    (void)unused;
    bench b;
    open_bench(&b, 1, 4);
    pool *p = b.m->pool;
    const uint8_t fixed[2] = {0, 0};
    const expr x = b.variable[0], y = b.variable[1],
               f[2] = {
                   expr_sub(p, expr_add(p, expr_square(p, x), expr_square(p, y)), expr_int(p, 13)),
                   expr_sub(p, expr_mul(p, x, y), expr_int(p, 6))};
    solve(&b, 2, f, 2, fixed);
    assert_true(b.result.converged && b.result.verified);
    assert_int_equal(b.result.rank, 2);
    assert_true(arb_contains_si(state_get(&b.s, x), 2) && arb_contains_si(state_get(&b.s, y), 3));
    close_bench(&b);
}

static void a_given_value_moves_only_where_no_other_can(void **unused) {
    (void)unused;
    for (int given = 0; given < 2; given++) { // x^3 + y = 10: the one that is free moves
        bench b;
        open_bench(&b, 2, 5);
        pool *p = b.m->pool;
        const uint8_t fixed[2] = {given == 0, given == 1};
        const expr f =
            expr_sub(p, expr_add(p, expr_pow(p, b.variable[0], expr_int(p, 3)), b.variable[1]),
                     expr_int(p, 10));
        solve(&b, 1, &f, 2, fixed);
        assert_true(b.result.converged && b.result.verified);
        assert_int_equal(b.result.column[0], 1 - given);
        assert_true(given == 0 ? arb_equal_si(state_get(&b.s, b.variable[0]), 2) &&
                                     arb_contains_si(state_get(&b.s, b.variable[1]), 2)
                               : arb_equal_si(state_get(&b.s, b.variable[1]), 5));
        close_bench(&b);
    }
}

static void what_has_no_solution_is_left_or_solved_for_another_variable(void **unused) {
    (void)unused;
    bench b;
    open_bench(&b, 1, 1);
    pool *p = b.m->pool;
    const uint8_t fixed[2] = {0, 0};
    const expr f = expr_add(p, expr_square(p, b.variable[0]), EXPR_ONE); // x^2 = -1
    solve(&b, 1, &f, 1, fixed);
    assert_false(b.result.converged || b.result.verified);
    // 8 x^2 = y - 4 from (1, 1): x, which is steeper, has no root; y has
    const expr steep = expr_mul(p, expr_int(p, 8), expr_square(p, b.variable[0]));
    const expr g = expr_sum(p, 3, (expr[]){steep, expr_neg(p, b.variable[1]), expr_int(p, 4)});
    arb_set_si(state_get(&b.s, b.variable[0]), 1), arb_set_si(state_get(&b.s, b.variable[1]), 1);
    solve(&b, 1, &g, 2, fixed);
    assert_true(b.result.converged && b.result.verified);
    assert_int_equal(b.result.column[0], 1);
    assert_true(arb_contains_si(state_get(&b.s, b.variable[1]), 12));
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(square_roots_are_enclosed_to_the_last_bits),
        cmocka_unit_test(two_equations_are_solved_together),
        cmocka_unit_test(a_given_value_moves_only_where_no_other_can),
        cmocka_unit_test(what_has_no_solution_is_left_or_solved_for_another_variable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
