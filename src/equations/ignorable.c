// Coordinates that can be given any value.
#include "equations/ignorable.h"

#include "expr/program.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 3, ATTEMPTS = 12 }; // each point leaves a chance of about degree/2^60

// Do the values stay when the coordinate is moved? Quick, and enough to say no.
static bool seems_ignorable(const program *g, double *at, uint32_t symbol, const double *value, double *moved) {
    static const double MOVED = 0.7, CLOSE = 1e-8;
    const double here = at[symbol], place[2] = {0, here + MOVED};
    bool same = true;
    for (int k = 0; k < 2 && same; k++) {
        at[symbol] = place[k];
        program_run_double(g, at, moved);
        for (uint32_t i = 0; i < g->output_count && same; i++) same = fabs(moved[i] - value[i]) <= CLOSE * (1 + fabs(value[i])); // false for NaN
    }
    at[symbol] = here;
    return same;
}

static modular_status vanish_at(const program *g, uint64_t *state, mp_limb_t denominator, bool *vanish) {
    const uint32_t symbols = pool_symbol_count(g->pool);
    mp_limb_t *residue = memory_resize(NULL, sizeof(mp_limb_t) * (symbols + g->output_count + 1)), *out = residue + symbols;
    modular_point at = {.prime = modular_random_prime(state), .denominator = denominator};
    at.seed = random_next(state);
    for (uint32_t i = 0; i < symbols; i++) residue[i] = random_next(state) % at.prime;
    const modular_status status = program_run_modular(g, &at, residue, out);
    for (uint32_t i = 0; i < g->output_count && !status; i++) *vanish = *vanish && out[i] == 0;
    free(residue);
    return status;
}

// Are the derivatives by the coordinate 0?
static bool is_ignorable(pool *p, expr coordinate, uint32_t count, const expr *e) {
    static const expr one = EXPR_ONE;
    expr *derivative = memory_resize(NULL, sizeof(expr) * count);
    expr_pushforward(p, 1, &coordinate, &one, count, e, derivative);
    program *g = program_create(p, count, derivative);
    const mp_limb_t denominator = modular_denominator(p);
    uint64_t state = 0x1f0a;
    uint32_t points = 0;
    bool vanish = denominator != 0;
    for (int k = 0; k < ATTEMPTS && vanish && points < POINTS; k++) {
        const modular_status status = vanish_at(g, &state, denominator, &vanish);
        points += status == MODULAR_OK;
        if (status == MODULAR_UNSUPPORTED) vanish = false;
    }
    program_free(g);
    free(derivative);
    return vanish && points == POINTS;
}

void drop_ignorable(pool *p, uint32_t coordinates, const expr *coordinate, double *at, uint32_t count, const expr *concrete, expr *e) {
    static const expr zero = EXPR_ZERO;
    if (!count) return;
    program *g = program_create(p, count, concrete);
    double *value = memory_resize(NULL, sizeof(double) * count), *moved = memory_resize(NULL, sizeof(double) * count);
    program_run_double(g, at, value);
    for (uint32_t i = 0; i < coordinates; i++) {
        const expr q = coordinate[i];
        bool occurs = false;
        for (uint32_t j = 0; j < count && !occurs; j++) occurs = expr_depends_on(p, e[j], 1, &q);
        if (!occurs || !seems_ignorable(g, at, expr_symbol_index(p, q), value, moved) || !is_ignorable(p, q, count, e)) continue;
        expr_substitute(p, 1, &q, &zero, count, e, e);
    }
    program_free(g);
    free(value);
    free(moved);
}
