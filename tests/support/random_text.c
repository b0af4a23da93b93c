// Random expressions and models as text.
#include "support/random_text.h"

#include "expr/program.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

// --- seeds ---------------------------------------------------------------------------------------

static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

uint64_t run_seed(uint64_t usual) {
    const char *given = variable("HAMEL_SEED");
    return given ? strtoull(given, NULL, 10) : usual;
}

uint32_t run_size(uint32_t usual, uint32_t full) { return variable("HAMEL_LONG") ? full : usual; }

uint32_t run_cases(uint32_t usual, uint32_t full) {
    const char *given = variable("HAMEL_CASES");
    if (given) return (uint32_t)strtoul(given, NULL, 10);
    const uint32_t size = run_size(usual, full);
    return variable("HAMEL_SANITIZED") && size > 4 ? size / 4 : size;
}

static double seconds_of(int who) {
    struct rusage used;
    if (getrusage(who, &used) != 0) return 0;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

bool run_has_time(void) {
    const char *limit = variable("HAMEL_SECONDS");
    return !limit || seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN) < strtod(limit, NULL);
}

uint64_t case_seed(uint64_t run, uint32_t i) {
    uint64_t state = run * 0x9e3779b97f4a7c15u + i;
    return random_next(&state);
}

// --- a text under construction -------------------------------------------------------------------

enum { MOST_KEPT = 12, MOST_PART = 200 };

typedef struct {
    uint64_t random;
    char *out;
    size_t used;
    bool scalars;                    // nothing of space, no derivatives
    int order;                       // the highest derivative of a coordinate that may stand here
    bool time;                       // t and the given may stand here
    int coordinates;                 // 3: x, y, z; more: q[1..3] too
    char kept[MOST_KEPT][MOST_PART]; // parts that were written before, to be written again
    int kept_count;
} writer;

static uint32_t below(writer *w, uint32_t n) { return (uint32_t)(random_next(&w->random) % n); }
static bool chance(writer *w, uint32_t percent) { return below(w, 100) < percent; }

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(w->out + w->used, RANDOM_TEXT - w->used, format, arguments);
    va_end(arguments);
    w->used += (size_t)length;
    if (w->used >= RANDOM_TEXT) w->used = RANDOM_TEXT - 1;
}

// --- leaves --------------------------------------------------------------------------------------

static void number(writer *w) {
    static const char *const special[] = {"0.1",     "1e-3", "2.5", "1/3",  "12345678901234567890",
                                          "1000003", "pi",   "e",   "0.75", "2/7"};
    if (chance(w, 25)) put(w, "%s", special[below(w, 10)]);
    else put(w, "%u", below(w, chance(w, 80) ? 5 : 40));
}

static void coordinate(writer *w, int order) {
    static const char *const names[] = {"x", "y", "z", "q[1]", "q[2]", "q[N]"};
    put(w, "%s", names[below(w, (uint32_t)w->coordinates)]);
    for (int i = 0; i < order; i++) put(w, "'");
}

static void leaf(writer *w) {
    static const char *const parameters[] = {"a", "b", "c", "n"};
    const uint32_t kind = below(w, 10);
    if (kind < 5) coordinate(w, chance(w, 65) ? 0 : (int)below(w, (uint32_t)w->order + 1));
    else if (kind < 7) number(w);
    else if (kind < 8) put(w, "%s", parameters[below(w, 4)]);
    else if (kind < 9 && w->time)
        put(w, "%s", chance(w, 60) ? "t" : w->scalars ? "f" : chance(w, 50) ? "f" : "f'");
    else if (!w->scalars && w->order && w->coordinates > 3) put(w, "%s", chance(w, 50) ? "r" : "v");
    else coordinate(w, 0);
}

// --- scalars -------------------------------------------------------------------------------------

static void scalar(writer *w, int depth);
static void vector(writer *w, int depth);

static void join(writer *w, int depth, const char *operators) {
    const uint32_t count = 2 + below(w, 2) + (chance(w, 10) ? 3 : 0);
    put(w, "(");
    for (uint32_t i = 0; i < count; i++) {
        if (i) put(w, " %c ", operators[below(w, (uint32_t)strlen(operators))]);
        scalar(w, depth - 1);
    }
    put(w, ")");
}

