// program_share() changes the number of operations, never the values.
#include "support/support.h"

#include "expr/share.h"

#include <math.h>
#include <stdlib.h>

static const double TOLERANCE = 1e-9; // another order of summation, doubles, scaled

enum { SYMBOLS = 5, OUTPUTS = 8, SEEDS = 1500 };

typedef struct {
    world w;
    expr x[SYMBOLS];
    uint64_t random;
} zoo;

static zoo zoo_open(uint64_t seed) {
    static const char *const names[SYMBOLS] = {"a", "b", "c", "d", "e"};
    zoo z = {.w = world_open(), .random = seed};
    for (int i = 0; i < SYMBOLS; i++) z.x[i] = expr_symbol(z.w.p, names[i], ROLE_PARAMETER);
    return z;
}

static uint32_t below(zoo *z, uint32_t n) { return (uint32_t)(random_next(&z->random) % n); }

// --- values --------------------------------------------------------------------------------------

// One more expression from two of those there are, so that much is common; of a size
// that doubles can stand, mostly.
static expr combine(zoo *z, expr a, expr b) {
    pool *p = z->w.p;
    switch (below(z, 12)) {
    case 0:
    case 1: return expr_add(p, a, b);
    case 2:
    case 3: return expr_sub(p, a, b);
    case 4:
    case 5:
    case 6: return expr_mul(p, a, b);
    case 7: return expr_neg(p, a);
    case 8: return expr_div(p, a, b);
    case 9: return expr_mul(p, expr_rational(p, (int64_t)below(z, 9) - 4, 1 + below(z, 3)), a);
    case 10:
        return expr_pow(
            p, a, expr_rational(p, (int64_t)below(z, 9) - 4, below(z, 4) ? 1 : 1 + below(z, 3)));
    default: return expr_function(p, below(z, 2) ? EXPR_SIN : EXPR_EXP, &a);
    }
}

static bool same_values(zoo *z, const program *plain, const program *shared, uint32_t *compared) {
    double at[SYMBOLS], a[OUTPUTS], b[OUTPUTS];
    for (int i = 0; i < SYMBOLS; i++) at[i] = random_between(&z->random, 0.5, 1.5);
    program_run_double(plain, at, a);
    program_run_double(shared, at, b);
    for (int i = 0; i < OUTPUTS; i++) {
        if (!isfinite(a[i]) || fabs(a[i]) > 1e6) continue;
        (*compared)++;
        if (!(fabs(a[i] - b[i]) <= TOLERANCE * (1 + fabs(a[i])))) return false;
    }
    return true;
}

static void random_programs_keep_their_values(void **s) {
    (void)s;
    uint32_t compared = 0, wrong = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        zoo z = zoo_open(seed);
        expr e[40];
        uint32_t count = SYMBOLS;
        for (int i = 0; i < SYMBOLS; i++) e[i] = z.x[i];
        while (count < 20 + seed % 20) {
            e[count] = combine(&z, e[below(&z, count)], e[below(&z, count)]);
            count++;
        }
        program *plain = program_create(z.w.p, OUTPUTS, e + count - OUTPUTS);
        program *shared = program_share(program_create(z.w.p, OUTPUTS, e + count - OUTPUTS));
        assert_true(operation_counts_total(program_count(shared)) <=
                    operation_counts_total(program_count(plain)));
        if (!same_values(&z, plain, shared, &compared))
            print_message("seed %lu\n", (unsigned long)seed), wrong++;
        program_free(plain), program_free(shared);
        world_close(&z.w);
    }
    assert_int_equal(wrong, 0);
    assert_true(compared > SEEDS * OUTPUTS / 2);
}

// --- counts --------------------------------------------------------------------------------------

static uint32_t cost(pool *p, uint32_t count, const expr *outputs) {
    program *prog = program_share(program_create(p, count, outputs));
    const uint32_t total = operation_counts_total(program_count(prog));
    program_free(prog);
    return total;
}

