// Generated C reads and runs as it should: what is computed where, in which order, under
// which names; and f costs what it must.
#include "support/support.h"

#include "codegen/identifier.h"
#include "codegen/emit.h"
#include "derive/formalism.h"
#include "equations/cost.h"
#include "equations/ode.h"

#include <stdlib.h>
#include <string.h>

// --- helpers -------------------------------------------------------------------------------------

typedef struct {
    world w;
    expr z[3], t, p[2];
} bench;

static bench open_bench(void) {
    bench b = {.w = world_open()};
    static const char *const name[] = {"x", "y", "u"};
    for (int i = 0; i < 3; i++) b.z[i] = expr_symbol(b.w.p, name[i], ROLE_COORDINATE);
    b.t = expr_symbol(b.w.p, "t", ROLE_TIME);
    b.p[0] = expr_symbol(b.w.p, "m", ROLE_PARAMETER),
    b.p[1] = expr_symbol(b.w.p, "k", ROLE_PARAMETER);
    return b;
}

static tape *tape_of(bench *b, uint32_t count, const expr *e) {
    return tape_create(b->w.p, 3, b->z, b->t, 2, b->p, count, e);
}

static char *emitted(bench *b, uint32_t count, const expr *e) {
    tape *t = tape_of(b, count, e);
    text out = {0};
    emit_tape(t, &scalar_type_double, "f", &out);
    tape_free(t);
    return text_release(&out);
}

static expr function_of(bench *b, expr_kind kind, expr e) {
    return expr_function(b->w.p, kind, &e);
}

static void assert_has(const char *code, const char *piece) {
    if (!strstr(code, piece)) fail_msg("no `%s` in\n%s", piece, code);
}

static void assert_order(const char *code, const char *first, const char *second) {
    assert_has(code, first);
    assert_has(code, second);
    if (strstr(code, first) > strstr(code, second))
        fail_msg("`%s` comes before `%s` in\n%s", second, first, code);
}

static const ode *library_ode(world *w, const char *name) {
    mechanics *s = mechanics_of(world_library(w, name));
    return ode_create(formalism_derive(formalism_default(s), s));
}

// --- tests ---------------------------------------------------------------------------------------

static void what_depends_on_parameters_only_is_computed_apart(void **state) {
    (void)state;
    bench b = open_bench();
    const expr e = expr_mul(b.w.p, expr_mul(b.w.p, b.p[0], expr_square(b.w.p, b.p[1])), b.z[0]);
    char *code = emitted(&b, 1, &e);
    assert_has(code, "static void f_fixed(const double *p, double *restrict c) {\n    c[0] = p[1] "
                     "* p[1] * p[0];\n}\n");
    assert_has(code, "    out[0] = c[0] * z[0];\n");
    memory_free(code);
    world_close(&b.w);
}

static void a_quotient_of_parameters_is_one_factor(void **state) {
    (void)state;
    bench b = open_bench();
    const expr e = expr_div(b.w.p, expr_mul(b.w.p, b.p[0], b.z[0]), b.p[1]);
    char *code = emitted(&b, 1, &e);
    assert_has(code, "    c[0] = p[0] / p[1];\n");
    assert_has(code, "    out[0] = c[0] * z[0];\n");
    memory_free(code);
    world_close(&b.w);
}

static void what_depends_on_time_only_comes_before_the_state(void **state) {
    (void)state;
    bench b = open_bench();
    const expr e[2] = {function_of(&b, EXPR_EXP, b.z[0]),
                       expr_mul(b.w.p, function_of(&b, EXPR_EXP, b.t), b.z[1])};
    char *code = emitted(&b, 2, e);
    assert_order(code, "exp(t)", "exp(z[0])");
    memory_free(code);
    world_close(&b.w);
}

static void sin_and_cos_of_one_argument_stand_side_by_side(void **state) {
    (void)state;
    bench b = open_bench();
    const expr e[3] = {function_of(&b, EXPR_SIN, b.z[0]), function_of(&b, EXPR_EXP, b.z[1]),
                       function_of(&b, EXPR_COS, b.z[0])};
    char *code = emitted(&b, 3, e);
    assert_has(code, "    out[0] = sin(z[0]);\n    out[2] = cos(z[0]);\n");
    memory_free(code);
    world_close(&b.w);
}

static void a_tangent_beside_a_cosine_is_a_quotient(void **state) {
    (void)state;
    bench b = open_bench();
    const expr e[2] = {function_of(&b, EXPR_TAN, b.z[0]), function_of(&b, EXPR_COS, b.z[0])};
    char *code = emitted(&b, 2, e);
    assert_null(strstr(code, "tan("));
    memory_free(code);
    world_close(&b.w);
}

