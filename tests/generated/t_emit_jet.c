// Generated Taylor coefficients are those of the interpreter, in double to the last bit, and
// compile without a warning. Large models are compiled in loops, as runs do; written out, which
// takes gcc most of a minute, they are tried in t_emit_jet_long.c.
#include "support/random_text.h"
#include "support/support.h"

#include "base/processor.h"
#include "codegen/emit.h"
#include "derive/formalism.h"
#include "execute/jets.h"
#include "execute/simulation.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ORDER = 20, MOST = 24, FEW = 8 };
#ifdef __x86_64__
#define FUSING "-mfma"
#else
#define FUSING ""
#endif

// In double both do the same operations in the same order; wider numbers differ by the rounding of
// double, relative to the largest coefficient of its order.
static const double ROUNDING = 1e-13;

typedef int (*jet_function)(double t, const double *z, const double *p, int order, double *out);

// A function of doubles around the generated one, that hands on whether memory was refused
static void put_wrapper(const scalar_type *as, const char *name, uint32_t places, uint32_t states,
                        uint32_t parameters, text *out) {
    text_format(out,
                "int %s_run(double t, const double *z, const double *p, int order, double *out);\n",
                name);
    text_format(
        out, "int %s_run(double t, const double *z, const double *p, int order, double *out) {\n",
        name);
    text_format(out, "    %s c[%u], y[%u], q[%u], r[%u];\n", as->scalar, places, states,
                parameters + 1, states * (MOST + 1));
    text_format(out,
                "    for (int i = 0; i < %u; i++) y[i] = z[i];\n    for (int i = 0; i < %u; i++) "
                "q[i] = p[i];\n",
                states, parameters);
    text_format(out, "    %s_fixed(q, c);\n    if (%s(t, y, q, c, order, r)) return 1;\n", name,
                name);
    text_format(out,
                "    for (int i = 0; i < (order + 1) * %u; i++) out[i] = (double)r[i];\n"
                "    return 0;\n}\n\n",
                states);
}

// Scalar types beside double: an emitter needs nothing but such a descriptor.
static const scalar_type long_type = {.id = "long",
                                      .scalar = "long double",
                                      .suffix = "L",
                                      .function = "%sl",
                                      .include = "#include <math.h>",
                                      .library = "-lm",
                                      .qualifier = "static",
                                      .digits = 21,
                                      .bits = 64};
static const scalar_type quad_type = {.id = "quad",
                                      .scalar = "__float128",
                                      .suffix = "Q",
                                      .function = "%sq",
                                      .include = "#include <quadmath.h>",
                                      .library = "-lquadmath -lm",
                                      .qualifier = "static",
                                      .digits = 36,
                                      .bits = 113};
// and double with fused products, as most processors have them
static scalar_type fused_type(void) {
    scalar_type as = scalar_type_double;
    as.fused = true;
    return as;
}

// Without loops, high orders are long texts.
static int most_of(emit_jet_way way) { return way == EMIT_JET_UNROLLED ? FEW : MOST; }

static jet_function compile(const tape *t, emit_jet_way way, const scalar_type *as,
                            uint32_t parameters, char *directory, void **library) {
    text source = {0}, command = {0};
    text_format(&source, "%s\n\n", as->include);
    const uint32_t places = emit_jet(t, as, "jet", (uint32_t)most_of(way), way, &source);
    put_wrapper(as, "jet", places, t->state_count, parameters, &source);
    strcpy(directory, "/tmp/hamel-emit-jet-XXXXXX");
    assert_non_null(mkdtemp(directory));
    char file[128];
    snprintf(file, sizeof file, "%s/jet.c", directory);
    FILE *f = fopen(file, "w");
    fputs(text_string(&source), f);
    fclose(f);
    const char *pedantic = as == &quad_type ? "" : "-Wpedantic"; // __float128 is no C11
    text_format(
        &command,
        "gcc -std=c11 -O2 -ffp-contract=off -frounding-math -Wall -Wextra %s %s -Werror -shared "
        "-fPIC -o %s/jet.so %s/jet.c %s",
        pedantic, as->fused && processor_fuses() ? FUSING : "", directory, directory, as->library);
    assert_int_equal(system(text_string(&command)), 0);
    text_free(&command);
    text_format(&command, "%s/jet.so", directory);
    *library = dlopen(text_string(&command), RTLD_NOW);
    if (!*library) fail_msg("%s", dlerror());
    text_clear(&command);
    text_format(&command, "rm -r %s", directory);
    assert_int_equal(system(text_string(&command)), 0);
    text_free(&command);
    text_free(&source);
    jet_function run;
    void *symbol = dlsym(*library, "jet_run");
    memcpy(&run, &symbol, sizeof run);
    return run;
}

