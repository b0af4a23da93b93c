// Zero or not, at random points of F_p.
#include "expr/vanish.h"

#include "expr/program.h"

#include <stdlib.h>

enum { POINTS = 3, ATTEMPTS = 12 }; // each point leaves a chance of about degree/2^60

static modular_status vanish_at(const program *g, uint64_t *state, mp_limb_t denominator, bool *vanish) {
    const uint32_t symbols = pool_symbol_count(g->pool);
    mp_limb_t *residue = memory_resize(NULL, sizeof(mp_limb_t) * (symbols + g->output_count + 1)),
              *out = residue + symbols;
    modular_point at = {.prime = modular_random_prime(state), .denominator = denominator};
    at.seed = random_next(state);
    for (uint32_t i = 0; i < symbols; i++) residue[i] = random_next(state) % at.prime;
    const modular_status status = program_run_modular(g, &at, residue, out);
    for (uint32_t i = 0; i < g->output_count && !status; i++) *vanish = *vanish && out[i] == 0;
    free(residue);
    return status;
}

bool all_vanish(pool *p, uint32_t count, const expr *e) {
    program *g = program_create(p, count, e);
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
    return vanish && points == POINTS;
}
