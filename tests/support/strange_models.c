// Models for nets that look for crashes, made of patterns with places to fill.
#include "support/strange_models.h"

#include "base/random.h"
#include "hamel.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct {
    uint64_t *random;
    const strange_names *names;
    char *out;
    size_t used, most;
} writer;

static uint32_t below(uint64_t *random, size_t n) { return (uint32_t)(random_next(random) % n); }
static bool chance(writer *w, uint32_t percent) { return below(w->random, 100) < percent; }

static void put(writer *w, const char *text) {
    const size_t length = strlen(text);
    if (w->used + length + 1 >= w->most) return;
    memcpy(w->out + w->used, text, length + 1);
    w->used += length;
}

// --- patterns ------------------------------------------------------------------------------------

// What `$` and a letter stand for is in fill() below.
static const char *const NUMBERS[] = {"0",
                                      "1",
                                      "-1",
                                      "2",
                                      "1/2",
                                      "-3/7",
                                      "0.1",
                                      "1e-3",
                                      "1e9",
                                      "1e-9",
                                      "1e300",
                                      "1e",
                                      "1e-300",
                                      "1e400",
                                      "1e-400",
                                      "1e10000",
                                      "1e-10000",
                                      "9007199254740993",
                                      "pi",
                                      "e",
                                      "-0",
                                      "0.0",
                                      "2^64",
                                      "2^-64",
                                      "2^1000",
                                      "-2^63",
                                      "18446744073709551616",
                                      "1/0",
                                      "0/0",
                                      "0^0",
                                      "(-8)^(1/3)",
                                      "sqrt(2)",
                                      "sqrt(-1)",
                                      "log(0)",
                                      "asin(2)",
                                      "tan(pi/2)",
                                      "1e1000 - 1e1000",
                                      "10^18",
                                      "0.1234567890123456789012345678901234567890",
                                      "min(1, 2)",
                                      "sign(0)",
                                      "-9223372036854775808",
                                      "4294967296",
                                      "prod(i in 1..3, i)",
                                      "sum(i in 1..0, i)",
                                      "exp(1000)",
                                      "exp(-1000)",
                                      "exp(1e6)",
                                      "2^(2^10)",
                                      "1000000007",
                                      "(1/3)^40"};

static const char *const NAMES[] = {
    "a",     "c",   "f",      "N",   "P",    "B",   "x",   "y",   "θ",  "Ω",   "mass",
    "at",    "t",   "lambda", "k0",  "k1",   "e",   "pi",  "sum", "I",  "E",   "x_t",
    "lam_c", "q_1", "coord",  "int", "main", "NaN", "inf", "u0",  "_a", "D1_h"};

static const char *const SCALARS[] = {"$q",
                                      "$q",
                                      "$q'",
                                      "$q",
                                      "$n",
                                      "t",
                                      "($e + $e)",
                                      "($e - $e)",
                                      "$e*$e",
                                      "$e/(2 + $q^2)",
                                      "-$e",
                                      "$e^2",
                                      "$e^(1/2)",
                                      "$e^$n",
                                      "$e/$e",
                                      "$F($e)",
                                      "$F($e)",
                                      "$F($e)",
                                      "atan2($e, $e)",
                                      "min($e, $e)",
                                      "max($e, $e, 0)",
                                      "abs($e)*sign($e)",
                                      "sum(i in 1..3, $e^i)",
                                      "prod(i in 1..2, i + $e)",
                                      "sum(i in 1..3, sum(j in i..3, i*j*$q))",
                                      "diff($e, $q)",
                                      "diff($e, $q')",
                                      "ddt($E)",
                                      "dot($v, $v)",
                                      "norm($v)",
                                      "($v).x",
                                      "($v).z",

                                      "sqrt($e^2)",
                                      "exp(log(1 + $q^2))",
                                      "$q^$q",
                                      "(($e))",
                                      "+-+$e",
                                      "a",
                                      "c",
                                      "f",
                                      "f'",
                                      "h($e)",
                                      "w($e, $e)",
                                      "g($q)",
                                      "diff(g($q), $q)",
                                      "$q[1]",
                                      "r",
                                      "$q''",
                                      "$q'''",
                                      "$x"};

