// Bounds for degrees: never below the degree that is measured along a random line in F_p, and for
// what an elimination made not far above it.
#include "support/support.h"

#include "expr/matrix.h"
#include "prove/degree_bound.h"

#include <flint/nmod_mat.h>
#include <stdio.h>
#include <string.h>

enum { SYMBOLS = 4, POINTS = 64 };

typedef struct {
    world w;
    const mechanics *s;
    expr symbol[SYMBOLS];
    uint64_t random;
} fixture;

static fixture fixture_open(uint64_t seed) {
    static const char *const name[SYMBOLS] = {"a", "b", "c", "d"};
    fixture f = {.w = world_open(), .random = seed};
    f.s = mechanics_of(world_model(&f.w, "coord x\nkinetic x'^2/2\ninitial x = 1\n"));
    for (int i = 0; i < SYMBOLS; i++) f.symbol[i] = expr_symbol(f.s->pool, name[i], ROLE_PARAMETER);
    return f;
}

static double bound_of(const fixture *f, expr e) {
    degree_bound bound = {.denominator = 1, .velocity = 1};
    degree_bound_add(&bound, f->s, 1, &e);
    return bound.statement - 1;
}

static mp_limb_t value_on_line(const fixture *f, const program *prog, modular_point at,
                               const mp_limb_t *from, const mp_limb_t *along, mp_limb_t place) {
    nmod_t mod;
    nmod_init(&mod, at.prime);
    mp_limb_t *value = memory_zeros(mp_limb_t, pool_symbol_count(f->s->pool)), out;
    for (int i = 0; i < SYMBOLS; i++)
        value[expr_symbol_index(f->s->pool, f->symbol[i])] =
            nmod_add(from[i], nmod_mul(along[i], place, mod), mod);
    assert_int_equal(program_run_modular(prog, &at, value, &out), MODULAR_OK);
    memory_free(value);
    return out;
}

// Are there polynomials of these degrees with above(s_i) = f_i below(s_i) at all places?
static bool is_quotient(nmod_t mod, const mp_limb_t *f, slong above, slong below) {
    nmod_mat_t m;
    nmod_mat_init(m, POINTS, above + below + 2, mod.n);
    for (slong i = 0; i < POINTS; i++) {
        mp_limb_t power = 1;
        for (slong j = 0; j <= (above > below ? above : below); j++) {
            if (j <= above) nmod_mat_entry(m, i, j) = power;
            if (j <= below)
                nmod_mat_entry(m, i, above + 1 + j) = nmod_mul(power, nmod_neg(f[i], mod), mod);
            power = nmod_mul(power, (mp_limb_t)i + 1, mod);
        }
    }
    const bool dependent = nmod_mat_rank(m) < above + below + 2;
    nmod_mat_clear(m);
    return dependent;
}

// Degrees above and below along a random line, added
static slong measured_degree(fixture *f, expr e) {
    enum { MOST = (POINTS - 4) / 2 };
    const modular_point at = modular_point_random((modular_angles){1, 1}, &f->random);
    mp_limb_t from[SYMBOLS], along[SYMBOLS], value[POINTS];
    nmod_t mod;
    nmod_init(&mod, at.prime);
    program *prog = program_create(f->s->pool, 1, &e);
    for (int i = 0; i < SYMBOLS; i++)
        from[i] = random_next(&f->random) % at.prime, along[i] = random_next(&f->random) % at.prime;
    for (mp_limb_t i = 0; i < POINTS; i++)
        value[i] = value_on_line(f, prog, at, from, along, i + 1);
    slong above = MOST, below = MOST;
    assert_true(is_quotient(mod, value, above, below)); // else there are too few points
    while (above && is_quotient(mod, value, above - 1, below)) above--;
    while (below && is_quotient(mod, value, above, below - 1)) below--;
    program_free(prog);
    return above + below;
}

// --- expressions --------------------------------------------------------------------------------

static expr some_symbol(fixture *f) { return f->symbol[random_next(&f->random) % SYMBOLS]; }

// A linear function, now and then over another one
static expr some_entry(fixture *f, bool fractions) {
    pool *p = f->s->pool;
    expr e = expr_int(p, (int64_t)(random_next(&f->random) % 7) - 3);
    for (int i = 0; i < 2; i++)
        e = expr_add(
            p, e,
            expr_mul(p, expr_int(p, 1 + (int64_t)(random_next(&f->random) % 9)), some_symbol(f)));
    const bool divided = fractions && random_next(&f->random) % 4 == 0;
    return divided ? expr_div(p, e, expr_add(p, some_symbol(f), expr_int(p, 5))) : e;
}

