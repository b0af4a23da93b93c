// The elementary functions of lanes against MPFR, at random and at special arguments; and that
// lanes of AVX2 and AVX-512 have the same bits.
#include "base/processor.h"
#include "codegen/lanes_sources.h"
#include "execute/module.h"
#include "support/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <string.h>

// SLEEF says 1.0 ulp of its functions with u10 in their names. MPFR's value is rounded to 53 bits
// and what it is off by is not counted, hence a little more.
static const double MOST_ULP = 1.0 + 1e-3;

typedef int of_one(mpfr_t to, mpfr_srcptr x, mpfr_rnd_t round);
typedef int of_two(mpfr_t to, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t round);

typedef struct {
    const char *name;
    of_one *one;
    of_two *two;
    double least, most;   // of arguments drawn evenly
    double size;          // .. and by exponent, between 1/size and size; 0: not
    double second, large; // of second arguments
} tried;

static const tried FUNCTIONS[] = {
    {"sin", mpfr_sin, NULL, -10, 10, 1e300, 0, 0},
    {"cos", mpfr_cos, NULL, -10, 10, 1e300, 0, 0},
    {"tan", mpfr_tan, NULL, -10, 10, 1e300, 0, 0},
    {"asin", mpfr_asin, NULL, -1, 1, 0, 0, 0},
    {"acos", mpfr_acos, NULL, -1, 1, 0, 0, 0},
    {"atan", mpfr_atan, NULL, -10, 10, 1e300, 0, 0},
    {"sinh", mpfr_sinh, NULL, -20, 20, 700, 0, 0},
    {"cosh", mpfr_cosh, NULL, -20, 20, 700, 0, 0},
    {"tanh", mpfr_tanh, NULL, -20, 20, 1e10, 0, 0},
    {"exp", mpfr_exp, NULL, -700, 700, 700, 0, 0},
    {"log", mpfr_log, NULL, 1e-3, 10, 1e300, 0, 0},
    {"pow", NULL, mpfr_pow, 1e-3, 100, 0, -50, 50},
    {"atan2", NULL, mpfr_atan2, -10, 10, 0, -10, 10},
};
enum { COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS, RUNS = 4000 };

typedef void vector_function(const double *x, const double *y, double *out);

// --- code ----------------------------------------------------------------------------------------

static const char *words_of_lanes(void) {
    for (unsigned i = 0; i < lanes_source_file_count; i++)
        if (strcmp(lanes_source_files[i].name, "words.h") == 0) return lanes_source_files[i].text;
    return NULL;
}

static void write_function(const char *name, bool two, text *out) {
    text_format(out,
                "void f_%s(const double *x, const double *y, double *out) {\n"
                "    lanes a, b;\n    memcpy(&a, x, sizeof a), memcpy(&b, y, sizeof b);\n"
                "    a = lanes_%s(a%s);\n    memcpy(out, &a, sizeof a);\n    (void)b;\n}\n",
                name, name, two ? ", b" : "");
}

// NULL: SLEEF is not there, or the processor has no such vectors
static module *load(context *ctx, uint32_t width) {
    text out = {0};
    const char *error;
    text_format(&out, "#define HAMEL_WIDTH %u\n#define HAMEL_FUSED 1\n#define HAMEL_SLEEF\n%s\n",
                width, words_of_lanes());
    for (int i = 0; i < COUNT; i++)
        write_function(FUNCTIONS[i].name, FUNCTIONS[i].two != NULL, &out);
    text_append(&out,
                "void f_both(const double *x, const double *sine, double *cosine) {\n"
                "    lanes a, s, c;\n    memcpy(&a, x, sizeof a);\n    lanes_both(a, &s, &c);\n"
                "    memcpy((double *)sine, &s, sizeof s), memcpy(cosine, &c, sizeof c);\n}\n");
    text_append(
        &out,
        "void f_library(const double *x, const double *sine, double *cosine) {\n"
        "    lanes a;\n    memcpy(&a, x, sizeof a);\n"
        "    const circular r = SLEEF(sincos)(a);\n"
        "    memcpy((double *)sine, &r.sine, sizeof a), memcpy(cosine, &r.cosine, sizeof a);\n"
        "}\n");
    for (int i = 0; i < 2; i++)
        text_format(&out,
                    "void f_library_%s(const double *x, const double *y, double *out) {\n"
                    "    lanes a;\n    memcpy(&a, x, sizeof a);\n    a = SLEEF(%s)(a);\n"
                    "    memcpy(out, &a, sizeof a);\n    (void)y;\n}\n",
                    FUNCTIONS[i].name, FUNCTIONS[i].name);
    module *m =
        module_load(ctx, text_string(&out),
                    width == 8 ? "-mavx512f -lsleef -lm" : "-mno-avx512f -lsleef -lm", &error);
    text_free(&out);
    module *nothing = module_load(ctx, "int hamel_nothing;", "-lsleef", &error);
    assert_true(m || !nothing); // where it can be linked, all of this can be compiled
    module_free(nothing);
    return m;
}

