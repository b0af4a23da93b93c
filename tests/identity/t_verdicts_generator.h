// Random small systems and claims about their motion, true ones and near misses, as text. Whether a
// claim is true is known from how it is made:
//   W (sum_i c_i (E_i(L) - Q_i - lambda dPhi/dq'_i) + c ddt(Phi) + d Phi) + G = G'
// where L, Phi, Q are written again in other words each time, and G' is G in other
// words. A near miss changes one thing.
#ifndef HAMEL_TESTS_VERDICTS_GENERATOR_H
#define HAMEL_TESTS_VERDICTS_GENERATOR_H

#include "base/text.h"
#include "expr/program.h"

enum { COORDINATES = 3, MOST_TERMS = 8, MOST_WAYS = 7 };
static const char *const coordinate[COORDINATES] = {"x", "y", "z"};

// A function of the coordinates and time in several ways; the last entry of a function with
// `turned` is another function, easily mistaken for it.
typedef struct {
    const char *way[MOST_WAYS]; // the first is the plain one
    const char *turned;
    bool bounded; // by 1 in size, so that 3 + it is positive
} word;

static const word words[] = {
    {{"sin(x)", "2*sin(x/2)*cos(x/2)", "(sin(x - y)*cos(y) + cos(x - y)*sin(y))",
      "(3*sin(x/3) - 4*sin(x/3)^3)", "cos(pi/2 - x)", "sin(2*x)/(2*cos(x))", "-sin(x + pi)"},
     "cos(x)",
     true},
    {{"cos(y)", "(2*cos(y/2)^2 - 1)", "(1 - 2*sin(y/2)^2)",
      "(cos(x + y)*cos(x) + sin(x + y)*sin(x))", "sin(y + pi/2)", "(4*cos(y/3)^3 - 3*cos(y/3))",
      "(1 - tan(y/2)^2)/(1 + tan(y/2)^2)"},
     "sin(y)",
     true},
    {{"cos(2*z)", "(cos(z)^2 - sin(z)^2)", "(1 - 2*sin(z)^2)", "(cos(z)^4 - sin(z)^4)",
      "(8*cos(z/2)^4 - 8*cos(z/2)^2 + 1)"},
     "cos(z)^2",
     true},
    {{"x*y", "((x + y)^2 - x^2 - y^2)/2", "((x + y)^2 - (x - y)^2)/4", "y*(x + z) - y*z",
      "(x^2*y + x*y)/(x + 1)"},
     "x^2",
     false},
    {{"z^2", "((z + 1)^2 - 2*z - 1)", "z^5/z^3", "((z - x)*(z + x) + x^2)",
      "(z^4 - 1)/(z^2 + 1) + 1"},
     "z",
     false},
    {{"exp(x)", "exp(x - y)*exp(y)", "exp(x/2)^2", "(cosh(x) + sinh(x))", "1/exp(-x)",
      "(exp(x) + exp(-x) - 1/exp(x))"},
     "exp(-x)",
     false},
    {{"1/(2 + x^2)", "(2 - x^2)/(4 - x^4)", "(1 - (1 + x^2)/(2 + x^2))", "1/((x + 1)^2 - 2*x + 1)"},
     "1/(1 + x^2)",
     true},
    {{"y", "y*(sin(z)^2 + cos(z)^2)", "(y + x - x)", "((y^2 - 1)/(y - 1) - 1)",
      "y*(cosh(z)^2 - sinh(z)^2)", "(y - t) + t"},
     "x",
     false},
    {{"cosh(y)", "(exp(y) + exp(-y))/2", "(2*cosh(y/2)^2 - 1)",
      "(cosh(y - x)*cosh(x) + sinh(y - x)*sinh(x))"},
     "sinh(y)",
     false},
    {{"sin(x - z)", "(sin(x)*cos(z) - cos(x)*sin(z))", "-sin(z - x)",
      "2*sin((x - z)/2)*cos((x - z)/2)"},
     "sin(x + z)",
     true},
    {{"sqrt(1 + x^2)", "(1 + x^2)/sqrt(1 + x^2)", "sqrt((x + 1)^2 - 2*x)",
      "(1 + x^2)^(3/2)/(1 + x^2)"},
     "(1 + x^2)",
     false},
    {{"t", "(t + y) - y", "t^2/t", "t*(cos(x)^2 + sin(x)^2)"}, "x", false},
    {{"a*x", "x*a", "(a^2*x)/a", "((a + x)^2 - (a - x)^2)/4"}, "a", false},
};
enum { WORDS = sizeof words / sizeof *words };