static void a_tangent_alone_stays_one(void **state) {
    (void)state;
    bench b = open_bench();
    const expr e = function_of(&b, EXPR_TAN, b.z[0]);
    char *code = emitted(&b, 1, &e);
    assert_has(code, "out[0] = tan(z[0]);");
    memory_free(code);
    world_close(&b.w);
}

// sin(+-x +- y) and cos(+-x +- y) beside sin(x), cos(y): the value is that of the library
// function, and no function is called for it.
static void angles_that_are_sums_follow_from_the_addition_theorems(void **state) {
    (void)state;
    for (int signs = 0; signs < 4; signs++) {
        bench b = open_bench();
        pool *p = b.w.p;
        const expr x = signs & 1 ? expr_neg(p, b.z[0]) : b.z[0],
                   y = signs & 2 ? expr_neg(p, b.z[1]) : b.z[1], sum = expr_add(p, x, y);
        const expr e[4] = {function_of(&b, EXPR_SIN, b.z[0]), function_of(&b, EXPR_COS, b.z[1]),
                           function_of(&b, EXPR_SIN, sum), function_of(&b, EXPR_COS, sum)};
        tape *t = tape_of(&b, 4, e);
        uint32_t functions = 0;
        for (uint32_t i = 0; i < t->step_count; i++)
            functions += t->step[i].operation == TAPE_SIN || t->step[i].operation == TAPE_COS;
        assert_int_equal(functions, 4);
        // the tape as expressions again
        expr *value = calloc(tape_register_count(t), sizeof *value);
        memcpy(value, t->input, sizeof(expr) * t->input_count);
        memcpy(value + t->input_count, t->constant, sizeof(expr) * t->constant_count);
        for (uint32_t i = 0; i < t->step_count; i++) {
            const tape_step *s = &t->step[i];
            expr *out = value + t->input_count + t->constant_count + i;
            if (s->operation == TAPE_SIN) *out = function_of(&b, EXPR_SIN, value[s->a]);
            else if (s->operation == TAPE_COS) *out = function_of(&b, EXPR_COS, value[s->a]);
            else if (s->operation == TAPE_ADD) *out = expr_add(p, value[s->a], value[s->b]);
            else if (s->operation == TAPE_SUB) *out = expr_sub(p, value[s->a], value[s->b]);
            else if (s->operation == TAPE_MUL) *out = expr_mul(p, value[s->a], value[s->b]);
            else if (s->operation == TAPE_NEG) *out = expr_neg(p, value[s->a]);
            else
                fail_msg("%s where only sums and products are needed",
                         tape_operation_name(s->operation));
        }
        for (int i = 0; i < 4; i++) assert_true(same_function(p, value[t->output[i]], e[i]));
        free(value);
        tape_free(t);
        world_close(&b.w);
    }
}

static void brackets_keep_the_order_of_additions(void **state) {
    (void)state;
    bench b = open_bench();
    pool *p = b.w.p;
    const expr left = expr_add(p, b.z[0], b.z[1]),
               right = expr_sub(p, b.z[2], expr_div(p, b.z[0], left));
    const expr e = expr_sub(p, expr_div(p, b.z[1], right), expr_square(p, left));
    char *code = emitted(&b, 1, &e);
    assert_has(code, "z[2] - z[0] / r1");
    assert_has(code, "z[1] / (z[2] - z[0] / r1)");
    memory_free(code);
    world_close(&b.w);
}

static void long_bodies_come_in_parts(void **state) {
    (void)state;
    bench b = open_bench();
    enum { COUNT = 1200 };
    expr e[2] = {b.z[0], b.z[1]};
    for (int i = 0; i < COUNT; i++)
        e[i % 2] = function_of(&b, EXPR_EXP, expr_sub(b.w.p, e[i % 2], e[1 - i % 2]));
    char *code = emitted(&b, 2, e);
    assert_has(code, "void f_1(");
    assert_has(code, "void f_3(");
    assert_null(strstr(code, "void f_4("));
    assert_has(code, "    double kept[");
    memory_free(code);
    world_close(&b.w);
}

static void the_same_model_gives_the_same_bytes(void **state) {
    (void)state;
    char *code[2];
    for (int i = 0; i < 2; i++) {
        bench b = open_bench();
        const expr e =
            expr_mul(b.w.p, function_of(&b, EXPR_SIN, b.z[0]), expr_add(b.w.p, b.p[0], b.z[1]));
        code[i] = emitted(&b, 1, &e);
        world_close(&b.w);
    }
    assert_string_equal(code[0], code[1]);
    memory_free(code[0]);
    memory_free(code[1]);
}