// Something that is positive more often than not, so that roots and logarithms have values.
static void positive(writer *w, int depth) {
    switch (depth > 0 && w->used < 1200 ? below(w, 7) : 5) {
    case 0: put(w, "exp("), scalar(w, depth - 1), put(w, ")"); break;
    case 1: put(w, "(1 + "), scalar(w, depth - 1), put(w, "^2)"); break;
    case 2: put(w, "abs("), scalar(w, depth - 1), put(w, ")"); break;
    case 3:
        put(w, "("), positive(w, depth - 1), put(w, "*"), positive(w, depth - 1), put(w, ")");
        break;
    case 4:
        put(w, "("), positive(w, depth - 1), put(w, " + "), positive(w, depth - 1), put(w, ")");
        break;
    case 5: put(w, "%u", 1 + below(w, 12)); break;
    default: scalar(w, depth - 1);
    }
}

static void power(writer *w, int depth) {
    static const char *const exponents[] = {"2",     "3",      "(-1)",   "(-2)",  "0",
                                            "(1/2)", "(3/2)",  "(-1/2)", "(1/3)", "(2/3)",
                                            "7",     "(-5/3)", "1",      "(4/2)", "0.5"};
    const uint32_t which = below(w, 17);
    const bool fraction = which >= 5 && which != 10 && which < 15;
    put(w, "(");
    if (fraction || which >= 15) positive(w, depth);
    else scalar(w, depth - 1);
    if (which == 15) put(w, "^("), scalar(w, 1), put(w, ")");
    else if (which == 16) put(w, "^%s", chance(w, 50) ? "n" : "c");
    else put(w, "^%s", exponents[which]);
    put(w, ")");
}

// u^e1 * u^e2, u^e1/v*u^e2: what rules for powers of one base put together.
static void powers_of_one(writer *w, int depth) {
    static const char *const exponents[] = {"^(1/2)", "^(3/2)", "^(-1/2)", "",
                                            "^2",     "^(1/3)", "^(2/3)",  "^(-1)"};
    const size_t from = w->used + 1;
    put(w, "(");
    positive(w, depth);
    const size_t length = w->used - from;
    char base[MOST_PART];
    if (length >= MOST_PART) {
        put(w, ")");
        return;
    }
    memcpy(base, w->out + from, length);
    base[length] = '\0';
    put(w, "%s %c ", exponents[below(w, 8)], "**/"[below(w, 3)]);
    if (chance(w, 25)) scalar(w, 1), put(w, " * ");
    put(w, "%s%s)", base, exponents[below(w, 8)]);
}

// Shapes that rules of the algebra look for: u, p stand for something of
// any sign, something positive.
static void shape(writer *w, int depth) {
    static const char *const shapes[] = {"sqrt(u^2)",
                                         "abs(-u)*u",
                                         "log(exp(u))",
                                         "exp(log(p))",
                                         "asin(sin(u))",
                                         "atan(tan(u))",
                                         "(p^a*p^c)",
                                         "((p^a)^b)",
                                         "log(p^2)",
                                         "sign(u)*abs(u)",
                                         "abs(u)^2",
                                         "(exp(u)*exp(-u))",
                                         "sin(5*pi/12)*u",
                                         "cos(u + pi)",
                                         "sin(u - pi/2)",
                                         "tan(pi/8)*u",
                                         "cos(7*pi/6)",
                                         "sqrt(p)*sqrt(p)",
                                         "(u^2)^(3/2)",
                                         "((-u)^3)^(1/3)",
                                         "exp(u)^c",
                                         "(p*p)^(1/3)",
                                         "(2^u*2^(1/2))",
                                         "log(p/3) + log(3)",
                                         "sin(u)^2",
                                         "cosh(u)^2",
                                         "acos(cos(u))",
                                         "sqrt(8)*sqrt(2)",
                                         "(12^(1/2)*3^(1/2))",
                                         "tan(u)*cos(u)",
                                         "u^n*u^n",
                                         "(a*u)^n",
                                         "min(u, -u)",
                                         "max(p, 0)",
                                         "atan2(p*sin(u), p*cos(u))",
                                         "exp(2*log(p))"};
    const char *chosen = shapes[below(w, sizeof shapes / sizeof *shapes)];
    char inside[MOST_PART] = "x";
    const size_t from = w->used; // one text for all places of u or p
    if (strchr(chosen, 'p') && strstr(chosen, "pi") == NULL && !strstr(chosen, "exp(u"))
        positive(w, depth - 1);
    else scalar(w, depth - 1);
    if (w->used - from < MOST_PART)
        memcpy(inside, w->out + from, w->used - from), inside[w->used - from] = '\0';
    w->used = from;
    put(w, "(");
    for (const char *c = chosen; *c; c++) {
        const bool letter =
            (c > chosen && c[-1] >= 'a' && c[-1] <= 'z') || (c[1] >= 'a' && c[1] <= 'z');
        if ((*c == 'u' || *c == 'p') && !letter) put(w, "%s", inside);
        else put(w, "%c", *c);
    }
    put(w, ")");
}

