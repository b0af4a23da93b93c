// Zero or not, at random points of F_p.
#include "expr/vanish.h"

#include "expr/program.h"

enum { POINTS = 3, ATTEMPTS = 12 }; // each point leaves a chance of about degree/2^60

// Takes the mark from each output that is not 0 at a random point.
static modular_status look_at_point(const program *g, uint64_t *state, modular_angles angles,
                                    bool *vanishes) {
    const uint32_t symbols = pool_symbol_count(g->pool);
    mp_limb_t *residue = memory_array(mp_limb_t, symbols + g->output_count + 1),
              *out = residue + symbols;
    const modular_point at = modular_point_random(angles, state);
    for (uint32_t i = 0; i < symbols; i++) residue[i] = random_next(state) % at.prime;
    const modular_status status = program_run_modular(g, &at, residue, out);
    for (uint32_t i = 0; i < g->output_count && !status; i++)
        vanishes[i] = vanishes[i] && out[i] == 0;
    memory_free(residue);
    return status;
}

static bool any_of(uint32_t count, const bool *mark) {
    for (uint32_t i = 0; i < count; i++)
        if (mark[i]) return true;
    return false;
}

static bool all_of(uint32_t count, const bool *mark) {
    for (uint32_t i = 0; i < count; i++)
        if (!mark[i]) return false;
    return true;
}

// Marks those that vanish at enough points. With `all`, it ends as soon as one does not. False if
// the points were not found.
static bool mark_vanishing(pool *p, uint32_t count, const expr *e, bool all, bool *vanishes) {
    program *g = program_create(p, count, e);
    const modular_angles angles = modular_angles_of(p);
    uint64_t state = pool_context(p)->seed;
    uint32_t points = 0;
    bool possible = angles.denominator != 0;
    for (uint32_t i = 0; i < count; i++) vanishes[i] = true;
    for (int k = 0; k < ATTEMPTS && possible && points < POINTS; k++) {
        const modular_status status = look_at_point(g, &state, angles, vanishes);
        points += status == MODULAR_OK;
        possible = status != MODULAR_UNSUPPORTED &&
                   (all ? all_of(count, vanishes) : any_of(count, vanishes));
    }
    program_free(g);
    return possible && points == POINTS;
}

bool expr_all_vanish(pool *p, uint32_t count, const expr *e) {
    bool *vanishes = memory_array(bool, count + 1);
    const bool all = mark_vanishing(p, count, e, true, vanishes);
    memory_free(vanishes);
    return all;
}

void expr_clear_vanishing(pool *p, uint32_t count, expr *e) {
    bool *vanishes = memory_array(bool, count + 1);
    if (mark_vanishing(p, count, e, false, vanishes))
        for (uint32_t i = 0; i < count; i++)
            if (vanishes[i]) e[i] = EXPR_ZERO;
    memory_free(vanishes);
}

enum { REAL_POINTS = 6, REAL_BITS = 256 };

bool expr_differs_from_zero(pool *p, expr e) {
    program *g = program_create(p, 1, &e);
    const uint32_t symbols = pool_symbol_count(p);
    bool *known = memory_array(bool, symbols + 1), found = false;
    for (uint32_t i = 0; i < symbols; i++) known[i] = true;
    arb_ptr value = _arb_vec_init(symbols + 1);
    arb_t result;
    arb_init(result);
    uint64_t state = 0x2e1;
    for (int k = 0; k < REAL_POINTS && !found && program_first_unknown(g, known) == EXPR_NONE;
         k++) {
        for (uint32_t i = 0; i < symbols; i++) {
            arb_set_ui(value + i, 340 + random_next(&state) % 1640);
            arb_div_ui(value + i, value + i, 1009, REAL_BITS);
        }
        program_run_arb(g, value, REAL_BITS, result);
        found = arb_is_finite(result) && !arb_contains_zero(result);
    }
    arb_clear(result);
    _arb_vec_clear(value, symbols + 1);
    memory_free(known);
    program_free(g);
    return found;
}
