// df/dz as code. Where f holds the unknowns x of a linear system A x = b, A dx/dz_j = db/dz_j -
// dA/dz_j x: the same matrix, a column for each z_j.
#include "execute/simulation.h"

// The right-hand sides, column after column
static expr *slopes_of_system(pool *p, const matrix_system *s, uint32_t states, const expr *z) {
    const uint32_t n = s->n;
    expr *right = memory_array(expr, (size_t)n * states),
         *of_right = memory_array(expr, (size_t)n * states);
    expr *of_row = memory_array(expr, (size_t)n * states), *along = memory_array(expr, n);
    expr_jacobian(p, n, s->right, states, z, of_right);
    for (uint32_t i = 0; i < n; i++) {
        expr_jacobian(p, n, s->matrix + i * n, states, z, of_row);
        for (uint32_t j = 0; j < states; j++) {
            for (uint32_t l = 0; l < n; l++) along[l] = of_row[l * states + j]; // dA_il/dz_j
            right[j * n + i] =
                expr_sub(p, of_right[i * states + j], expr_dot(p, n, along, s->unknown));
        }
    }
    memory_free(of_right), memory_free(of_row), memory_free(along);
    return right;
}

static tape *direct(const simulation *sim, uint32_t n, expr *entry) {
    expr_jacobian(sim->m->pool, n, sim->o->open_rate, n, sim->o->state, entry);
    return simulation_tape(sim, n * n, entry);
}

// df_i/dz_j + sum_l df_i/dx_l dx_l/dz_j
static tape *through_system(const simulation *sim, uint32_t n, expr *entry) {
    pool *p = sim->m->pool;
    const matrix_system *of = &sim->o->system;
    expr *slope = memory_array(expr, (size_t)of->n * n),
         *by_unknown = memory_array(expr, (size_t)of->n * n);
    for (uint32_t i = 0; i < of->n * n; i++) slope[i] = expr_symbol(p, "slope", ROLE_PARAMETER);
    expr_jacobian(p, n, sim->o->open_rate, n, sim->o->state, entry);
    expr_jacobian(p, n, sim->o->open_rate, of->n, of->unknown, by_unknown);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            entry[i * n + j] = expr_add(
                p, entry[i * n + j], expr_dot(p, of->n, by_unknown + i * of->n, slope + j * of->n));
    expr *right = slopes_of_system(p, of, n, sim->o->state);
    const matrix_system both[] = {*of, {of->n, n, of->symmetric, of->matrix, right, slope}};
    tape *t = tape_create_with(p, n, sim->o->state, sim->m->time, sim->parameter_count,
                               sim->parameter, 2, both, n * n, entry);
    memory_free(slope), memory_free(by_unknown), memory_free(right);
    return t;
}

const tape *simulation_jacobian(simulation *sim) {
    if (sim->jacobian) return sim->jacobian;
    const uint32_t n = sim->o->size;
    expr *entry = memory_array(expr, (size_t)n * n);
    sim->jacobian = sim->o->system.n ? through_system(sim, n, entry) : direct(sim, n, entry);
    memory_free(entry);
    return sim->jacobian;
}
