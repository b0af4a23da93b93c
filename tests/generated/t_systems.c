// Linear systems on a tape: the interpreter against Arb, compiled code against the interpreter to
// the last bit, Taylor coefficients against those of the same solution written out.
#include "support/support.h"

#include "base/processor.h"
#include "codegen/emit.h"
#include "derive/formalism.h"
#include "execute/jets.h"
#include "execute/machine.h"
#include "execute/module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 12, ORDER = 12, BITS = 128 };

static const double ROUNDING = 1e-13; // of elimination with matrices of condition 100 at most
static const double ROUNDING_SERIES =
    1e-11; // relative to the largest coefficient of an order: errors of lower orders enter

// derivatives through eight pivots, one after the other
static const double ROUNDING_SLOPES = 1e-11;

typedef struct {
    world w;
    uint32_t n;
    bool symmetric;
    expr z[LARGEST], t, a, unknown[LARGEST], matrix[LARGEST * LARGEST], right[LARGEST];
    expr rate[LARGEST], closed_rate[LARGEST]; // with the unknowns; with their meaning on the DAG
    double at[LARGEST];
} bench;

static expr sine(pool *p, expr x) { return expr_function(p, EXPR_SIN, &x); }
static expr number(pool *p, uint64_t *random) {
    return expr_rational(p, (int64_t)random_between(random, -50, 50), 100);
}

// Entries of each sort: zero, fixed, moving. Symmetric ones are dominated by their diagonal; of the
// others the diagonal is 0 in half of the rows.
static expr entry(bench *b, uint32_t i, uint32_t j, uint64_t *random) {
    pool *p = b->w.p;
    const expr moving =
        expr_mul(p, number(p, random), sine(p, expr_add(p, b->z[i], expr_mul(p, b->a, b->z[j]))));
    if (i == j && b->symmetric) return expr_add(p, expr_int(p, (int64_t)b->n), moving);
    if (i == j) return i % 2 ? EXPR_ZERO : moving;
    if (!b->symmetric && j == (i ^ 1u)) return expr_add(p, expr_int(p, 3), moving);
    return (i + j) % 4 == 0   ? EXPR_ZERO
           : (i + j) % 4 == 1 ? expr_mul(p, number(p, random), b->a)
                              : moving;
}