// coefficient * words * velocities
typedef struct {
    int numerator, denominator;
    int word[2];          // -1: none
    const char *velocity; // "" for none
} term;

typedef struct {
    term at[MOST_TERMS];
    int count;
} form;

typedef struct {
    uint64_t random;
    form lagrangian, phi, force[COORDINATES];
} random_system;

typedef enum { INTACT, COEFFICIENT, TINY, SIGN, TURNED, EXPONENT, DROPPED, MUTATIONS } mutation;

static int pick(random_system *s, int below) {
    return (int)(random_next(&s->random) % (uint64_t)below);
}

static void say_word(random_system *s, int w, bool plain, text *out) {
    int ways = 1;
    while (ways < MOST_WAYS && words[w].way[ways]) ways++;
    text_format(out, "*(%s)", words[w].way[plain ? 0 : pick(s, ways)]);
}

// One term; with a mutation, one thing in it is different.
static void say_term(random_system *s, const term *t, bool plain, mutation m, text *out) {
    if (m == DROPPED) return;
    text_format(out, " + %s(%d/%d", m == SIGN ? "-" : "", t->numerator, t->denominator);
    text_append(out, m == COEFFICIENT ? " + 1)" : m == TINY ? " + 1/1000000000)" : ")");
    for (int i = 0; i < 2; i++) {
        if (t->word[i] < 0) continue;
        if (m == TURNED && i == 0) text_format(out, "*(%s)", words[t->word[i]].turned);
        else say_word(s, t->word[i], plain, out);
        if (m == EXPONENT && i == 0) text_append(out, "^2");
    }
    if (t->velocity[0]) text_format(out, "*%s", t->velocity);
}

// The whole form. The mutated term is the last one, which is always there.
static void say(random_system *s, const form *f, bool plain, mutation m, text *out) {
    text_append(out, "(0");
    for (int i = 0; i < f->count; i++)
        say_term(s, &f->at[i], plain, i == f->count - 1 ? m : INTACT, out);
    text_char(out, ')');
}

static void add(form *f, int numerator, int denominator, int first, int second,
                const char *velocity) {
    f->at[f->count++] = (term){numerator, denominator, {first, second}, velocity};
}

static int bounded_word(random_system *s) {
    int w;
    do w = pick(s, WORDS);
    while (!words[w].bounded);
    return w;
}

static int coefficient(random_system *s) { return pick(s, 2) ? 1 + pick(s, 5) : -1 - pick(s, 5); }

static random_system system_make(uint64_t seed) {
    static const char *const square[COORDINATES] = {"x'^2", "y'^2", "z'^2"};
    random_system s = {.random = seed * 0x9E3779B97F4A7C15u + 1};
    // (3 + word/2)/2 q'^2 is positive; 1/4 x'y' does not change that
    for (int i = 0; i < COORDINATES; i++) {
        add(&s.lagrangian, 3, 2, -1, -1, square[i]);
        if (pick(&s, 2)) add(&s.lagrangian, 1, 4, bounded_word(&s), -1, square[i]);
    }
    if (pick(&s, 2)) add(&s.lagrangian, 1, 4, -1, -1, "x'*y'");
    // less the potential
    add(&s.lagrangian, coefficient(&s), 1 + pick(&s, 3), pick(&s, WORDS), pick(&s, WORDS), "");
    add(&s.phi, 1, 1, -1, -1, "z'");
    // linear, affine and rheonomic, quadratic in x' and y', quadratic in z'
    const int kind = pick(&s, 4);
    if (kind < 2) {
        add(&s.phi, coefficient(&s), 1 + pick(&s, 3), pick(&s, WORDS - 2), -1, "x'");
        add(&s.phi, coefficient(&s), 1 + pick(&s, 3), pick(&s, WORDS - 2), pick(&s, WORDS), "y'");
        if (kind == 1) add(&s.phi, coefficient(&s), 2, WORDS - 2, pick(&s, WORDS - 2), "");
    } else if (kind == 2) {
        add(&s.phi, coefficient(&s), 2, bounded_word(&s), -1, "x'^2");
        add(&s.phi, coefficient(&s), 2, pick(&s, WORDS), -1, "x'*y'");
    } else {
        add(&s.phi, 1, 1 + pick(&s, 3), -1, -1, "z'^2");
        add(&s.phi, -2, 1, -1, -1, "x'^2");
        add(&s.phi, -2, 1, -1, -1, "y'^2");
        add(&s.phi, -1, 2, bounded_word(&s), -1, "y'^2");
    }
    for (int i = 0; i < COORDINATES; i++)
        add(&s.force[i], coefficient(&s), 3, pick(&s, WORDS), -1, pick(&s, 2) ? "x'" : "y'");
    return s;
}