enum { LARGEST = 8, COLUMNS = 2 };

static void solve_some_system(fixture *f, uint32_t n, bool fractions, expr *x) {
    expr a[LARGEST * LARGEST], r[LARGEST * COLUMNS];
    uint32_t order[LARGEST];
    for (uint32_t i = 0; i < n * n; i++) a[i] = some_entry(f, fractions);
    for (uint32_t i = 0; i < n * COLUMNS; i++) r[i] = some_entry(f, fractions);
    for (uint32_t i = 0; i < n; i++) order[i] = i;
    matrix_solve(f->s->pool, n, a, COLUMNS, r, order, order, x);
}

static void no_degree_is_larger_than_its_bound(fixture *f, expr e) {
    const slong measured = measured_degree(f, e);
    if (bound_of(f, e) < (double)measured)
        fail_msg("degree %ld, bound %g", (long)measured, bound_of(f, e));
}

static void what_an_elimination_made_is_bounded_from_above(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        fixture f = fixture_open(seed);
        pool *p = f.s->pool;
        expr x[LARGEST * COLUMNS];
        const uint32_t n = seed % 2 ? 5 : 4;
        solve_some_system(&f, n, seed > 2, x);
        assert_true(matrix_eliminated_count(p) > 0);
        for (uint32_t i = 0; i < matrix_eliminated_count(p); i += 3)
            no_degree_is_larger_than_its_bound(&f, matrix_eliminated(p, i)->node);
        for (uint32_t i = 0; i < 6; i++) { // flattened into sums and products, and differentiated
            const expr u = x[i], v = x[i + 1], y = expr_diff(p, u, f.symbol[0]);
            no_degree_is_larger_than_its_bound(&f, expr_mul(p, u, v));
            no_degree_is_larger_than_its_bound(&f, expr_div(p, u, v));
            no_degree_is_larger_than_its_bound(
                &f, expr_sub(p, expr_mul(p, u, f.symbol[1]), expr_mul(p, EXPR_TWO, v)));
            no_degree_is_larger_than_its_bound(&f, y);
        }
        for (uint32_t i = 0; i < matrix_eliminated_count(p); i++)
            if (matrix_eliminated(p, i)->kind == ELIMINATED_PIVOT)
                no_degree_is_larger_than_its_bound(
                    &f, expr_div(p, x[n], matrix_eliminated(p, i)->node));
        world_close(&f.w);
    }
}

// By Cramer's rule: 8 above and 8 below; following the operations one would get thousands.
static void solutions_have_the_degree_of_minors(void **unused) {
    (void)unused;
    fixture f = fixture_open(7);
    expr x[LARGEST * COLUMNS];
    solve_some_system(&f, LARGEST, false, x);
    for (uint32_t i = 0; i < LARGEST * COLUMNS; i++) {
        assert_true(bound_of(&f, x[i]) >= 2 * LARGEST);
        assert_true(bound_of(&f, x[i]) <= 3 * LARGEST);
    }
    world_close(&f.w);
}

// Solved again with solutions in it, as in Udwadia's and Kalaba's equations: degrees multiply once.
static void solutions_of_solutions_too(void **unused) {
    (void)unused;
    fixture f = fixture_open(8);
    expr x[LARGEST * COLUMNS], again[LARGEST * COLUMNS], y[LARGEST * COLUMNS];
    uint32_t order[LARGEST];
    const uint32_t n = 4;
    solve_some_system(&f, LARGEST, false, x);
    for (uint32_t i = 0; i < n * n; i++)
        again[i] = expr_add(f.s->pool, x[i], expr_mul(f.s->pool, some_symbol(&f), x[(i + 1) % 16]));
    for (uint32_t i = 0; i < n; i++) order[i] = i;
    matrix_solve(f.s->pool, n, again, 1, x, order, order, y);
    for (uint32_t i = 0; i < n; i++) assert_true(bound_of(&f, y[i]) <= 4 * n * 3 * LARGEST);
    world_close(&f.w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_elimination_made_is_bounded_from_above),
        cmocka_unit_test(solutions_have_the_degree_of_minors),
        cmocka_unit_test(solutions_of_solutions_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