static void common_parts_are_computed_once(void **s) {
    (void)s;
    zoo z = zoo_open(1);
    pool *p = z.w.p;
    const expr a = z.x[0], b = z.x[1], c = z.x[2], d = z.x[3];
    const expr ab = expr_mul(p, a, b), ac = expr_mul(p, a, c);
    const expr products[] = {expr_mul(p, ab, c), expr_mul(p, ab, d)};
    assert_int_equal(cost(p, 2, products), 3); // a b c, a b d
    const expr sum = expr_add(p, ab, ac);
    assert_int_equal(cost(p, 1, &sum), 2); // a (b + c)
    const expr squares[] = {expr_mul(p, expr_square(p, a), b), expr_mul(p, expr_square(p, a), c)};
    assert_int_equal(cost(p, 2, squares), 3); // a^2 b, a^2 c
    const expr powers[] = {expr_pow(p, a, expr_rational(p, -1, 2)),
                           expr_pow(p, a, expr_rational(p, 3, 2))};
    assert_int_equal(cost(p, 2, powers), 3); // one root, one division, one multiplication
    const expr inverses[] = {expr_add(p, b, expr_div(p, EXPR_ONE, a)),
                             expr_add(p, c, expr_div(p, EXPR_ONE, a))};
    assert_int_equal(cost(p, 2, inverses), 3); // 1/a once
    const expr scaled[] = {expr_add(p, expr_mul(p, EXPR_TWO, a), b),
                           expr_sub(p, c, expr_mul(p, EXPR_TWO, a))};
    assert_int_equal(cost(p, 2, scaled), 3); // 2 a once
    world_close(&z.w);
}

static void x_and_minus_x_are_one_part(void **s) {
    (void)s;
    zoo z = zoo_open(1);
    pool *p = z.w.p;
    const expr a = z.x[0], b = z.x[1], c = z.x[2];
    const expr plus = expr_sub(p, a, b), minus = expr_sub(p, b, a);
    const expr both[] = {expr_mul(p, plus, c), expr_add(p, minus, c)};
    assert_int_equal(cost(p, 2, both), 3); // a - b once, up to sign
    const expr turned = expr_neg(p, expr_mul(p, c, plus));
    assert_int_equal(cost(p, 1, &turned), 2); // c (b - a): no negation
    const expr needed[] = {expr_mul(p, a, b), expr_neg(p, expr_mul(p, a, b))};
    assert_int_equal(cost(p, 2, needed), 2); // here there is no way round it
    const expr argument = expr_neg(p, expr_mul(p, EXPR_TWO, a)),
               function = expr_function(p, EXPR_EXP, &argument);
    assert_int_equal(cost(p, 1, &function), 2); // exp(-2 a)
    world_close(&z.w);
}

// a/(b*c) is two parts only as long as nothing shows that they are one.
static void like_terms_are_put_together(void **s) {
    (void)s;
    zoo z = zoo_open(1);
    pool *p = z.w.p;
    const expr a = z.x[0], b = z.x[1], c = z.x[2], d = z.x[3];
    const expr ab = expr_add(p, a, b), product = expr_mul(p, ab, c),
               same = expr_add(p, expr_mul(p, a, c), expr_mul(p, b, c));
    const expr nothing = expr_mul(p, d, expr_sub(p, product, same));
    assert_int_equal(cost(p, 1, &nothing), 0); // d*((a + b)*c - (a*c + b*c))
    const expr half =
        expr_sub(p, expr_mul(p, d, product), expr_mul(p, EXPR_HALF, expr_mul(p, d, same)));
    assert_int_equal(cost(p, 1, &half), 4); // d*c*(a + b)/2
    const expr bracket = expr_sub(p, product, expr_add(p, same, d));
    assert_int_equal(cost(p, 1, &bracket), 1); // -d
    world_close(&z.w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_parts_are_computed_once),
        cmocka_unit_test(x_and_minus_x_are_one_part),
        cmocka_unit_test(like_terms_are_put_together),
        cmocka_unit_test(random_programs_keep_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