static const char *const POSITIONS[] = {"$q",
                                        "$q",
                                        "$q",
                                        "1",
                                        "$q*$q",
                                        "$q + $q",
                                        "$q^2",
                                        "sin($q)",
                                        "cos($E)",
                                        "$E*$E",
                                        "$E + $E",
                                        "exp($q/4)",
                                        "sqrt(2 + cos($q))",
                                        "t",
                                        "abs($q)",
                                        "$n",
                                        "0",
                                        "a",
                                        "f",
                                        "h($q)"};

static const char *const VECTORS[] = {"($E, $E)",
                                      "($E, $E, $E)",
                                      "($E, $E, $E)",
                                      "(0, 0, 0)",
                                      "$v + $v",
                                      "cross($v, $v)",
                                      "rot(z, $E)*$v",
                                      "rot(($n, 1, $q), $E)*$v",
                                      "-$v",
                                      "$v/$n",
                                      "rot((0, 0, 0), $q)*(1, 0, 0)",
                                      "vel(P)",
                                      "omega(B)",
                                      "frame(B)*(0, 0, 1)",
                                      "velat(B, $v)",
                                      "momentum(B, $v)",
                                      "inertia(B)*$v",
                                      "vel(B)",
                                      "$e*$v",
                                      "pos(P)",
                                      "acc(P)",
                                      "(1, 2, 3, 4)",
                                      "rot(x, $q)",
                                      "($e, $e, $e)",
                                      "ddt($v)"};

static const char *const FUNCTIONS[] = {"sin",  "cos",  "tan",  "asin", "acos", "atan",
                                        "sinh", "cosh", "tanh", "exp",  "log",  "sqrt",
                                        "abs",  "sign", "sin",  "cos"};

// Strings with what printers, pages and terminals have to escape.
static const char *const STRINGS[] = {
    "a title",
    "",
    "<script>alert(1)</script>",
    "\\input{x} $ % & _ ^ ~ #",
    "*/ int x; /*",
    "%s%n%d",
    "`id` $(id)",
    "θ and \xf0\x9f\x9a\x80",
    "]]> --> </style>",
    "' or 1=1; --",
    "| a | b |",
    "\xc2\x9bK",
    "\xe2\x80\xae right to left",
    "a very long title a very long title a very long title a very long title"};