static void compare_with(emit_jet_way way, const char *what, const tape *t, const scalar_type *as,
                         double time, const double *z, uint32_t parameters, const double *p) {
    char directory[64];
    void *library;
    const jet_function run = compile(t, way, as, parameters, directory, &library);
    const uint32_t n = t->state_count;
    const int order = way == EMIT_JET_UNROLLED ? FEW : ORDER;
    double *expected = malloc(sizeof(double) * 2 * n * (ORDER + 1)),
           *found = expected + n * (ORDER + 1);
    jets *j = jets_create(t, true, p, as->fused);
    assert_true(jets_of_solution(j, time, z, (uint32_t)order, expected));
    assert_int_equal(run(time, z, p, order, found), 0);
    for (int k = 0; k <= order; k++) {
        double largest = 0;
        for (uint32_t i = 0; i < n; i++) largest = fmax(largest, fabs(expected[k * n + i]));
        const double most = as->bits == 53 ? 0 : ROUNDING * (k + 1) * largest;
        for (uint32_t i = 0; i < n; i++)
            if (!(fabs(found[k * n + i] - expected[k * n + i]) <= most))
                fail_msg("%s in %s, way %d: coefficient %d of z_%u is %.17g, not %.17g", what,
                         as->scalar, (int)way, k, i, found[k * n + i], expected[k * n + i]);
    }
    jets_free(j);
    free(expected);
    dlclose(library);
}

// Without loops, written out, and in loops
static void compare(const char *what, const tape *t, const scalar_type *as, double time,
                    const double *z, uint32_t parameters, const double *p) {
    compare_with(EMIT_JET_UNROLLED, what, t, as, time, z, parameters, p);
    compare_with(EMIT_JET_WRITTEN, what, t, as, time, z, parameters, p);
    compare_with(EMIT_JET_IN_LOOPS, what, t, as, time, z, parameters, p);
}

static void compare_model(const char *name, const scalar_type *as, bool written_out) {
    world w = world_open();
    simulation *run = simulation_of(world_library(&w, name));
    if (written_out)
        compare(name, run->rate, as, run->t0, run->z0, run->parameter_count, run->parameter_value);
    else
        compare_with(EMIT_JET_IN_LOOPS, name, run->rate, as, run->t0, run->z0, run->parameter_count,
                     run->parameter_value);
    simulation_and_equations_free(run);
    world_close(&w);
}

static void generated_coefficients_of_library_models_are_those_of_the_interpreter(void **unused) {
    (void)unused;
    static const char *const small[] = {"pendulum", "sleigh", "double_pendulum", "rolling_disc",
                                        "ball_on_turntable"},
                             *const large[] = {"rattleback", "snake"};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        compare_model(small[i], &scalar_type_double, true);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        compare_model(large[i], &scalar_type_double, run_size(false, true));
}

// A processor that does not fuse calls fma() of the library: as slow, and with the same bits.
static void fused_products_round_once_in_code_and_interpreter(void **unused) {
    (void)unused;
    const scalar_type fused = fused_type();
    compare_model("sleigh", &fused, true);
    compare_model("double_pendulum", &fused, true);
    compare_model("rattleback", &fused, false);
}

static void wider_numbers_give_the_same_coefficients(void **unused) {
    (void)unused;
    compare_model("sleigh", &long_type, true);
    compare_model("pendulum", &quad_type, true);
    compare_model("rolling_disc", &quad_type, run_size(false, true));
}

static void code_whose_registers_find_no_memory_says_so(void **unused) {
    (void)unused;
    scalar_type as = scalar_type_double;
    as.include = "#include <math.h>\n#include <stdlib.h>\n#define malloc(bytes) NULL";
    world w = world_open();
    simulation *run = simulation_of(world_library(&w, "double_pendulum"));
    double found[4 * (ORDER + 1)] = {0.5};
    char directory[64];
    void *library;
    const jet_function refused =
        compile(run->rate, EMIT_JET_IN_LOOPS, &as, run->parameter_count, directory, &library);
    assert_int_equal(run->o->size, 4);
    assert_int_equal(refused(run->t0, run->z0, run->parameter_value, ORDER, found), 1);
    assert_true(found[0] == 0.5); // nothing is written
    dlclose(library);
    simulation_and_equations_free(run);
    world_close(&w);
}

