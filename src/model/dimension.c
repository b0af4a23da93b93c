// Dimensions: arithmetic on exponents, what a dimension is called, and the table of units.
#include "model/dimension.h"

#include "base/names.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

// --- exponents -----------------------------------------------------------------------------------

static bool keep(int64_t e, exponent *out) {
    if (e > DIMENSION_LARGEST || e < -DIMENSION_LARGEST) return false;
    *out = (exponent)e;
    return true;
}

bool exponent_make(int64_t up, int64_t down, exponent *out) {
    const int64_t most = DIMENSION_LARGEST;
    if (!down || up > most || up < -most || down > most || down < -most) return false;
    if (up * DIMENSION_WHOLE % down) return false;
    return keep(up * DIMENSION_WHOLE / down, out);
}

bool exponent_times(exponent a, exponent b, exponent *out) {
    const int64_t product = (int64_t)a * b;
    return product % DIMENSION_WHOLE == 0 && keep(product / DIMENSION_WHOLE, out);
}

bool exponent_over(exponent a, exponent b, exponent *out) {
    const int64_t whole = (int64_t)a * DIMENSION_WHOLE;
    return whole % b == 0 && keep(whole / b, out);
}

static int32_t common_divisor(int32_t a, int32_t b) {
    while (b) {
        const int32_t rest = a % b;
        a = b;
        b = rest;
    }
    return abs(a);
}

const char *exponent_text(arena *a, exponent e) {
    const int32_t divisor = common_divisor(e, DIMENSION_WHOLE);
    const int32_t up = e / divisor, down = DIMENSION_WHOLE / divisor;
    return down == 1 ? arena_format(a, "%d", up) : arena_format(a, "(%d/%d)", up, down);
}

// --- dimensions ----------------------------------------------------------------------------------

dimension dimension_make(int length, int mass, int time) {
    return (dimension){
        {length * DIMENSION_WHOLE, mass * DIMENSION_WHOLE, time * DIMENSION_WHOLE, 0, 0}};
}

bool dimension_equal(const dimension *a, const dimension *b) {
    return memcmp(a->of, b->of, sizeof a->of) == 0;
}

bool dimension_multiply(dimension *d, const dimension *other, exponent times) {
    dimension product = *d;
    for (int i = 0; i < DIMENSION_BASES; i++) {
        exponent more;
        if (!exponent_times(other->of[i], times, &more) ||
            !keep((int64_t)product.of[i] + more, &product.of[i]))
            return false;
    }
    *d = product;
    return true;
}

// --- names ---------------------------------------------------------------------------------------

static const struct {
    const char *words, *unit;
    int8_t of[DIMENSION_BASES];
} named[] = {
#define NAMED(words, unit, m, kg, s, A, K) {words, unit, {m, kg, s, A, K}},
#include "model/units.def"
};

// Its place in the list of names; -1 if it has none.
static int find_named(const dimension *d) {
    for (size_t i = 0; i < COUNT(named); i++) {
        bool same = true;
        for (int b = 0; b < DIMENSION_BASES && same; b++)
            same = d->of[b] == named[i].of[b] * DIMENSION_WHOLE;
        if (same) return (int)i;
    }
    return -1;
}

// The factors with positive exponents, or with negative ones: "kg*m^2", "/s^2"
static void write_factors(arena *a, const dimension *d, bool positive, text *out) {
    static const char *const symbols[] = {"m", "kg", "s", "A", "K"};
    static const int order[] = {BASE_MASS, BASE_LENGTH, BASE_TIME, BASE_CURRENT, BASE_TEMPERATURE};
    for (size_t i = 0; i < COUNT(order); i++) {
        const exponent e = d->of[order[i]];
        if (!e || (e > 0) != positive) continue;
        text_format(out, "%s%s", positive ? out->length ? "*" : "" : "/", symbols[order[i]]);
        if (abs(e) != DIMENSION_WHOLE) text_format(out, "^%s", exponent_text(a, abs(e)));
    }
}

const char *dimension_unit(arena *a, const dimension *d) {
    const int known = find_named(d);
    if (known >= 0) return named[known].unit;
    text t = {0};
    write_factors(a, d, true, &t);
    if (!t.length) text_format(&t, "1");
    write_factors(a, d, false, &t);
    const char *unit = arena_copy(a, t.bytes, t.length);
    text_free(&t);
    return unit;
}

const char *dimension_words(arena *a, const dimension *d) {
    const int known = find_named(d);
    if (known == 0) return named[0].words;
    return arena_format(a, "%s [%s]", known > 0 ? named[known].words : "a quantity",
                        dimension_unit(a, d));
}

// --- the table of units --------------------------------------------------------------------------

static const struct {
    const char *name;
    int8_t of[DIMENSION_BASES];
    int64_t up, down;
    int8_t pi;
    bool prefixed;
} units[] = {
#define UNIT(name, m, kg, s, A, K, up, down, pi, prefixed)                                         \
    {name, {m, kg, s, A, K}, up, down, pi, prefixed},
#include "model/units.def"
};

static const struct {
    const char *name;
    int64_t up, down;
} prefixes[] = {
    {"", 1, 1},    {"n", 1, 1000000000}, {"u", 1, 1000000}, {"mu", 1, 1000000},   {"m", 1, 1000},
    {"c", 1, 100}, {"k", 1000, 1},       {"M", 1000000, 1}, {"G", 1000000000, 1},
};

bool unit_find(const char *name, unit_size *out) {
    for (size_t p = 0; p < COUNT(prefixes); p++) {
        const size_t length = strlen(prefixes[p].name);
        if (strncmp(name, prefixes[p].name, length) != 0) continue;
        for (size_t i = 0; i < COUNT(units); i++) {
            if (strcmp(units[i].name, name + length) != 0 || (p && !units[i].prefixed)) continue;
            *out = (unit_size){.up = units[i].up * prefixes[p].up,
                               .down = units[i].down * prefixes[p].down,
                               .pi = units[i].pi};
            for (int b = 0; b < DIMENSION_BASES; b++)
                out->dimension.of[b] = units[i].of[b] * DIMENSION_WHOLE;
            return true;
        }
    }
    return false;
}

const char *unit_nearest(const char *name) {
    static const struct {
        const char *written, *meant;
    } known[] = {{"sec", "s"},    {"second", "s"},   {"seconds", "s"},   {"hr", "h"},
                 {"hour", "h"},   {"meter", "m"},    {"metre", "m"},     {"kph", "km/h"},
                 {"kmh", "km/h"}, {"degree", "deg"}, {"degrees", "deg"}, {"grad", "deg"},
                 {"newton", "N"}, {"joule", "J"},    {"watt", "W"},      {"inch", "in"},
                 {"t", "Mg"}};
    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(known[i].written, name) == 0) return known[i].meant;
    names all = {0};
    for (size_t i = 0; i < COUNT(units); i++) names_put(&all, units[i].name, 0);
    names_put(&all, "kg", 0);
    const char *near = names_nearest(&all, name, NULL);
    names_free(&all);
    return near;
}