// Statements; the first word of each of the language occurs.
static const char *const STATEMENTS[] = {
    "system s$u \"$S\"",
    "const K$u = $i",
    "const K$u = 3, L$u = K$u^2 - 2",
    "param m$u = $n, n$u",
    "param m$u = 2*a + $n",
    "param m$u[1..3] = $n",
    "coord s$u",
    "coord s$u[1..$i]",
    "coord s$u[0..1, -1..1]",
    "given g$u = $F(t) + $n",
    "given g$u",
    "input i$u = $F(t) + $n",
    "input i$u",
    "function h$u(u) = $F(u) + u^2",
    "function h$u(u, v)",
    "let r$u = $e",
    "let w$u(u, v) = u*$e - v",
    "let V$u = $v",
    "let R$u = rot(x, $E)*rot(z, $E)",
    "for i in 1..3 {\n  observe o$u[i] = $e*i\n}",
    "for i in 1..$i {\n  for j in i..2 {\n    param b$u[i, j] = i + j\n  }\n}",
    "for i in 3..1 {\n  kinetic $q'^2\n}",
    "kinetic $q'^2/2",
    "kinetic $n*$q'^2",
    "kinetic $e",
    "potential $e",
    "potential $E",
    "lagrangian $q'^2/2 - $E",
    "lagrangian $q'^4/12 + $q'^2",
    "point P$u: mass $n at ($E, $E)",
    "point P: mass 1 at $v",
    "point P$u[1]: at $v mass $n",
    "body B: mass 2 at ($q, 0, 0) inertia (1, 2, 3) rotation rot(z, $q)",
    "body B$u: mass 1 at $v inertia ($n, $n, $n)",
    "body B$u: mass a at ($E, $E, 0) inertia (1, 2, 3, 0.1, $n, 0) rotation rot(($n, 1, 1), $E)",
    "gravity (0, 0, -9.81)",
    "gravity $v",
    "force $q = $e",
    "force on P = $v",
    "force on B = $v",
    "torque on B = $v",
    "dissipation $q'^2*$n",
    "dissipation $e",
    "constraint $q' = $E*$q'",
    "constraint c$u: $q' = $E*$q' + $E",
    "constraint c$u: $e = $e",
    "constraint c$u: $E = $n",
    "constraint c$u: $q' = min(a, $n)",
    "constraint c$u: $q'^2 + $q'^2 = $n",
    "constraint c$u: $q''' + $q'' = 0",
    "constraint c$u: $q'' = $E*$q''",
    "constraint c$u: ($q' - $q')*$q' = 0",
    "constraint c$u: $v = $v",
    "constraint c$u: $e*($q' - $q') = 0",
    "constraint c$u[1]: $q = $q",
    "independent $q",
    "independent $q, $q",
    "quasi v$u = $q'",
    "quasi v$u = $q'*$E + $q'",
    "quasi v$u = $e",
    "supplementary $q",
    "supplementary $E, $e",
    "cartesian $q' = $E",
    "cartesian $q'*$E + $q' = $e",
    "initial $q = $n",
    "initial $q' = $n, $q = $n",
    "initial lambda[c] = $n",
    "initial v1 = $n",
    "guess $q = $n",
    "guess $q' = $E, $q = $n",
    "orientation p$u of B",
    "roll B as ball $n on plane",
    "roll k$u: B as disc $n axis $v on plane through $v normal $v",
    "roll B as ellipsoid $v at $v on plane along $v",
    "roll k$u: B as torus $n, $n on plane moving $v",
    "roll B as ball $E on sphere $n around $v inside",
    "roll B as ball $n on cylinder $E axis $v",
    "roll B as ball $n on surface (X$u, Y$u, Z$u): Z$u - $n*X$u^2 - $E",
    "touch B as ellipsoid (1, 2, $n) on surface (X$u, Y$u, Z$u): X$u^2 + Y$u^2 + Z$u^2 - $n",
    "touch B as ball $n on plane\nobserve gap$u = touch_gap",
    "body O: mass 1 at $v inertia (1, 2, $n)\norientation o of O",
    "body B$u: mass 1 at $v inertia (1, 2, $n) rotation quat($e, $n, $q, $E)",
    "body B$u: mass 1 at transpose(rot(x, $q))*$v inertia (1, 2, 3)",
    "simulate t = 0 .. $n",
    "simulate t = $n .. $n, tol = $n, output = $n",
    "simulate t = 0 .. 0.1, method = $M, form = $D",
    "simulate tol = $n",
    "event ev$u: $e",
    "event ev$u: $E up stop",
    "event ev$u: $q - $n down",
    "event ev$u: $q stop",
    "event ev$u: lambda[c1] - $E",
    "contact k$u: gap $q - $n",
    "contact k$u: gap $E, at B $v, normal $v, friction $n, $n, restitution $n",
    "contact k$u: gap $q, at P, normal (0, 0, 1), friction $E, moving $v",
    "contact k$u: gap $q - $n, at B $v, normal (0, $n, 1), friction $n, against B, tangent $v",
    "when w$u: $e { $q = $E, $q' = $e }",
    "when w$u: $q - $n { a = $n }",
    "every $n { a = $E }",
    "input i$u\nevery 0.01 { i$u = $e }",
    "sweep a = $E .. $n count 3",
    "sweep $q in {$n, $E}, $q' in uniform($n, $E)",
    "sweep $q' in normal($n, $E)",
    "samples 4 sobol seed $n",
    "samples 3 latin",
    "collect m$u = max($e), n$u = final($q')",
    "collect c$u = mean($E), l$u = min($e)",
    "event f$u: $q\ncollect d$u = first(f$u), h$u = count(f$u)",
    "invariant j$u = $e",
    "invariant j$u = $n",
    "observe o$u = $e",
    "observe o$u = lambda[c1]*$E",
    "observe o$u = $x, p$u = $q''",
    "claim k$u: $e = $e",
    "claim k$u: $q'' = $E",
    "claim k$u: lambda = $e",
    "claim k$u: $e*lambda[c1] = $e",
    "claim k$u: $E*delta($q) = delta($q)",
    "claim k$u under $D: $q'' = $e",
    "claim k$u under $D: classical",
    "claim k$u under $D: transpose($q) = $E*delta($q)",
    "claim k$u under $D with nu = $n: $e = 0",
    "claim k$u under $D: quantity(\"$Q\") = $e",
    "claim k$u: quantity(\"$Q\") = 0",
    "claim k$u: solution $q = $n*t, $q = sin(t)",
    "claim k$u: solution x = 0, y = 0, z = 0, p = 0",
    "claim k$u: $v = $v",
    "claim k$u: ddt($e) = 0",
    "draw line $v, $v",
    "draw disk $v, $v, $n",
    "draw sphere $v, $e",
    "draw trail pos(P)",
    "draw trail $v",
    "draw box B ($n, 1, 2)",
    "draw ellipsoid B (1, 1, $n) at $v",
    "draw curve ($F(s), s, $E) in s = $n .. $n",
    "include \"pendulum\"",
    "include \"$S\"",
    "# $S",
    ""};

