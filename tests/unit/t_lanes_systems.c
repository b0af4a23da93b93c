// Linear systems in lanes: those of a chain along its motion, and L U with pivots of each lane's
// own against the scalar code, at random matrices.
#include "codegen/emit.h"
#include "codegen/lanes_sources.h"
#include "base/processor.h"
#include "execute/module.h"
#include "support/lanes_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

// A chain of so many links, side by side with springs: its mass matrix is full
static void write_chain(int links, text *out) {
    text_append(out, "system chain\nparam g = 9.81\ncoord a1");
    for (int i = 2; i <= links; i++) text_format(out, ", a%d", i);
    text_append(out, "\npoint P1: mass 1 at (sin(a1), -cos(a1), 0)\n");
    for (int i = 2; i <= links; i++)
        text_format(out, "point P%d: mass 1 at pos(P%d) + (sin(a%d), -cos(a%d), 0)\n", i, i - 1, i,
                    i);
    text_append(out, "gravity (0, -g, 0)\npotential 3*(a1 - a2)^2\ninitial a1 = 0.3");
    for (int i = 2; i <= links; i++) text_format(out, ", a%d = 0.%d", i, i);
    text_char(out, '\n');
}

static void systems_of_a_chain_have_the_bits_of_the_scalar_code(void **unused) {
    (void)unused;
    enum { COUNT = 9 };
    text model = {0};
    const char *why = NULL;
    write_chain(8, &model);
    lanes_case *c = lanes_case_open("chain", text_string(&model), "dop853", 1e-6, 0.2);
    assert_non_null(c);
    assert_true(c->sim->rate->system_count > 0); // it is no more written out
    lanes_case_collect(c, 1, 1);
    sweep_engine *e = lanes_case_engine(c, 0, true, &why);
    assert_non_null(e);
    const uint32_t k = c->system.collected_count;
    double *values = lanes_case_values(c, COUNT, 1e-2), *out = malloc(sizeof(double) * COUNT * k),
           *other = malloc(sizeof(double) * COUNT * k);
    sweep_end end[COUNT];
    assert_true(e->run(e, 0, COUNT, values, out, end));
    lanes_case_run(&c->scalar, 0, COUNT, values, other, end);
    for (uint32_t i = 0; i < COUNT * k; i++)
        if (i % k < 16) assert_true(out[i] == other[i]); // angles and their rates
    assert_int_equal(sweep_lanes_counts(e).given_up, 0);
    free(values), free(out), free(other);
    e->release(e);
    lanes_case_close(c);
    text_free(&model);
}

// --- L U -----------------------------------------------------------------------------------------

typedef void solve_function(const double *matrix, const double *right, double *solution);

static const char *file_of_lanes(const char *name) {
    for (unsigned i = 0; i < lanes_source_file_count; i++)
        if (strcmp(lanes_source_files[i].name, name) == 0) return lanes_source_files[i].text;
    return NULL;
}

enum { N = 5, LANES = 4 };

// matrix[(i * N + j) * LANES + lane], and so on
static module *load_solver(context *ctx, bool lanes) {
    text out = {0};
    const char *error;
    scalar_type as = scalar_type_double;
    if (lanes) {
        text_format(&out, "#define HAMEL_WIDTH %d\n#define HAMEL_FUSED 0\n%s\n", LANES,
                    file_of_lanes("words.h"));
        as.scalar = "lanes", as.function = "lanes_%s", as.broadcast = "lanes_all";
    }
    emit_solver(&as, false, &out);
    text_format(&out,
                "void solve(const double *m, const double *r, double *s) {\n"
                "    enum { N = %d, LANES = %d };\n",
                N, LANES);
    text_append(&out, lanes ? "    lanes a[N * N], x[N], row[N];\n"
                              "    __builtin_memcpy(a, m, sizeof a);\n"
                              "    __builtin_memcpy(x, r, sizeof x);\n"
                              "    hamel_factor_general(N, a, row);\n"
                              "    hamel_solve_general(N, a, row, x);\n"
                              "    __builtin_memcpy(s, x, sizeof x);\n}\n"
                            : "    for (int l = 0; l < LANES; l++) {\n"
                              "        double a[N * N], x[N];\n        int row[N];\n"
                              "        for (int i = 0; i < N * N; i++) a[i] = m[i * LANES + l];\n"
                              "        for (int i = 0; i < N; i++) x[i] = r[i * LANES + l];\n"
                              "        hamel_factor_general(N, a, row);\n"
                              "        hamel_solve_general(N, a, row, x);\n"
                              "        for (int i = 0; i < N; i++) s[i * LANES + l] = x[i];\n"
                              "    }\n}\n");
    module *m = module_load(ctx, text_string(&out), "-mno-avx512f -lm", &error);
    if (!m) print_message("%s\n", error);
    text_free(&out);
    return m;
}

static void each_lane_has_pivots_of_its_own(void **unused) {
    (void)unused;
    context *ctx = hamel_context_create();
    module *scalar = load_solver(ctx, false), *lanes = load_solver(ctx, true);
    assert_non_null(scalar), assert_non_null(lanes);
    solve_function *one = (solve_function *)module_symbol(scalar, "solve"),
                   *four = (solve_function *)module_symbol(lanes, "solve");
    uint64_t stream = 7;
    for (int trial = 0; trial < 2000; trial++) {
        double m[N * N * LANES], r[N * LANES], a[N * LANES], b[N * LANES];
        for (int i = 0; i < (N * N + N) * LANES; i++) {
            stream ^= stream << 13, stream ^= stream >> 7, stream ^= stream << 17;
            double x = 2 * (double)(stream >> 11) * 0x1p-53 - 1;
            if (trial % 3 == 0) x = nearbyint(2 * x); // ties between pivots, zeros
            if (i < N * N * LANES) m[i] = x;
            else r[i - N * N * LANES] = x;
        }
        one(m, r, a), four(m, r, b);
        for (int i = 0; i < N * LANES; i++)
            assert_true(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])));
    }
    module_free(scalar), module_free(lanes);
    hamel_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_of_a_chain_have_the_bits_of_the_scalar_code),
        cmocka_unit_test(each_lane_has_pivots_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