// Every function of the language, of states, of time and of parameters
static void every_function_is_written(void **unused) {
    (void)unused;
    world w = world_open();
    pool *p = w.p;
    enum { STATES = 18 };
    const expr t = expr_symbol(p, "t", ROLE_TIME), a = expr_symbol(p, "a", ROLE_PARAMETER),
               b = expr_symbol(p, "b", ROLE_PARAMETER);
    expr z[STATES], rate[STATES];
    double at[STATES];
    for (int i = 0; i < STATES; i++)
        z[i] = expr_symbol(p, "z", ROLE_COORDINATE), at[i] = 0.1 + 0.02 * i;
    static const expr_kind plain[] = {EXPR_SIN,  EXPR_COS,  EXPR_TAN,  EXPR_ASIN,
                                      EXPR_ACOS, EXPR_ATAN, EXPR_SINH, EXPR_COSH,
                                      EXPR_TANH, EXPR_EXP,  EXPR_LOG,  EXPR_ABS};
    for (int i = 0; i < 12; i++) {
        const expr argument = i % 3 == 0   ? z[i]
                              : i % 3 == 1 ? expr_mul(p, z[i], z[i + 1])
                                           : expr_add(p, a, expr_mul(p, t, z[i]));
        rate[i] = expr_function(p, plain[i], &argument);
    }
    rate[12] = expr_function(p, EXPR_ATAN2, (expr[]){z[0], z[1]});
    rate[13] = expr_function(p, EXPR_ATAN2, (expr[]){a, z[2]});
    rate[14] = expr_add(p, expr_pow(p, z[3], b), expr_pow(p, z[4], expr_rational(p, 7, 3)));
    rate[15] = expr_add(p, expr_pow(p, z[5], z[6]), expr_pow(p, a, z[7]));
    rate[16] = expr_div(p, expr_sub(p, a, expr_sqrt(p, z[8])),
                        expr_add(p, b, expr_pow(p, z[9], expr_int(p, 20))));
    // and abs(log(a))
    rate[17] = expr_sub(p, expr_div(p, expr_function(p, EXPR_SIN, &t), a), expr_div(p, a, z[10]));
    const double values[] = {0.4, 1.7};
    tape *g = tape_create(p, STATES, z, t, 2, (expr[]){a, b}, STATES, rate);
    const scalar_type fused = fused_type();
    compare_with(EMIT_JET_IN_LOOPS, "every function", g, &scalar_type_double, 0.2, at, 2, values);
    compare_with(EMIT_JET_WRITTEN, "every function", g, &scalar_type_double, 0.2, at, 2, values);
    compare("every function", g, &fused, 0.2, at, 2, values);
    compare("every function", g, &quad_type, 0.2, at, 2, values);
    tape_free(g);
    rate[14] = z[3], rate[15] = z[6]; // series without loops have no powers
    g = tape_create(p, STATES, z, t, 2, (expr[]){a, b}, STATES, rate);
    compare_with(EMIT_JET_UNROLLED, "without powers", g, &fused, 0.2, at, 2, values);
    tape_free(g);
    world_close(&w);
}

// Some products, of a few states, and some squares and roots, in lanes: full ones, with squares in
// the lanes that products leave free, with lanes of their own; and sin(z) where z' is made of it,
// so that a factor is one order behind, or not.
static void compare_lanes(uint32_t products, uint32_t squares, bool behind, const scalar_type *as) {
    enum { STATES = 12 };
    world w = world_open();
    pool *p = w.p;
    const expr t = expr_symbol(p, "t", ROLE_TIME), a = expr_symbol(p, "a", ROLE_PARAMETER);
    expr z[STATES], rate[STATES];
    double at[STATES];
    for (uint32_t i = 0; i < STATES; i++)
        z[i] = expr_symbol(p, "z", ROLE_COORDINATE), at[i] = 0.3 + 0.05 * i;
    for (uint32_t i = 0; i < STATES; i++)
        rate[i] = expr_sub(p, a, expr_mul(p, expr_rational(p, 1, 3 + i), z[(i + 1) % STATES]));
    for (uint32_t i = 0; i < products; i++)
        rate[i % STATES] = expr_sub(p, expr_mul(p, z[i % STATES], z[(5 * i + 3) % STATES]),
                                    expr_mul(p, a, rate[i % STATES]));
    for (uint32_t i = 0; i < squares; i++) {
        const expr base = expr_add(p, expr_mul(p, a, z[i]), z[i + 2]);
        rate[i + 3] = expr_add(p, i % 3 ? expr_mul(p, base, base) : expr_sqrt(p, base),
                               expr_mul(p, expr_rational(p, -2, 5), rate[i + 3]));
    }
    if (behind) rate[0] = expr_add(p, rate[0], expr_function(p, EXPR_SIN, &z[0]));
    tape *g = tape_create(p, STATES, z, t, 1, (expr[]){a}, STATES, rate);
    const double value = 0.7;
    compare_with(EMIT_JET_WRITTEN, "lanes", g, as, 0.2, at, 1, &value);
    tape_free(g);
    world_close(&w);
}

static void lanes_hold_any_number_of_products_and_squares(void **unused) {
    (void)unused;
    const scalar_type fused = fused_type();
    static const uint32_t pairs[][2] = {{0, 1}, {1, 2}, {4, 5}, {6, 1}, {9, 5}, {11, 3}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        compare_lanes(pairs[i][0], pairs[i][1], i % 2, &fused);
        compare_lanes(pairs[i][0], pairs[i][1], i % 2 == 0, &scalar_type_double);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_hold_any_number_of_products_and_squares),
        cmocka_unit_test(every_function_is_written),
        cmocka_unit_test(generated_coefficients_of_library_models_are_those_of_the_interpreter),
        cmocka_unit_test(fused_products_round_once_in_code_and_interpreter),
        cmocka_unit_test(wider_numbers_give_the_same_coefficients),
        cmocka_unit_test(code_whose_registers_find_no_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