static void steps_that_nothing_needs_are_left_out(void **state) {
    (void)state;
    bench b = open_bench();
    // 3*(m*x) as (3*m)*x
    const expr e = expr_mul(b.w.p, expr_int(b.w.p, 3), expr_mul(b.w.p, b.p[0], b.z[0]));
    tape *t = tape_of(&b, 1, &e);
    assert_int_equal(t->step_count, 2);
    tape_free(t);
    world_close(&b.w);
}

static void names_of_the_model_become_different_identifiers(void **state) {
    (void)state;
    arena a;
    names taken = {0};
    arena_init(&a);
    assert_string_equal(identifier_make(&a, &taken, &identifier_rules_c, "theta"), "theta");
    assert_string_equal(identifier_make(&a, &taken, &identifier_rules_c, "q[2,-1]'"), "q_2_m1_dot");
    assert_string_equal(identifier_make(&a, &taken, &identifier_rules_c, "q_1"), "q_1");
    assert_string_equal(identifier_make(&a, &taken, &identifier_rules_c, "q[1]"), "q_1_2");
    assert_string_equal(identifier_make(&a, &taken, &identifier_rules_c, "double"), "double_2");
    assert_string_equal(identifier_make(&a, &taken, &identifier_rules_c, "r3"), "r3_2");
    assert_string_equal(identifier_make(&a, &taken, &identifier_rules_c, "FP_NAN"), "n_FP_NAN");
    assert_string_equal(identifier_make(&a, &taken, &identifier_rules_c, "r"), "r");
    names_free(&taken);
    arena_free(&a);
}

static void the_sleigh_costs_what_its_printed_equations_do(void **state) {
    (void)state;
    world w = world_open();
    const ode *o = library_ode(&w, "sleigh");
    // a w, two sums of two products, a w^2, k v w; and sin, cos of theta at 20 each
    assert_in_range(cost_of_running(w.p, o->size, o->rate), 40, 40 + 1 + 6 + 1 + 3);
    world_close(&w);
}

// As derived it takes 457, with entries in shortest form 264: the bound lies between.
static void of_equal_ways_to_write_f_the_cheapest_is_taken(void **state) {
    (void)state;
    world w = world_open();
    const ode *o = library_ode(&w, "t15_3_1_pendulum_on_skate");
    assert_in_range(cost_of_running(w.p, o->size, o->rate), 1, 300);
    world_close(&w);
}

static void a_heading_drops_out_of_the_equations_of_motion(void **state) {
    (void)state;
    world w = world_open();
    const ode *o = library_ode(&w, "rattleback");
    const expr psi = o->eq->system->q[2];
    for (uint32_t i = o->eq->system->n; i < o->size; i++)
        assert_false(expr_depends_on(w.p, o->rate[i], 1, &psi));
    assert_true(expr_depends_on(w.p, o->rate[0], 1, &psi)); // x' turns with it
    world_close(&w);
}

static void a_coordinate_that_counts_is_kept(void **state) {
    (void)state;
    world w = world_open();
    const ode *o = library_ode(&w, "rattleback");
    const expr theta = o->eq->system->q[3];
    for (uint32_t i = o->eq->system->n; i < o->size; i++)
        assert_true(expr_depends_on(w.p, o->rate[i], 1, &theta));
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_depends_on_parameters_only_is_computed_apart),
        cmocka_unit_test(a_quotient_of_parameters_is_one_factor),
        cmocka_unit_test(what_depends_on_time_only_comes_before_the_state),
        cmocka_unit_test(sin_and_cos_of_one_argument_stand_side_by_side),
        cmocka_unit_test(a_tangent_beside_a_cosine_is_a_quotient),
        cmocka_unit_test(a_tangent_alone_stays_one),
        cmocka_unit_test(angles_that_are_sums_follow_from_the_addition_theorems),
        cmocka_unit_test(brackets_keep_the_order_of_additions),
        cmocka_unit_test(long_bodies_come_in_parts),
        cmocka_unit_test(the_same_model_gives_the_same_bytes),
        cmocka_unit_test(steps_that_nothing_needs_are_left_out),
        cmocka_unit_test(names_of_the_model_become_different_identifiers),
        cmocka_unit_test(the_sleigh_costs_what_its_printed_equations_do),
        cmocka_unit_test(of_equal_ways_to_write_f_the_cheapest_is_taken),
        cmocka_unit_test(a_heading_drops_out_of_the_equations_of_motion),
        cmocka_unit_test(a_coordinate_that_counts_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
