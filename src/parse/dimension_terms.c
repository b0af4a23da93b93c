// Dimensions that are not known yet, and what follows for them from equations.
#include "parse/dimension_terms.h"

#include "base/memory.h"
#include <stdlib.h>

enum { MOST_PARTS = 64, MOST_DEPTH_OF_SOLUTIONS = 2000 };

dim dim_new(dim_table *t, const char *name) {
    array_reserve(t->unknown, t->count, t->capacity);
    t->unknown[t->count] = (dim_unknown){.name = name};
    dim_part *part = arena_new(t->arena, dim_part);
    *part = (dim_part){t->count++, DIMENSION_WHOLE};
    return (dim){.count = 1, .parts = part};
}

void dim_free(dim_table *t) { memory_free(t->unknown); }

// a * b^times, the lists of unknowns merged; lost where an exponent cannot be kept
dim dim_times(dim_table *t, dim a, dim b, exponent times) {
    if (a.lost || b.lost) return dim_lost();
    if (a.any || b.any) return dim_any();
    if (!dimension_multiply(&a.known, &b.known, times)) return dim_lost();
    if (!b.count || !times) return a;
    if (a.count + b.count > MOST_PARTS) return dim_lost();
    dim_part *parts = arena_array(t->arena, dim_part, a.count + b.count);
    uint32_t i = 0, j = 0, count = 0;
    while (i < a.count || j < b.count) {
        const bool from_a =
                       j == b.count || (i < a.count && a.parts[i].unknown <= b.parts[j].unknown),
                   from_b =
                       i == a.count || (j < b.count && b.parts[j].unknown <= a.parts[i].unknown);
        dim_part sum = from_a ? a.parts[i] : (dim_part){b.parts[j].unknown, 0};
        exponent more = 0;
        if (from_b && !exponent_times(b.parts[j].times, times, &more)) return dim_lost();
        if (labs((long)sum.times + more) > DIMENSION_LARGEST) return dim_lost();
        sum.times += more;
        i += from_a, j += from_b;
        if (sum.times) parts[count++] = sum;
    }
    a.parts = parts;
    a.count = count;
    return a;
}

static dim settle(dim_table *t, dim a, uint32_t depth) {
    bool open = true;
    for (uint32_t i = 0; i < a.count && open; i++) open = !t->unknown[a.parts[i].unknown].solved;
    if (open) return a;
    if (depth > MOST_DEPTH_OF_SOLUTIONS) return dim_lost();
    dim all = dim_of(a.known);
    for (uint32_t i = 0; i < a.count; i++) {
        const uint32_t which = a.parts[i].unknown;
        dim factor = {.count = 1, .parts = &(dim_part){which, DIMENSION_WHOLE}};
        if (t->unknown[which].solved) {
            factor = settle(t, t->unknown[which].value, depth + 1);
            t->unknown[which].value = factor; // the next one need not go as far
        }
        all = dim_times(t, all, factor, a.parts[i].times);
    }
    return all;
}

dim dim_settle(dim_table *t, dim a) { return settle(t, a, 0); }

// a/b = 1: the last unknown in it follows from the others.
bool dim_agree(dim_table *t, dim a, dim b, span at) {
    const dim d = dim_settle(t, dim_times(t, a, b, -DIMENSION_WHOLE));
    if (d.any || d.lost) return true;
    if (!d.count) return dimension_is_none(&d.known);
    const dim_part last = d.parts[d.count - 1];
    dim rest = d, value = dim_none();
    rest.count--;
    exponent inverse; // last^times = 1/rest
    if (!exponent_over(-DIMENSION_WHOLE, last.times, &inverse)) value = dim_lost();
    else value = dim_times(t, value, rest, inverse);
    dim_unknown *u = &t->unknown[last.unknown];
    u->solved = true;
    u->value = value;
    u->at = at;
    return true;
}

const char *dim_words(dim_table *t, dim a) {
    a = dim_settle(t, a);
    if (a.lost || a.any) return "of any dimension";
    if (!a.count) return dimension_words(t->arena, &a.known);
    const bool alone = dimension_is_none(&a.known);
    const char *words = alone ? "" : dimension_unit(t->arena, &a.known);
    for (uint32_t i = 0; i < a.count; i++) {
        const exponent e = a.parts[i].times;
        words = arena_format(t->arena, "%s%s[%s]", words, *words ? "*" : "",
                             t->unknown[a.parts[i].unknown].name);
        if (e != DIMENSION_WHOLE)
            words = arena_format(t->arena, "%s^%s", words, exponent_text(t->arena, e));
    }
    return arena_format(t->arena, "a quantity [%s]", words);
}
