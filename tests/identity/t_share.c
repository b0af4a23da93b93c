// program_share() changes the number of operations, never the values.
#include "support/support.h"

#include "base/embedded.h"
#include "derive/formalism.h"
#include "expr/share.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double TOLERANCE = 1e-9; // another order of summation, doubles, scaled

// All entries of matrix and right-hand side of a form.
static uint32_t outputs_of(const equations *eq, expr **out) {
    const uint32_t n = eq->unknown_count;
    *out = malloc(sizeof(expr) * ((size_t)n * n + n));
    equations_affine(eq, *out, *out + (size_t)n * n);
    return n * n + n;
}

static void same_values_and_no_more_operations_on_every_library_model(void **s) {
    (void)s;
    for (unsigned long i = 0; i < embedded_model_count; i++) {
        world w = world_open();
        hamel_model *m = NULL;
        mechanics *system;
        assert_int_equal(hamel_model_open(w.ctx, embedded_models[i].name, &m), HAMEL_OK);
        assert_int_equal(mechanics_create(m, NULL, &system), HAMEL_OK);
        for (uint32_t f = 0; f < formalism_count(); f++) {
            if (formalism_refusal(formalism_at(f), system)) continue;
            equations *eq = formalism_derive(formalism_at(f), system);
            expr *output;
            const uint32_t count = outputs_of(eq, &output);
            program *plain = program_create(w.p, count, output), *shared = program_share(program_create(w.p, count, output));
            assert_true(operation_total(program_count(shared)) <= operation_total(program_count(plain)));
            uint64_t random = i + 1;
            double *at = malloc(sizeof(double) * pool_symbol_count(w.p)), *a = malloc(sizeof(double) * count), *b = malloc(sizeof(double) * count);
            for (uint32_t j = 0; j < pool_symbol_count(w.p); j++) at[j] = random_between(&random, 0.5, 1.5);
            program_run_double(plain, at, a);
            program_run_double(shared, at, b);
            for (uint32_t j = 0; j < count; j++)
                if (isfinite(a[j])) assert_true(fabs(a[j] - b[j]) <= TOLERANCE * (1 + fabs(a[j])));
            free(at), free(a), free(b), free(output);
            program_free(plain), program_free(shared);
            equations_free(eq);
        }
        world_close(&w);
    }
}

static void common_parts_are_computed_once(void **s) {
    (void)s;
    world w = world_open();
    pool *p = w.p;
    expr v[4];
    static const char *const names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) v[i] = expr_symbol(p, names[i], ROLE_PARAMETER);
    const expr products[2] = {expr_product(p, 3, v), expr_product(p, 3, (expr[]){v[0], v[1], v[3]})}; // abc, abd: 3, not 4
    program *prog = program_share(program_create(p, 2, products));
    assert_int_equal(operation_total(program_count(prog)), 3);
    program_free(prog);
    const expr sum = expr_add(p, expr_mul(p, v[0], v[1]), expr_mul(p, v[0], v[2])); // a*b + a*c = a*(b + c)
    prog = program_share(program_create(p, 1, &sum));
    assert_int_equal(operation_total(program_count(prog)), 2);
    program_free(prog);
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_parts_are_computed_once),
        cmocka_unit_test(same_values_and_no_more_operations_on_every_library_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
