// Models with many of something: `check` takes about as much work for each further one, however
// many there are. Work is what the budget of the context counts (base/budget.h): blocks of memory,
// nodes of expressions, steps of long loops. With n, 2n and 4n of a kind the difference doubles
// (2.46 times for n^1.3); it may be 4 times and a little more where there are n x n matrices.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/context.h"
#include "base/text.h"
#include "hamel.h"

static const double LINEAR = 2.6, SQUARE = 5.2;

typedef struct {
    const char *name;
    double most;
    uint32_t n;
    const char *before, *item, *between, *after; // of the text; # is i, @ is i - 1, $ is n
} kind;

#define PLANE "coord x, y\nkinetic (x'^2 + y'^2)/2\n"
#define SPACE "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
#define FAMILY "coord q[1..$]\nkinetic sum(i in 1..$, q[i]'^2)/2\n"

static const kind kinds[] = {
    {"prod", LINEAR, 200, PLANE "potential prod(i in 1..$, 1 + i*x)\n", "", "", ""},
    {"powers", LINEAR, 200, PLANE "potential ", "(1 + #*x)^#", "*", "\n"},
    {"ddt of prod", LINEAR, 400, PLANE "observe o = ddt(prod(i in 1..$, sin(i*x)))\n", "", "", ""},
    {"sum", LINEAR, 400, PLANE "potential sum(i in 1..$, sin(i*x))\n", "", "", ""},
    {"terms", LINEAR, 400, PLANE "potential ", "sin(#*x)", " + ", "\n"},
    {"quotients", LINEAR, 1600, PLANE "potential ", "1/(x + #)", " - ", "\n"},
    {"monomials", LINEAR, 800, PLANE "potential ", "x^#", " + ", "\n"},
    {"vectors", LINEAR, 400,
     PLANE "let v = sum(i in 1..$, (cos(i*x), sin(i*x), 0))\npotential v.x\n", "", "", ""},
    {"maxima", LINEAR, 100, PLANE "potential max(", "#*x", ", ", ")\n"},
    {"redundant on positions", LINEAR, 50, PLANE "initial x = 1, y = 0\n",
     "constraint #*x^2 + #*y^2 = #\n", "", ""},
    {"redundant on velocities", LINEAR, 100, SPACE, "constraint #*x' + #*y' = 0\n", "", ""},
    {"redundant, scaled by functions", LINEAR, 100, SPACE, "constraint (1 + #*x^2)*(x' + y') = 0\n",
     "", ""},
    {"combinations of two", LINEAR, 100, SPACE, "constraint x' + #*y' + #*z' = 0\n", "", ""},
    {"identities", LINEAR, 400, PLANE, "constraint x - x = 0\n", "", ""},
    {"parameters", LINEAR, 800, PLANE, "param a# = #\n", "", ""},
    {"parameters in use", LINEAR, 800, PLANE, "param a# = #\npotential a#*x^2\n", "", ""},
    {"parameters of parameters", LINEAR, 800, PLANE "param a0 = 1\n", "param a# = 2*a@\n", "", ""},
    {"parameters of a constraint", LINEAR, 200,
     SPACE "param a[1..$] = 1\nconstraint z' = y*x'*sum(i in 1..$, a[i]*cos(i*y))\n", "", "", ""},
    {"constants", LINEAR, 800, PLANE, "const c# = #\n", "", ""},
    {"abbreviations", LINEAR, 800, PLANE "let a0 = x\n", "let a# = a@ + 1\n", "", "potential a$\n"},
    {"givens", LINEAR, 800, PLANE, "given f# = #*t\nforce x = f#\n", "", ""},
    {"givens of givens", LINEAR, 400, PLANE "given f0 = t\n", "given f# = f@ + t\n", "",
     "force x = f$\n"},
    {"functions", LINEAR, 800, PLANE, "function f#(z) = z^2\npotential f#(#*x)\n", "", ""},
    {"abstract functions", LINEAR, 400, PLANE, "function f#(z)\npotential f#(x)\n", "", ""},
    {"points", LINEAR, 800, PLANE, "point P#: mass # at (x, y)\n", "", ""},
    {"bodies", LINEAR, 200, PLANE,
     "body B#: mass # at (x, y) inertia (1, 2, 3) rotation rot(z, #*x)\n", "", ""},
    {"kinetic energies", LINEAR, 800, PLANE, "kinetic #*x'^2\n", "", ""},
    {"potentials", LINEAR, 400, PLANE, "potential cos(#*x)\n", "", ""},
    {"dissipations", LINEAR, 400, PLANE, "dissipation x'^2*cos(#*x)^2\n", "", ""},
    {"forces", LINEAR, 400, PLANE, "force x = cos(#*x)\n", "", ""},
    {"forces on a point", LINEAR, 400, PLANE "point P: mass 1 at (x, y)\n",
     "force on P = (cos(#*x), 0)\n", "", ""},
    {"observables", LINEAR, 800, PLANE, "observe o# = x^#\n", "", ""},
    {"rates", LINEAR, 800, PLANE, "observe o# = ddt(sin(#*x))\n", "", ""},
    {"invariants", LINEAR, 800, PLANE, "invariant o# = #*x'\n", "", ""},
    {"claims", LINEAR, 800, PLANE, "claim o#: #*x'' = 0\n", "", ""},
    {"claims of another mechanics", LINEAR, 800, PLANE, "claim o# under a-model: #*x'' = 0\n", "",
     ""},
    {"solutions", LINEAR, 800, PLANE, "claim o#: solution x = #*t, y = 0\n", "", ""},
    {"events", LINEAR, 800, PLANE, "event o#: x - #\n", "", ""},
    {"drawings", LINEAR, 800, PLANE, "draw line (x, y), (x, #)\n", "", ""},
    {"fields", LINEAR, 800, PLANE, "cartesian #*x' = y\n", "", ""},
    {"passes of a loop", LINEAR, 1600, PLANE "for i in 1..$ {\npotential i*x\n}\n", "", "", ""},
    {"coordinates", SQUARE, 100, "", "coord q#\nkinetic q#'^2/2\n", "", ""},
    {"coordinates in a row", SQUARE, 100, FAMILY "potential sum(i in 2..$, (q[i] - q[i-1])^2)\n",
     "", "", ""},
    {"coordinates with values", SQUARE, 100,
     FAMILY "for i in 1..$ {\ninitial q[i] = i, q[i]' = i\n}\n", "", "", ""},
    {"coordinates with forces", SQUARE, 100, FAMILY "for i in 1..$ {\nforce q[i] = -q[i]'\n}\n", "",
     "", ""},
    {"points with coordinates", SQUARE, 50, "", "coord x#, y#\npoint P#: mass 1 at (x#, y#)\n", "",
     "gravity (0, -1)\n"},
    {"quasi-velocities", SQUARE, 50, FAMILY "for i in 1..$ {\nquasi v[i] = 2*q[i]'\n}\n", "", "",
     ""},
    {"constraints by pairs", SQUARE, 50,
     "coord u[1..$], v[1..$]\nkinetic sum(i in 1..$, u[i]'^2 + v[i]'^2)\n"
     "for i in 1..$ {\nconstraint u[i]' = v[i]'\n}\n",
     "", "", ""},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void expand(text *out, const char *pattern, uint32_t i, uint32_t n) {
    for (const char *c = pattern; *c; c++) {
        if (*c == '#' || *c == '@' || *c == '$')
            text_format(out, "%u", *c == '$' ? n : *c == '@' ? i - 1 : i);
        else text_char(out, *c);
    }
}

static double work_of(const kind *k, uint32_t n) {
    text model = {0};
    expand(&model, k->before, 0, n);
    for (uint32_t i = 1; i <= n && *k->item; i++) {
        if (i > 1) expand(&model, k->between, i, n);
        expand(&model, k->item, i, n);
    }
    expand(&model, k->after, 0, n);
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    char *result = NULL;
    if (!hamel_model_parse(ctx, "many", model.bytes, model.length, &m) &&
        hamel_model_check(m, HAMEL_TEXT, 0, &result)) {
        char *said = hamel_diagnostics(ctx);
        fail_msg("%s, %u: %s", k->name, n, said);
    }
    const double work = (double)ctx->budget.work;
    hamel_free(result);
    hamel_context_destroy(ctx);
    text_free(&model);
    return work;
}

static void work_grows_as_the_text_does(void **state) {
    const kind *k = *state;
    const double once = work_of(k, k->n), twice = work_of(k, 2 * k->n), four = work_of(k, 4 * k->n);
    const double ratio = (four - twice) / (twice - once);
    if (getenv("HAMEL_SCALING"))
        printf("%-32s %9.0f %9.0f %9.0f  %.2f\n", k->name, once, twice, four, ratio);
    if (!(ratio <= k->most))
        fail_msg("%s: %u, %u and %u take %.0f, %.0f and %.0f units of work: %.2f times more, not "
                 "%.1f",
                 k->name, k->n, 2 * k->n, 4 * k->n, once, twice, four, ratio, k->most);
}

int main(void) {
    struct CMUnitTest tests[KINDS];
    for (int i = 0; i < KINDS; i++)
        tests[i] = (struct CMUnitTest){.name = kinds[i].name,
                                       .test_func = work_grows_as_the_text_does,
                                       .initial_state = (void *)(uintptr_t)&kinds[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