static vector_function *find(const module *m, const char *name) {
    text symbol = {0};
    text_format(&symbol, "f_%s", name);
    vector_function *found = (vector_function *)module_symbol(m, text_string(&symbol));
    text_free(&symbol);
    assert_non_null(found);
    return found;
}

// --- arguments -----------------------------------------------------------------------------------

static uint64_t stream = 1;
static double drawn(void) {
    stream ^= stream << 13, stream ^= stream >> 7, stream ^= stream << 17;
    return (double)(stream >> 11) * 0x1p-53;
}

static double argument(const tried *f, int i) {
    if (f->size == 0 || i % 2) return f->least + (f->most - f->least) * drawn();
    const double x = exp((2 * drawn() - 1) * log(f->size));
    return f->least < 0 && drawn() < 0.5 ? -x : x;
}

// --- the test ------------------------------------------------------------------------------------

// How far `found` is from the function, in units of the last place of its value
static double error_of(const tried *f, double x, double y, double found) {
    mpfr_t a, b, r;
    mpfr_inits2(160, a, b, r, (mpfr_ptr)0);
    mpfr_set_d(a, x, MPFR_RNDN), mpfr_set_d(b, y, MPFR_RNDN);
    if (f->one) f->one(r, a, MPFR_RNDN);
    else f->two(r, a, b, MPFR_RNDN);
    const double right = mpfr_get_d(r, MPFR_RNDN);
    double off = 0;
    if (isnan(right) || isinf(right) || !isfinite(found)) {
        off = (isnan(right) && isnan(found)) || right == found ? 0 : INFINITY;
    } else {
        int exponent;
        frexp(right, &exponent);
        const double unit = right == 0 ? 0x1p-1074 : ldexp(1, exponent - 53);
        mpfr_sub_d(r, r, found, MPFR_RNDN);
        off = fabs(mpfr_get_d(r, MPFR_RNDN)) / (unit > 0x1p-1074 ? unit : 0x1p-1074);
    }
    mpfr_clears(a, b, r, (mpfr_ptr)0);
    return off;
}

static void check(const tried *f, uint32_t width, vector_function *of, const double *x,
                  const double *y, double *worst) {
    double out[8];
    of(x, y, out);
    for (uint32_t lane = 0; lane < width; lane++) {
        const double off = error_of(f, x[lane], y[lane], out[lane]);
        if (off > MOST_ULP)
            print_message("%s(%.17g, %.17g) = %.17g in %u lanes: %g ulp\n", f->name, x[lane],
                          y[lane], out[lane], width, off);
        assert_true(off <= MOST_ULP);
        if (off > *worst) *worst = off;
    }
}

static void functions_are_right_to_a_unit_in_the_last_place(void **state) {
    (void)state;
    context *ctx = hamel_context_create();
    for (uint32_t width = processor_lanes(); width >= 4; width -= 4) {
        module *m = processor_fuses() ? load(ctx, width) : NULL;
        for (int i = 0; i < COUNT && m; i++) {
            const tried *f = &FUNCTIONS[i];
            vector_function *of = find(m, f->name);
            double worst = 0, x[8], y[8];
            for (int run = 0; run < RUNS / 8; run++) {
                for (int lane = 0; lane < 8; lane++)
                    x[lane] = argument(f, lane),
                    y[lane] = f->two ? f->second + (f->large - f->second) * drawn() : 0;
                check(f, width, of, x, y, &worst);
            }
            print_message("%s: %.3f ulp in %u lanes\n", f->name, worst, width);
        }
        module_free(m);
    }
    hamel_context_destroy(ctx);
}