static void call(writer *w, int depth) {
    static const char *const one[] = {"sin", "cos", "tan",  "atan", "sinh", "cosh", "tanh",
                                      "exp", "abs", "sign", "sin",  "cos",  "exp"};
    static const char *const rooted[] = {"sqrt", "log", "sqrt", "sqrt"};
    const uint32_t kind = below(w, 12);
    if (kind < 5) put(w, "%s(", one[below(w, 13)]), scalar(w, depth - 1), put(w, ")");
    else if (kind < 8) put(w, "%s(", rooted[below(w, 4)]), positive(w, depth), put(w, ")");
    else if (kind < 9)
        put(w, "%s(tanh(", chance(w, 50) ? "asin" : "acos"), scalar(w, depth - 1), put(w, "))");
    else if (kind < 10)
        put(w, "atan2("), scalar(w, depth - 1), put(w, ", "), scalar(w, depth - 1), put(w, ")");
    else {
        put(w, "%s(", chance(w, 50) ? "min" : "max");
        scalar(w, depth - 1), put(w, ", "), scalar(w, depth - 1), put(w, ")");
    }
}

// What only this language has: derivatives, sums over a range, functions of the model, space.
static void special(writer *w, int depth) {
    static const char *const by[] = {"x", "y", "x'", "z", "a", "t"};
    switch (below(w, 10)) {
    case 0: put(w, "sum(i in 1..N, q[i]*"), scalar(w, depth - 1), put(w, "^i)"); break;
    case 1: put(w, "prod(i in 1..2, i + "), scalar(w, depth - 2), put(w, "^2)"); break;
    case 2:
        put(w, "w("), scalar(w, depth - 1), put(w, ", "), scalar(w, depth - 1), put(w, ")");
        break;
    case 3: put(w, "h("), scalar(w, depth - 2), put(w, ")"); break;
    case 4: put(w, "diff("), scalar(w, depth - 1), put(w, ", %s)", by[below(w, 6)]); break;
    case 5:
        if (w->order > 1) { // a derivative needs one more of the state
            w->order--;
            put(w, "ddt("), scalar(w, depth - 1), put(w, ")");
            w->order++;
            break;
        }
        // fall through
    case 6:
        put(w, "dot("), vector(w, depth - 1), put(w, ", "), vector(w, depth - 1), put(w, ")");
        break;
    case 7: put(w, "norm("), vector(w, depth - 1), put(w, ")"); break;
    default: put(w, "("), vector(w, depth - 1), put(w, ").%c", "xyz"[below(w, 3)]);
    }
}

static void scalar(writer *w, int depth) {
    if (w->kept_count && chance(w, 14)) {
        put(w, "%s", w->kept[below(w, (uint32_t)w->kept_count)]);
        return;
    }
    const size_t start = w->used;
    const uint32_t kind = below(w, 100);
    if (depth <= 0 || w->used > 1200 || kind < 12) leaf(w);
    else if (kind < 30) join(w, depth, "+-");
    else if (kind < 50) join(w, depth, "***/");
    else if (kind < 54) put(w, "(-"), scalar(w, depth - 1), put(w, ")");
    else if (kind < 66) power(w, depth);
    else if (kind < 71) powers_of_one(w, depth);
    else if (kind < 77) shape(w, depth);
    else if (kind < 89 || w->scalars) call(w, depth);
    else special(w, depth);
    const size_t length = w->used - start;
    if (length < MOST_PART && length > 2) {
        const uint32_t slot =
            w->kept_count < MOST_KEPT ? (uint32_t)w->kept_count++ : below(w, MOST_KEPT);
        memcpy(w->kept[slot], w->out + start, length);
        w->kept[slot][length] = '\0';
    }
}

