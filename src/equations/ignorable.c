// Coordinates that can be given any value.
#include "equations/ignorable.h"

#include "expr/vanish.h"
#include "expr/program.h"

#include <math.h>
#include <stdlib.h>

// Do the values stay when the coordinate is moved? Quick, and enough to say no.
static bool seems_ignorable(const program *g, double *at, uint32_t symbol, const double *value,
                            double *moved) {
    static const double MOVED = 0.7, CLOSE = 1e-8;
    const double here = at[symbol], place[2] = {0, here + MOVED};
    bool same = true;
    for (int k = 0; k < 2 && same; k++) {
        at[symbol] = place[k];
        program_run_double(g, at, moved);
        // False for NaN
        for (uint32_t i = 0; i < g->output_count && same; i++)
            same = fabs(moved[i] - value[i]) <= CLOSE * (1 + fabs(value[i]));
    }
    at[symbol] = here;
    return same;
}

// Are the derivatives by the coordinate 0?
static bool is_ignorable(pool *p, expr coordinate, uint32_t count, const expr *e) {
    static const expr one = EXPR_ONE;
    expr *derivative = memory_array(expr, count);
    expr_pushforward(p, 1, &coordinate, &one, count, e, derivative);
    const bool ignorable = all_vanish(p, count, derivative);
    memory_free(derivative);
    return ignorable;
}

void ignorable_drop(pool *p, uint32_t coordinates, const expr *coordinate, double *at,
                    uint32_t count, const expr *concrete, expr *e) {
    static const expr zero = EXPR_ZERO;
    if (!count) return;
    program *g = program_create(p, count, concrete);
    double *value = memory_array(double, count), *moved = memory_array(double, count);
    program_run_double(g, at, value);
    for (uint32_t i = 0; i < coordinates; i++) {
        const expr q = coordinate[i];
        bool occurs = false;
        for (uint32_t j = 0; j < count && !occurs; j++) occurs = expr_depends_on(p, e[j], 1, &q);
        if (!occurs || !seems_ignorable(g, at, expr_symbol_index(p, q), value, moved) ||
            !is_ignorable(p, q, count, e))
            continue;
        expr_substitute(p, 1, &q, &zero, count, e, e);
    }
    program_free(g);
    memory_free(value);
    memory_free(moved);
}