static void say_system(random_system *s, text *out) {
    text_append(out, "param a = 3/2\ncoord x, y, z\nlagrangian ");
    say(s, &s->lagrangian, true, INTACT, out);
    for (int i = 0; i < COORDINATES; i++) {
        text_format(out, "\nforce %s = ", coordinate[i]);
        say(s, &s->force[i], true, INTACT, out);
    }
    text_append(out, "\nconstraint c: ");
    say(s, &s->phi, true, INTACT, out);
    text_append(out, " = 0\ninitial x = 0.3, y = 0.7, z = 0.4, x' = 0.6, y' = 0.45\n");
}

// A factor that vanishes nowhere near; plain numbers often.
static void say_factor(random_system *s, text *out) {
    static const char *const factor[] = {"1",         "2", "-3/7",   "(2 + cos(x))",
                                         "(1 + x^2)", "y", "exp(z)", "1/(3 + sin(y))",
                                         "(x' + 2)",  "a"};
    text_append(out, factor[pick(s, sizeof factor / sizeof *factor)]);
}

// E_i(L) - Q_i - lambda dPhi/dq'_i
static void say_motion(random_system *s, int i, mutation m, text *out) {
    const int where = m == INTACT ? -1 : pick(s, 2);
    text_append(out, "(ddt(diff(");
    say(s, &s->lagrangian, false, INTACT, out);
    text_format(out, ", %s')) - diff(", coordinate[i]);
    say(s, &s->lagrangian, false, INTACT, out);
    text_format(out, ", %s) - ", coordinate[i]);
    say(s, &s->force[i], false, where == 0 ? m : INTACT, out);
    text_format(out, " %s lambda*diff(", where == 1 && m == SIGN ? "+" : "-");
    say(s, &s->phi, false, INTACT, out);
    text_format(out, ", %s')%s)", coordinate[i],
                where == 1 && m != SIGN ? "*(1 + 1/1000000000)" : "");
}

// One claim: true for INTACT, false otherwise. The mutation strikes the
// equation of z, the constraint, or G.
static void say_claim(random_system *s, const char *name, mutation m, text *out) {
    static const char *const velocity[] = {"x'", "y'", "x'^2", "x'*y'", "y'^3", ""};
    const int where = m == INTACT ? -1 : pick(s, 4);
    form g = {0};
    for (int i = 1 + pick(s, 3); i > 0; i--)
        add(&g, coefficient(s), 1 + pick(s, 4), pick(s, WORDS), pick(s, WORDS + 1) - 1,
            velocity[pick(s, 6)]);
    if (m == DROPPED) add(&g, 1, 1000000000, pick(s, WORDS), -1, velocity[pick(s, 6)]);
    const bool in_g = where >= 2 || m == DROPPED;
    text_format(out, "claim %s: ", name);
    say_factor(s, out);
    text_append(out, "*(");
    for (int i = 0; i < COORDINATES; i++) {
        say_factor(s, out);
        text_char(out, '*');
        say_motion(s, i, i == 2 && where == 0 && !in_g ? m : INTACT, out);
        text_append(out, " + ");
    }
    say_factor(s, out);
    text_append(out, "*ddt(");
    say(s, &s->phi, false, INTACT, out);
    text_append(out, ") + ");
    say_factor(s, out);
    text_char(out, '*');
    say(s, &s->phi, false, where == 1 && !in_g ? m : INTACT, out);
    text_append(out, ") + ");
    say(s, &g, false, INTACT, out);
    text_append(out, " = ");
    say(s, &g, false, in_g ? m : INTACT, out);
    text_char(out, '\n');
}

#endif