// --- vectors -------------------------------------------------------------------------------------

static void rotation_text(writer *w, int depth) {
    if (chance(w, 75)) put(w, "rot(%c, ", "xyz"[below(w, 3)]);
    else put(w, "rot((1, %u, -2), ", below(w, 3));
    scalar(w, depth - 1);
    put(w, ")");
    if (chance(w, 25)) put(w, "*rot(%c, ", "xyz"[below(w, 3)]), scalar(w, 1), put(w, ")");
}

static void vector(writer *w, int depth) {
    static const char *const named[] = {"pos(P)",
                                        "vel(P)",
                                        "acc(P)",
                                        "omega(B)",
                                        "vel(B)",
                                        "velat(B, (x, 1, y))",
                                        "velat(B, pos(P))",
                                        "momentum(B, pos(P))",
                                        "momentum(P, (1, y, 2))",
                                        "inertia(B)*omega(B)"};
    // accelerations are known at the outermost level only
    static const int needs[] = {0, 1, 2, 1, 1, 1, 1, 1, 1, 1};
    const uint32_t which = below(w, 10);
    switch (depth > 0 && w->used < 1200 ? below(w, 7) : 6) {
    case 0:
        put(w, "("), vector(w, depth - 1), put(w, " %c ", "+-"[below(w, 2)]), vector(w, depth - 1),
            put(w, ")");
        break;
    case 1:
        put(w, "("), scalar(w, depth - 1), put(w, "*"), vector(w, depth - 1), put(w, ")");
        break;
    case 2: rotation_text(w, depth), put(w, "*"), vector(w, depth > 2 ? 2 : depth - 1); break;
    case 3:
        put(w, "cross("), vector(w, depth - 1), put(w, ", "), vector(w, depth - 1), put(w, ")");
        break;
    case 4: put(w, "frame(B)*"), vector(w, depth > 2 ? 2 : depth - 1); break;
    case 5:
        if (w->order >= needs[which]) {
            put(w, "%s", named[which]);
            break;
        }
        // fall through
    default:
        put(w, "("), scalar(w, depth - 2), put(w, ", "), scalar(w, depth - 2);
        if (chance(w, 70)) put(w, ", "), scalar(w, depth - 2);
        put(w, ")");
    }
}

// --- expressions ---------------------------------------------------------------------------------

const char *const random_declarations =
    "param a = 3/2, b = -2, c = 1/4, n = 3\nconst N = 3\ncoord x, y, z, q[1..3]\ngiven f = "
    "cos(2*t) + 1\n"
    "let r = sqrt(x^2 + y^2 + 1), w(u, v) = u*v - sin(v)\nfunction h(u) = exp(u/4) + u\nquasi v = "
    "x'*y - z'\n"
    "kinetic (x'^2 + y'^2 + z'^2 + q[1]'^2 + q[2]'^2 + q[3]'^2)/2\n"
    "point P: mass 1 at (x*y, z, x + t)\n"
    "body B: mass 1 at (x, y, z) inertia (1, 2, 3) rotation rot(z, q[1])*rot(x, q[2])*rot(z, "
    "q[3])\n";

static void start(writer *w, uint64_t seed, char out[RANDOM_TEXT]) {
    *w = (writer){.random = seed, .out = out, .order = 2, .time = true, .coordinates = 6};
    out[0] = '\0';
}

void random_expression(uint64_t seed, char out[RANDOM_TEXT]) {
    writer w;
    start(&w, seed, out);
    scalar(&w, 2 + (int)below(&w, 4));
}

void random_scalar_expression(uint64_t seed, char out[RANDOM_TEXT]) {
    writer w;
    start(&w, seed, out);
    w.scalars = true;
    w.coordinates = 3;
    w.order = 1;
    scalar(&w, 2 + (int)below(&w, 3));
}