static bench *bench_open(uint32_t n, bool symmetric) {
    bench *b = calloc(1, sizeof *b);
    uint64_t random = 7 * n + symmetric;
    b->w = world_open(), b->n = n, b->symmetric = symmetric;
    pool *p = b->w.p;
    b->t = expr_symbol(p, "t", ROLE_TIME), b->a = expr_symbol(p, "a", ROLE_PARAMETER);
    for (uint32_t i = 0; i < n; i++) {
        b->z[i] = expr_symbol(p, "z", ROLE_COORDINATE),
        b->unknown[i] = expr_symbol(p, "x", ROLE_MULTIPLIER);
        b->at[i] = random_between(&random, -1, 1);
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            b->matrix[i * n + j] =
                b->symmetric && j < i ? b->matrix[j * n + i] : entry(b, i, j, &random);
    for (uint32_t i = 0; i < n; i++)
        b->right[i] = i % 3 ? expr_mul(p, b->z[i], sine(p, b->t)) : b->a;
    for (uint32_t i = 0; i < n; i++)
        b->rate[i] = expr_add(p, b->unknown[i], expr_mul(p, b->z[0], b->unknown[(i + 1) % n]));
    return b;
}

static void bench_close(bench *b) {
    world_close(&b->w);
    free(b);
}

static const double TIME = 0.4, PARAMETER = 0.7;

static matrix_system system_of(const bench *b) {
    return (matrix_system){b->n, 1, b->symmetric, b->matrix, b->right, b->unknown};
}

static tape *tape_of(const bench *b) {
    const matrix_system s = system_of(b);
    return tape_create_with(b->w.p, b->n, b->z, b->t, 1, &b->a, 1, &s, b->n, b->rate);
}

static double *point(const bench *b) {
    double *at = calloc(pool_symbol_count(b->w.p), sizeof *at);
    for (uint32_t i = 0; i < b->n; i++) at[expr_symbol_index(b->w.p, b->z[i])] = b->at[i];
    at[expr_symbol_index(b->w.p, b->t)] = TIME, at[expr_symbol_index(b->w.p, b->a)] = PARAMETER;
    return at;
}

// The unknowns by elimination on the DAG, pivots in an order that serves at the point
static void close_rates(bench *b) {
    const uint32_t n = b->n;
    double *at = point(b), value[LARGEST * LARGEST];
    uint32_t row[LARGEST], column[LARGEST];
    expr x[LARGEST];
    for (uint32_t i = 0; i < n * n; i++) value[i] = expr_value(b->w.p, b->matrix[i], at);
    pivots_choose(n, n, value, NULL, 0.1, row, column);
    matrix_solve(b->w.p, n, b->matrix, 1, b->right, row, column, x);
    expr_substitute(b->w.p, n, b->unknown, x, n, b->rate, b->closed_rate);
    free(at);
}

static void expected_rates(bench *b, double *out) {
    close_rates(b);
    const uint32_t symbols = pool_symbol_count(b->w.p);
    double *at = point(b);
    arb_ptr exact = _arb_vec_init(symbols), value = _arb_vec_init(b->n);
    for (uint32_t i = 0; i < symbols; i++) arb_set_d(exact + i, at[i]);
    program *g = program_create(b->w.p, b->n, b->closed_rate);
    program_run_arb(g, exact, BITS, value);
    for (uint32_t i = 0; i < b->n; i++) out[i] = ball_middle(value + i);
    program_free(g);
    _arb_vec_clear(exact, symbols), _arb_vec_clear(value, b->n);
    free(at);
}

static void solutions_are_those_of_exact_arithmetic(void **unused) {
    (void)unused;
    for (uint32_t n = 1; n <= LARGEST; n++)
        for (int symmetric = n > 1 ? 0 : 1; symmetric <= 1; symmetric++) {
            bench *b = bench_open(n, symmetric);
            double found[LARGEST], expected[LARGEST];
            tape *g = tape_of(b);
            machine m;
            machine_init(&m, g, &PARAMETER);
            assert_int_equal(g->system_count, 1);
            assert_true(machine_run(&m, TIME, b->at, found));
            expected_rates(b, expected);
            for (uint32_t i = 0; i < n; i++)
                if (!(fabs(found[i] - expected[i]) <= ROUNDING * (1 + fabs(expected[i]))))
                    fail_msg("n = %u: %.17g, not %.17g", n, found[i], expected[i]);
            machine_free(&m);
            tape_free(g);
            bench_close(b);
        }
}

typedef void rate_function(double t, const double *z, const double *p, const double *c,
                           double *out);
typedef int jet_function(double t, const double *z, const double *p, const double *c, int order,
                         double *out);
typedef void fixed_function(const double *p, double *c);

// Rates and Taylor coefficients by compiled code
static void run_compiled(const bench *b, const tape *g, double *rate, double *series) {
    text source = {0};
    scalar_type as = scalar_type_double;
    as.qualifier = "";
    as.fused = processor_fuses();
    const char *error = NULL;
    text_format(&source, "%s\n\n", as.include);
    const uint32_t places = emit_tape(g, &as, "rate", &source),
                   more = emit_jet(g, &as, "jet", ORDER, EMIT_JET_SHORT, &source);
    module *code = module_load(b->w.ctx, text_string(&source), as.library, &error);
    if (!code) fail_msg("%s", error);
    double *c = calloc(places + more + 2, sizeof *c);
    ((fixed_function *)module_symbol(code, "rate_fixed"))(&PARAMETER, c);
    ((rate_function *)module_symbol(code, "rate"))(TIME, b->at, &PARAMETER, c, rate);
    ((fixed_function *)module_symbol(code, "jet_fixed"))(&PARAMETER, c);
    jet_function *jet = (jet_function *)module_symbol(code, "jet");
    assert_int_equal(jet(TIME, b->at, &PARAMETER, c, ORDER, series), 0);
    free(c);
    module_free(code);
    text_free(&source);
}

static void compiled_code_gives_the_bits_of_the_interpreter(void **unused) {
    (void)unused;
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    for (uint32_t n = 2; n <= LARGEST; n += 5)
        for (int symmetric = 0; symmetric <= 1; symmetric++) {
            bench *b = bench_open(n, symmetric);
            double rate[LARGEST], also[LARGEST], series[(ORDER + 1) * LARGEST],
                too[(ORDER + 1) * LARGEST];
            tape *g = tape_of(b);
            machine m;
            machine_init(&m, g, &PARAMETER);
            jets *j = jets_create(g, true, &PARAMETER, processor_fuses());
            assert_true(machine_run(&m, TIME, b->at, rate));
            assert_true(jets_of_solution(j, TIME, b->at, ORDER, series));
            run_compiled(b, g, also, too);
            assert_memory_equal(rate, also, sizeof(double) * n);
            assert_memory_equal(series, too, sizeof(double) * n * (ORDER + 1));
            jets_free(j);
            machine_free(&m);
            tape_free(g);
            bench_close(b);
        }
}

static void assert_series_near(uint32_t n, const double *found, const double *expected) {
    for (uint32_t k = 0; k <= ORDER; k++) {
        double largest = 0;
        for (uint32_t i = 0; i < n; i++) largest = fmax(largest, fabs(expected[k * n + i]));
        for (uint32_t i = 0; i < n; i++)
            if (!(fabs(found[k * n + i] - expected[k * n + i]) <= ROUNDING_SERIES * largest))
                fail_msg("n = %u: coefficient %u of z_%u is %.17g, not %.17g", n, k, i,
                         found[k * n + i], expected[k * n + i]);
    }
}

static void coefficients_are_those_of_the_solution_written_out(void **unused) {
    (void)unused;
    for (uint32_t n = 2; n <= 6; n++)
        for (int symmetric = 0; symmetric <= 1; symmetric++) {
            bench *b = bench_open(n, symmetric);
            double found[(ORDER + 1) * LARGEST], expected[(ORDER + 1) * LARGEST];
            long double start[LARGEST], wide[(ORDER + 1) * LARGEST];
            close_rates(b);
            tape *g = tape_of(b),
                 *closed = tape_create(b->w.p, n, b->z, b->t, 1, &b->a, n, b->closed_rate);
            jets *j = jets_create(g, true, &PARAMETER, processor_fuses()),
                 *other = jets_create(closed, true, &PARAMETER, processor_fuses());
            jets_long *l = jets_long_beside(g, true, &PARAMETER);
            for (uint32_t i = 0; i < n; i++) start[i] = b->at[i];
            assert_true(jets_of_solution(j, TIME, b->at, ORDER, found) &&
                        jets_of_solution(other, TIME, b->at, ORDER, expected));
            assert_series_near(n, found, expected);
            assert_true(jets_long_of_solution(l, TIME, start, ORDER, wide));
            for (uint32_t i = 0; i < (ORDER + 1) * n; i++) found[i] = (double)wide[i];
            assert_series_near(n, found, expected);
            jets_free(j), jets_free(other), jets_long_free(l);
            tape_free(g), tape_free(closed);
            bench_close(b);
        }
}

// A second system with the same matrix, whose two columns hold the unknowns of the
// first: A y = x and A y = 2 x
static void a_system_may_need_another(void **unused) {
    (void)unused;
    for (int symmetric = 0; symmetric <= 1; symmetric++) {
        enum { N = 7 };
        bench *b = bench_open(N, symmetric);
        pool *p = b->w.p;
        expr right[2 * N], unknown[2 * N], output[3 * N];
        for (uint32_t i = 0; i < 2 * N; i++) {
            right[i] = i < N ? b->unknown[i] : expr_mul(p, expr_int(p, 2), b->unknown[i - N]);
            output[i] = unknown[i] = expr_symbol(p, "y", ROLE_MULTIPLIER);
        }
        // A A y = b
        for (uint32_t i = 0; i < N; i++)
            output[2 * N + i] =
                expr_sub(p, expr_dot(p, N, b->matrix + i * N, unknown), b->unknown[i]);
        const matrix_system both[] = {system_of(b), {N, 2, symmetric, b->matrix, right, unknown}};
        double value[3 * N];
        tape *g = tape_create_with(p, N, b->z, b->t, 1, &b->a, 2, both, 3 * N, output);
        machine m;
        machine_init(&m, g, &PARAMETER);
        assert_true(machine_run(&m, TIME, b->at, value));
        for (uint32_t i = 0; i < N; i++) {
            assert_true(fabs(value[N + i] - 2 * value[i]) <= ROUNDING * (1 + fabs(value[i])));
            assert_true(fabs(value[2 * N + i]) <= ROUNDING * (1 + fabs(value[i])));
        }
        machine_free(&m);
        tape_free(g);
        bench_close(b);
    }
}

static void a_singular_matrix_gives_what_is_not_finite(void **unused) {
    (void)unused;
    for (int symmetric = 0; symmetric <= 1; symmetric++) {
        enum { N = 8 };
        bench *b = bench_open(N, symmetric);
        for (uint32_t i = 0; i < N * N; i++) b->matrix[i] = b->a; // of rank 1, without rounding
        double value[N];
        tape *g = tape_of(b);
        machine m;
        machine_init(&m, g, &PARAMETER);
        assert_false(machine_run(&m, TIME, b->at, value));
        machine_free(&m);
        tape_free(g);
        bench_close(b);
    }
}

static void what_needs_no_unknown_has_no_system(void **unused) {
    (void)unused;
    bench *b = bench_open(8, true);
    const matrix_system s = system_of(b);
    tape *g = tape_create_with(b->w.p, b->n, b->z, b->t, 1, &b->a, 1, &s, 1, b->right);
    assert_int_equal(g->system_count, 0);
    tape_free(g);
    bench_close(b);
}

// Links that hang on each other: every entry of the mass matrix moves.
static const char CHAIN[] =
    "system chain\nconst N = 8\ncoord q[1..N]\n"
    "for i in 1..N {\n  let at[i] = (sum(j in 1..i, sin(q[j])), -sum(j in 1..i, cos(q[j])), 0)\n"
    "  point bob[i]: mass 1 at at[i]\n  initial q[i] = i/10, q[i]' = 1/i\n}\n"
    "potential -9*sum(i in 1..N, sum(j in 1..i, cos(q[j])))\n";

// The oracle: values of expressions in q, q', q'', eta, lambda, t at (t, z); the caller frees them.
static double *values_at(const simulation *s, uint32_t count, const expr *e, double t,
                         const double *z) {
    const model *m = s->m;
    expr *here = memory_array(expr, count + 1);
    ode_expressions(s->o, count, e, here);
    double *at = memory_zeros(double, pool_symbol_count(m->pool) + 1),
           *value = memory_array(double, count + 1);
    for (uint32_t i = 0; i < s->parameter_count; i++)
        at[expr_symbol_index(m->pool, s->parameter[i])] = s->parameter_value[i];
    for (uint32_t i = 0; i < s->o->size; i++) at[expr_symbol_index(m->pool, s->o->state[i])] = z[i];
    at[expr_symbol_index(m->pool, m->time)] = t;
    program *prog = program_create(m->pool, count, here);
    program_run_double(prog, at, value);
    program_free(prog);
    memory_free(at), memory_free(here);
    return value;
}

static void slopes_through_a_system_are_those_of_the_rates_written_out(void **unused) {
    (void)unused;
    enum { N = 16 };
    world w = world_open();
    model *m = world_model(&w, CHAIN);
    simulation *run = simulation_of(m);
    assert_int_equal(run->o->system.n, N / 2);
    assert_int_equal(run->o->size, N);
    expr entry[N * N];
    expr_jacobian(m->pool, N, run->o->rate, N, run->o->state, entry);
    double found[N * N], *expected = values_at(run, N * N, entry, 0, run->z0);
    machine code;
    machine_init(&code, simulation_jacobian(run), run->parameter_value);
    assert_true(machine_run(&code, 0, run->z0, found));
    for (uint32_t i = 0; i < N * N; i++)
        if (!(fabs(found[i] - expected[i]) <= ROUNDING_SLOPES * (1 + fabs(expected[i]))))
            fail_msg("%u: %.17g, not %.17g", i, found[i], expected[i]);
    machine_free(&code);
    memory_free(expected);
    simulation_and_equations_free(run);
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_those_of_exact_arithmetic),
        cmocka_unit_test(compiled_code_gives_the_bits_of_the_interpreter),
        cmocka_unit_test(coefficients_are_those_of_the_solution_written_out),
        cmocka_unit_test(a_system_may_need_another),
        cmocka_unit_test(slopes_through_a_system_are_those_of_the_rates_written_out),
        cmocka_unit_test(a_singular_matrix_gives_what_is_not_finite),
        cmocka_unit_test(what_needs_no_unknown_has_no_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