// Statements that just miss being legal, most of them
static const char *const NEAR_MISSES[] = {"coord $x",
                                          "param $x = $n",
                                          "let $x = $e",
                                          "kinetic ($e",
                                          "potential $e +",
                                          "force on nobody = $v",
                                          "draw $x $v",
                                          "claim under: classical",
                                          "event : $e",
                                          "$x = $e",
                                          "$x $x",
                                          "for i in 1..100000 {\n}",
                                          "param b$u[$i..$i] = 1",
                                          "let d$u = d$u + 1",
                                          "coord q$u[1..40]",
                                          "quasi w$u[1] = $q'",
                                          "constraint",
                                          "initial $q = $q",
                                          "initial $q = $n, $q = $n"};

static const char *const QUANTITIES[] = {"T",     "U", "L",       "M[x,y]", "M[x,x]", "b[x]", "c",
                                         "det W", "W", "no such", "",       "M[x",    "S",    "H"};

// --- filling in ----------------------------------------------------------------------------------

static void fill(writer *w, const char *pattern, int depth);

// One of a list: of its first `simple` at the end of the depth, of its first `plain` where only
// coordinates are known
static void fill_one_of(writer *w, const char *const *list, size_t simple, size_t plain,
                        size_t count, int depth) {
    const size_t most = depth <= 0 || w->used > w->most / 2 ? simple
                        : w->names->bare                    ? plain
                                                            : count;
    fill(w, list[below(w->random, most)], depth - 1);
}

static const char *coordinate(writer *w) {
    static const char *const usual[] = {"x", "y"};
    return w->names->count ? w->names->coordinates[below(w->random, (size_t)w->names->count)]
                           : usual[below(w->random, 2)];
}