// --- models --------------------------------------------------------------------------------------

typedef struct {
    writer w;
    int n;           // coordinates
    int constrained; // the first of them have a constraint each
    bool second[4];  // of order 2
    bool point, body;
} model_writer;

static const char *const coordinate_names[] = {"x", "y", "z", "p"};

// A small smooth function of coordinates (and of velocities, of t).
static void small(model_writer *m, int order, bool time) {
    static const char *const shapes[] = {"sin(%s)",         "cos(%s)",           "exp(%s/4)",
                                         "(1 + %s^2)",      "sqrt(2 + cos(%s))", "(a + %s/2)",
                                         "tanh(%s)",        "1/(2 + %s^2)",      "(%s - c)",
                                         "sqrt(exp(%s)*2)", "(3 + %s)^(1/3)",    "abs(%s + 2)"};
    writer *w = &m->w;
    char inside[64];
    const char *name = coordinate_names[below(w, (uint32_t)m->n)];
    if (time && chance(w, 20)) snprintf(inside, sizeof inside, "%s", chance(w, 50) ? "t" : "f");
    else if (order && chance(w, 50)) snprintf(inside, sizeof inside, "%s'", name);
    else if (chance(w, 25))
        snprintf(inside, sizeof inside, "(%s*%s)", name,
                 coordinate_names[below(w, (uint32_t)m->n)]);
    else snprintf(inside, sizeof inside, "%s", name);
    const char *shape = shapes[below(w, 12)], *mark = strstr(shape, "%s");
    put(w, "%.*s%s%s", (int)(mark - shape), shape, inside, mark + 2);
}

static void function_of(model_writer *m, int order, bool time) {
    small(m, order, time);
    if (chance(&m->w, 40)) put(&m->w, "%s", chance(&m->w, 60) ? "*" : " + "), small(m, order, time);
}

// Positive definite: squares of every velocity, with couplings too weak to matter.
static void kinetic_text(model_writer *m) {
    writer *w = &m->w;
    put(w, "(");
    for (int i = 0; i < m->n; i++) {
        put(w, "%s%s'^2", i ? " + " : "", coordinate_names[i]);
        if (chance(w, 40))
            put(w, "*(2 + "), put(w, "cos(%s))", coordinate_names[below(w, (uint32_t)m->n)]);
    }
    put(w, ")/2");
    if (m->n > 1 && chance(w, 50))
        put(w, " + sin(%s)/8*x'*y'", coordinate_names[below(w, (uint32_t)m->n)]);
    // gyroscopic
    if (chance(w, 30))
        put(w, " + %s'*", coordinate_names[below(w, (uint32_t)m->n)]), small(m, 0, chance(w, 30));
    if (chance(w, 8)) put(w, " + %s'^4/20", coordinate_names[below(w, (uint32_t)m->n)]);
}

static void energies_text(model_writer *m) {
    writer *w = &m->w;
    const uint32_t style = below(w, 10);
    if (style < 2) {
        put(w, "lagrangian "), kinetic_text(m), put(w, " - "), function_of(m, 0, true),
            put(w, "\n");
        return;
    }
    put(w, "kinetic "), kinetic_text(m), put(w, "\n");
    if (chance(w, 60)) put(w, "potential "), function_of(m, 0, true), put(w, "\n");
    if (chance(w, 35)) {
        m->point = true;
        put(w, "point P: mass %u at (", 1 + below(w, 3));
        small(m, 0, true), put(w, ", "), small(m, 0, false), put(w, ", "), small(m, 0, false),
            put(w, ")\n");
    }
    if (chance(w, 35)) {
        m->body = true;
        put(w, "body B: mass 2 at (x, "), small(m, 0, false), put(w, ", 0) inertia ");
        put(w, "%s rotation ", chance(w, 60) ? "(1, 2, a)" : "(1, 2, 3, 0.1, -0.2, 0.3)");
        if (chance(w, 30)) put(w, "rot((1, 2, %s), y)*", chance(w, 50) ? "2" : "cos(x)");
        put(w, "rot(%c, ", "xyz"[below(w, 3)]), small(m, 0, true), put(w, ")");
        if (chance(w, 60))
            put(w, "*rot(%c, %s)", "xyz"[below(w, 3)], coordinate_names[below(w, (uint32_t)m->n)]);
        put(w, "\n");
    }
    if ((m->point || m->body) && chance(w, 60))
        put(w, "gravity (%s, 0, %s)\n", chance(w, 20) ? "cos(t)" : "0",
            chance(w, 80) ? "-9.81" : "-1/(2 + x^2)");
}