static void special_arguments_have_their_values(void **state) {
    (void)state;
    static const double special[] = {0.0,
                                     -0.0,
                                     0x1p-1074,
                                     -0x1p-1074,
                                     0x1p-1022,
                                     -0x1p-1030,
                                     1,
                                     -1,
                                     INFINITY,
                                     -INFINITY,
                                     NAN,
                                     DBL_MAX,
                                     -DBL_MAX,
                                     0x1p1000,
                                     1e22,
                                     3.141592653589793,
                                     1.5707963267948966,
                                     6381956970095103 *
                                         0x1p797, // the nearest to a multiple of pi/2
                                     709.7,
                                     -745.1,
                                     710.5,
                                     0.5,
                                     2,
                                     1e-8};
    enum { SPECIAL = sizeof special / sizeof *special };
    context *ctx = hamel_context_create();
    for (uint32_t width = processor_lanes(); width >= 4; width -= 4) {
        module *m = processor_fuses() ? load(ctx, width) : NULL;
        for (int i = 0; i < COUNT && m; i++) {
            const tried *f = &FUNCTIONS[i];
            if (f->two) continue;
            double worst = 0, x[8], y[8] = {0};
            for (int from = 0; from < SPECIAL; from += 8) {
                for (int lane = 0; lane < 8; lane++) x[lane] = special[(from + lane) % SPECIAL];
                check(f, width, find(m, f->name), x, y, &worst);
            }
        }
        module_free(m);
    }
    hamel_context_destroy(ctx);
}

static void lanes_of_both_widths_have_the_same_bits(void **state) {
    (void)state;
    context *ctx = hamel_context_create();
    module *four = processor_fuses() ? load(ctx, 4) : NULL,
           *eight = processor_lanes() == 8 ? load(ctx, 8) : NULL;
    for (int i = 0; i < COUNT && four && eight; i++) {
        const tried *f = &FUNCTIONS[i];
        for (int run = 0; run < RUNS / 8; run++) {
            double x[8], y[8], a[8], b[8];
            for (int lane = 0; lane < 8; lane++)
                x[lane] = argument(f, lane),
                y[lane] = f->two ? f->second + (f->large - f->second) * drawn() : 0;
            find(eight, f->name)(x, y, a);
            find(four, f->name)(x, y, b), find(four, f->name)(x + 4, y + 4, b + 4);
            assert_memory_equal(a, b, sizeof a);
            if (f->one != mpfr_sin) continue;
            double s[8], c[8];
            find(eight, "both")(x, s, c);
            find(eight, "sin")(x, y, a), find(eight, "cos")(x, y, b);
            for (int lane = 0; lane < 8; lane++) {
                double worst = error_of(&FUNCTIONS[0], x[lane], 0, s[lane]);
                assert_true(worst <= MOST_ULP);
                worst = error_of(&FUNCTIONS[1], x[lane], 0, c[lane]);
                assert_true(worst <= MOST_ULP);
            }
        }
    }
    module_free(four), module_free(eight);
    hamel_context_destroy(ctx);
}

// What is written out for arguments that are near has the bits of the library, which is called for
// those that are far: next to multiples of a quarter turn, small ones, both signs of 0
static void sine_and_cosine_have_the_bits_of_the_library(void **state) {
    (void)state;
    enum { TRIES = 20000 };
    context *ctx = hamel_context_create();
    for (uint32_t width = processor_lanes(); width >= 4; width -= 4) {
        module *m = processor_fuses() ? load(ctx, width) : NULL;
        for (int run = 0; run < TRIES && m; run++) {
            double x[8], s[8], c[8], sine[8], cosine[8];
            for (int lane = 0; lane < 8; lane++) {
                const double even = 30 * drawn() - 15, quarter = floor(19 * drawn()) - 9;
                x[lane] = even;
                if (run % 4 == 1) x[lane] = quarter * 1.5707963267948966 * (1 + 1e-15 * even);
                if (run % 4 == 2) x[lane] = even * exp(-700 * drawn());
            }
            if (run % 8 == 3) x[run % 5] = run % 3 ? 0.0 : -0.0;
            if (run % 8 == 7) x[run % 5] = 1e3 * x[run % 5];
            find(m, "both")(x, s, c), find(m, "library")(x, sine, cosine);
            assert_memory_equal(s, sine, sizeof(double) * width);
            assert_memory_equal(c, cosine, sizeof(double) * width);
            find(m, "sin")(x, x, s), find(m, "library_sin")(x, NULL, sine);
            find(m, "cos")(x, x, c), find(m, "library_cos")(x, NULL, cosine);
            assert_memory_equal(s, sine, sizeof(double) * width);
            assert_memory_equal(c, cosine, sizeof(double) * width);
        }
        module_free(m);
    }
    hamel_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_right_to_a_unit_in_the_last_place),
        cmocka_unit_test(special_arguments_have_their_values),
        cmocka_unit_test(lanes_of_both_widths_have_the_same_bits),
        cmocka_unit_test(sine_and_cosine_have_the_bits_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
