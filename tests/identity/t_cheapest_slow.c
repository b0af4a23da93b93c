// The lean program is the same system as the equations it was made from, and never dearer
// than writing them down as they are.
#include "support/random_text.h"
#include "support/support.h"

#include "base/embedded.h"
#include "derive/formalism.h"
#include "equations/cheapest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// other forms of the entries and another order of summation, doubles, scaled
static const double TOLERANCE = 1e-9;

typedef struct {
    const equations *eq;
    cheapest_system lean;
    program *plain; // all entries, the rest, the velocities, as derived
    double *expected, *got;
    uint32_t count;
    uint32_t compared; // finite values
} comparison;

// An abstract function becomes a concrete one, the same in both programs.
static void give_functions_values(program *prog) {
    static const expr_kind stand_in[] = {EXPR_SIN, EXPR_COS, EXPR_TANH, EXPR_ATAN, EXPR_EXP};
    for (uint32_t i = 0; i < prog->length; i++)
        if (prog->code[i].kind == EXPR_APPLY)
            prog->code[i].kind = stand_in[prog->code[i].payload % 5];
}

static comparison comparison_create(const equations *eq) {
    const uint32_t n = eq->unknown_count, v = eq->explicit_velocities ? eq->system->n : 0;
    comparison c = {.eq = eq, .lean = cheapest_system_create(eq), .count = n * n + n + v};
    expr *value = malloc(sizeof(expr) * c.count);
    equations_affine(eq, value, value + n * n);
    for (uint32_t i = 0; i < v; i++) value[n * n + n + i] = eq->velocity[i];
    if (v) // on the constraints: elsewhere they need not agree
        expr_substitute(eq->system->pool, v, eq->system->qd, eq->velocity, n * n + n, value, value);
    c.plain = program_create(eq->system->pool, c.count, value);
    free(value);
    give_functions_values(c.plain);
    give_functions_values(c.lean.prog);
    c.expected = malloc(sizeof(double) * c.count);
    c.got = malloc(sizeof(double) * c.lean.prog->output_count);
    return c;
}

static void comparison_free(comparison *c) {
    cheapest_system_free(&c->lean);
    program_free(c->plain);
    free(c->expected), free(c->got);
}

static bool close_to(comparison *c, double expected, double got) {
    if (!isfinite(expected)) return true;
    c->compared++;
    return fabs(expected - got) <= TOLERANCE * (1 + fabs(expected));
}

// E = D M, b = s D r, and q' at a random point.
static bool reproduces(comparison *c, uint64_t seed) {
    const cheapest_system *l = &c->lean;
    const uint32_t n = l->n, symbols = pool_symbol_count(c->eq->system->pool);
    double *at = malloc(sizeof(double) * (symbols ? symbols : 1));
    for (uint32_t j = 0; j < symbols; j++) at[j] = random_between(&seed, 0.5, 1.5);
    program_run_double(c->plain, at, c->expected);
    program_run_double(l->prog, at, c->got);
    free(at);
    bool same = true;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            same =
                close_to(c, c->expected[i * n + j], l->row_sign[i] * c->got[l->entry[i * n + j]]) &&
                same;
        same = close_to(c, c->expected[n * n + i],
                        l->rest_sign * l->row_sign[i] * c->got[l->rest[i]]) &&
               same;
    }
    for (uint32_t i = n * n + n; i < c->count; i++)
        same = close_to(c, c->expected[i], c->got[l->velocity[i - n * n - n]]) && same;
    return same;
}

static void check_values(comparison *c, const char *name) {
    for (uint64_t seed = 1; seed <= 3; seed++)
        if (!reproduces(c, seed)) fail_msg("%s: other values", name);
    if (!c->compared) fail_msg("%s: nothing to compare", name);
}

static void check_count(const comparison *c, const char *name) {
    const uint32_t lean = operation_counts_total(program_count(c->lean.prog)),
                   plain = operation_counts_total(program_count(c->plain));
    if (lean > plain) fail_msg("%s: %u operations, %u as derived", name, lean, plain);
}

// A row of zeros has no sign; every other one has, and reproduces() must see it.
static void check_that_signs_matter(comparison *c, const char *name) {
    const uint32_t n = c->lean.n;
    bool has_rest = false, *has_row = calloc(n ? n : 1, sizeof(bool));
    for (uint32_t i = 0; i < n; i++) {
        const double rest = c->expected[n * n + i];
        has_rest = has_rest || (isfinite(rest) && fabs(rest) > TOLERANCE);
        for (uint32_t j = 0; j < n; j++)
            has_row[i] = has_row[i] || (isfinite(c->expected[i * n + j]) &&
                                        fabs(c->expected[i * n + j]) > TOLERANCE);
    }
    for (uint32_t i = 0; i < n; i++) {
        c->lean.row_sign[i] = (signed char)-c->lean.row_sign[i];
        if (has_row[i] && reproduces(c, 1))
            fail_msg("%s: the sign of row %u goes unnoticed", name, i);
        c->lean.row_sign[i] = (signed char)-c->lean.row_sign[i];
    }
    c->lean.rest_sign = -c->lean.rest_sign;
    if (has_rest && reproduces(c, 1))
        fail_msg("%s: the sign of the right-hand side goes unnoticed", name);
    free(has_row);
}

static void every_form_of_every_model_keeps_its_system_and_signs_at_no_higher_count(void **s) {
    (void)s;
    const unsigned long every = run_size(16, 1);
    for (unsigned long i = 0; i < embedded_model_count; i += every) {
        world w = world_open();
        model *m = world_library(&w, embedded_models[i].name);
        mechanics *system = mechanics_of(m);
        for (uint32_t f = 0; f < formalism_count(); f++) {
            if (formalism_refusal(formalism_at(f), system)) continue;
            char name[200];
            snprintf(name, sizeof name, "%s by %s", embedded_models[i].name, formalism_at(f)->id);
            equations *eq = formalism_derive(formalism_at(f), system);
            comparison c = comparison_create(eq);
            check_count(&c, name);
            check_values(&c, name);
            check_that_signs_matter(&c, name);
            comparison_free(&c);
            equations_free(eq);
        }
        world_close(&w);
    }
}

static uint32_t count_of(const char *text) {
    world w = world_open();
    model *m = world_model(&w, text);
    mechanics *system = mechanics_of(m);
    equations *eq = formalism_derive(formalism_find("multipliers"), system);
    cheapest_system lean = cheapest_system_create(eq);
    const uint32_t total = operation_counts_total(program_count(lean.prog));
    cheapest_system_free(&lean);
    equations_free(eq);
    world_close(&w);
    return total;
}

static void a_symmetric_matrix_is_paid_for_once(void **s) {
    (void)s;
    // entries m, -y and 1, rest x'*y': one multiplication and one negation or, with the
    // constraint's row turned, none
    assert_int_equal(count_of("system p\nparam m = 1\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + "
                              "z'^2)\nconstraint c: z' = y*x'\n"),
                     1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_symmetric_matrix_is_paid_for_once),
        cmocka_unit_test(every_form_of_every_model_keeps_its_system_and_signs_at_no_higher_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