static void forces_text(model_writer *m) {
    writer *w = &m->w;
    if (chance(w, 40))
        put(w, "force %s = ", coordinate_names[below(w, (uint32_t)m->n)]), function_of(m, 1, true),
            put(w, "\n");
    if (m->point && chance(w, 40))
        put(w, "force on P = ("), small(m, 1, true), put(w, ", 1, "), small(m, 1, false),
            put(w, ")\n");
    if (m->body && chance(w, 40))
        put(w, "torque on B = (0, "), small(m, 1, true), put(w, ", -omega(B).z)\n");
    if (m->body && chance(w, 25)) put(w, "force on B = -vel(B)\n");
    if (chance(w, 30)) put(w, "dissipation x'^2*"), small(m, 0, false), put(w, "/4\n");
}

// The j-th constraint fixes the j-th coordinate, velocity or acceleration in terms of later ones.
static void constraint_text(model_writer *m, int j, uint32_t kind) {
    writer *w = &m->w;
    const char *own = coordinate_names[j],
               *other = coordinate_names[j + 1 + (int)below(w, (uint32_t)(m->n - j - 1))],
               *last = coordinate_names[m->n - 1];
    put(w, "constraint k%d: ", j);
    switch (kind) {
    case 0: put(w, "%s + %s^2/8 = sin(%s)/2 + 0.3", own, own, other); break;   // order 0
    case 1: put(w, "%s = %s*cos(t)/2 + t/4", own, other); break;               // and rheonomic
    case 2: put(w, "%s' = %s'*", own, other), function_of(m, 0, false); break; // linear
    case 3:
        put(w, "%s' + ", own), small(m, 0, false), put(w, "*%s' = ", other),
            function_of(m, 0, true);
        break; // affine
    case 4:
        put(w, "%s'^2 = %s'^2*", own, other), small(m, 0, false), put(w, " + 1 + %s'^2", last);
        break;
    case 5: put(w, "%s' = sqrt(exp(%s)*(1 + %s'^2))", own, last, other); break; // nonlinear
    case 6: put(w, "%s' = %s'*%s' + ", own, other, last), small(m, 0, true); break;
    case 7: put(w, "(3 + %s)*%s'*2 = (%s'*a - f*%s)*(3 + %s)", last, own, other, own, last); break;
    // a factor that is never 0
    case 9: put(w, "(2 + sin(%s))*(%s' - %s'*f) = 0", last, own, other); break;
    case 10:
        put(w, "(%s' - %s'*a)*(%s' + 50) = 0", own, other, last);
        break; // a product
    // components that depend on one another
    case 11:
        put(w, "(%s' - %s'*a, (%s' - %s'*a)*cos(%s), 0) = (0, 0, 0)", own, other, own, other, last);
        break;
    case 12: // said twice
        put(w, "%s' = %s'*%s\nconstraint again%d: %s*%s' = %s'*%s^2", own, other, last, j, last,
            own, other, last);
        break;
    // order 2
    default:
        put(w, "%s'' = %s''*", own, other), small(m, 0, false), put(w, " + "), small(m, 1, true);
    }
    put(w, "\n");
    m->second[j] = kind == 8;
}