static void fill(writer *w, const char *pattern, int depth) {
    char digits[16];
    for (const char *c = pattern; *c; c++) {
        if (*c != '$') {
            put(w, (char[2]){*c, '\0'});
            continue;
        }
        switch (*++c) {
        case 'q': put(w, coordinate(w)); break;
        case 'n': put(w, strange_number(w->random)); break;
        case 'i':
            snprintf(digits, sizeof digits, "%d", (int)below(w->random, 7) - 2);
            put(w, chance(w, 90) ? digits : strange_number(w->random));
            break;
        case 'u':
            snprintf(digits, sizeof digits, "%u", below(w->random, 1000));
            put(w, digits);
            break;
        case 'e': fill_one_of(w, SCALARS, 6, 37, COUNT(SCALARS), depth); break;
        case 'E': fill_one_of(w, POSITIONS, 4, 17, COUNT(POSITIONS), depth); break;
        case 'v': fill_one_of(w, VECTORS, 4, 11, COUNT(VECTORS), depth); break;
        case 'x': put(w, NAMES[below(w->random, COUNT(NAMES))]); break;
        case 'F': put(w, FUNCTIONS[below(w->random, COUNT(FUNCTIONS))]); break;
        case 'S': put(w, STRINGS[below(w->random, COUNT(STRINGS))]); break;
        case 'D': put(w, strange_id(w->random, "forms")); break;
        case 'M': put(w, strange_id(w->random, "methods")); break;
        case 'Q': put(w, QUANTITIES[below(w->random, COUNT(QUANTITIES))]); break;
        default: put(w, "$");
        }
    }
}

const char *strange_number(uint64_t *random) {
    // two in three are tame: a model that dies of its first number tries nothing else
    return NUMBERS[below(random, below(random, 3) ? 9 : COUNT(NUMBERS))];
}

const char *strange_id(uint64_t *random, const char *kind) {
    if (below(random, 40) == 0) return below(random, 2) ? "nothing" : "";
    size_t count = 0;
    while (hamel_known(kind, count, NULL)) count++;
    return count ? hamel_known(kind, below(random, count), NULL) : "";
}

size_t strange_statement(uint64_t *random, const strange_names *names, char *out, size_t most) {
    writer w = {.random = random, .names = names, .out = out, .most = most};
    out[0] = '\0';
    const bool near_miss = below(random, 10) == 0;
    fill(&w,
         near_miss ? NEAR_MISSES[below(random, COUNT(NEAR_MISSES))]
                   : STATEMENTS[below(random, COUNT(STATEMENTS))],
         3);
    put(&w, "\n");
    return w.used;
}

// --- models --------------------------------------------------------------------------------------

// A mechanical system that is well posed, or the start of one with a family; the names it has
static void begin_model(uint64_t *random, char out[RANDOM_TEXT], strange_names *names) {
    static const char *const known[] = {"x", "y", "z", "p"}, *const declared[] = {", y", ", z",
                                                                                  ", p"};
    if (below(random, 4)) {
        random_model(random_next(random), out);
        names->coordinates[names->count++] = known[0];
        for (int i = 0; i < 3 && strstr(out, declared[i]); i++)
            names->coordinates[names->count++] = known[i + 1];
    } else {
        *names = (strange_names){{"x", "y", "q[1]", "q[N]", "θ"}, 5, false};
        strcpy(out, "const N = 2\nparam a = 1/2, c\ngiven f = sin(t)\ncoord x, y, q[1..N], theta\n"
                    "kinetic (x'^2 + y'^2 + theta'^2 + sum(i in 1..N, q[i]'^2))/2\n");
    }
    if (below(random, 2))
        strcat(out,
               "let r = sqrt(1 + x^2), w(u, v) = u*v\nfunction h(u) = exp(u/4)\nfunction g(u)\n");
}

void strange_model(uint64_t seed, readable *reads, void *data, char out[RANDOM_TEXT]) {
    uint64_t random = seed;
    strange_names names = {.count = 0};
    begin_model(&random, out, &names);
    size_t used = strlen(out);
    for (uint32_t left = below(&random, 12); left && used < 6000; left--) {
        char line[1000];
        const size_t length = strange_statement(&random, &names, line, sizeof line);
        memcpy(out + used, line, length + 1);
        if (!reads || below(&random, 50) == 0 || reads(out, data)) used += length;
        else out[used] = '\0';
    }
}