void random_model(uint64_t seed, char out[RANDOM_TEXT]) {
    model_writer m = {0};
    start(&m.w, seed, out);
    writer *w = &m.w;
    m.n = 2 + (int)below(w, 3);
    m.constrained = (int)below(w, (uint32_t)m.n);
    if (!m.constrained && chance(w, 80)) m.constrained = 1;
    put(w, "param a = 3/2, c = 1/4\ngiven f = cos(2*t) + 1\ncoord x");
    for (int i = 1; i < m.n; i++) put(w, ", %s", coordinate_names[i]);
    put(w, "\n");
    energies_text(&m);
    forces_text(&m);
    const bool higher = chance(w, 12); // a constraint of order 2 closes most forms: not too often
    for (int j = 0; j < m.constrained; j++)

        constraint_text(&m, j,
                        higher          ? 8 - below(w, 2) * below(w, 8)
                        : chance(w, 12) ? 9 + below(w, 4)
                                        : below(w, 8));
    if (chance(w, 40)) // one quasi-velocity for each velocity that is left
        for (int i = 0; i < m.n; i++) {
            if (i < m.constrained && !m.second[i]) continue;
            put(w, "quasi u%d = %s'*(1 + %s^2/4)", i, coordinate_names[i],
                coordinate_names[below(w, (uint32_t)m.n)]);
            if (i + 1 < m.n && chance(w, 40)) put(w, " + %s'/3", coordinate_names[i + 1]);
            put(w, "\n");
        }
    put(w, "initial");
    for (int i = m.constrained; i < m.n; i++)
        put(w, "%s %s = 0.%u, %s' = 0.%u", i > m.constrained ? "," : "", coordinate_names[i],
            1 + below(w, 8), coordinate_names[i], 2 + below(w, 8));
    put(w, "\n");
}

// --- shrinking -----------------------------------------------------------------------------------

// text with [from, to) replaced
static bool try_edit(char *text, size_t from, size_t to, const char *by,
                     int (*fails)(const char *, void *), void *data) {
    char edited[RANDOM_TEXT];
    const size_t length = strlen(text), more = strlen(by);
    if (length - (to - from) + more >= RANDOM_TEXT || to - from <= more) return false;
    memcpy(edited, text, from);
    memcpy(edited + from, by, more);
    memcpy(edited + from + more, text + to, length - to + 1);
    if (!fails(edited, data)) return false;
    memcpy(text, edited, length - (to - from) + more + 1);
    return true;
}

static size_t closing(const char *text, size_t open) {
    int depth = 0;
    for (size_t i = open; text[i]; i++) {
        depth += text[i] == '(';
        depth -= text[i] == ')';
        if (!depth) return i;
    }
    return 0;
}

// One smaller text that still fails, if there is a near one: a bracket with the name in front of it
// becomes a letter, a number or what is in it; a line goes; an operand goes.
static bool shrink_once(char *text, int (*fails)(const char *, void *), void *data) {
    for (size_t i = 0; text[i]; i++)
        if (i == 0 || text[i - 1] == '\n') {
            const char *end = strchr(text + i, '\n');
            if (end && try_edit(text, i, (size_t)(end - text) + 1, "", fails, data)) return true;
        }
    for (size_t i = 0; text[i]; i++) {
        if (text[i] != '(') continue;
        const size_t end = closing(text, i);
        size_t name = i;
        while (name > 0 && ((text[name - 1] >= 'a' && text[name - 1] <= 'z') ||
                            (text[name - 1] >= '0' && text[name - 1] <= '9')))
            name--;
        if (!end) continue;
        static const char *const simple[] = {"x", "1", "2", "y", "(x, y, 1)"};
        for (int k = 0; k < 5; k++)
            if (try_edit(text, name, end + 1, simple[k], fails, data)) return true;
        char inside[RANDOM_TEXT];
        memcpy(inside, text + i, end + 1 - i);
        inside[end + 1 - i] = '\0';
        if (name < i && try_edit(text, name, end + 1, inside, fails, data)) return true;
        int depth = 0; // operands of the bracket
        size_t from = i + 1;
        for (size_t j = i + 1; j <= end; j++) {
            if (j == end ||
                (!depth && text[j] == ' ' && strchr("+-*/", text[j + 1]) && text[j + 2] == ' ')) {
                memcpy(inside, text + from, j - from);
                inside[j - from] = '\0';
                if (try_edit(text, i, end + 1, inside, fails, data)) return true;
                if (from > i + 1 && try_edit(text, from - 3, j, "", fails, data)) return true;
                from = j + 3;
                j += 2;
                if (j >= end) break;
                continue;
            }
            depth += (text[j] == '(') - (text[j] == ')');
        }
    }
    return false;
}

void shrink_text(char text[RANDOM_TEXT], int (*fails)(const char *, void *), void *data) {
    for (int i = 0; i < 400 && shrink_once(text, fails, data); i++) {}
}
