// Derivatives of functions of (z, t) as code. Where f holds the unknowns x of a linear system
// A x = b, A dx/dv_j = db/dv_j - dA/dv_j x: the same matrix, a column for each variable v_j.
#include "execute/simulation.h"

// The right-hand sides, column after column
static expr *slopes_of_system(pool *p, const matrix_system *s, uint32_t variables,
                              const expr *variable) {
    const uint32_t n = s->n;
    expr *right = memory_array(expr, (size_t)n * variables),
         *of_right = memory_array(expr, (size_t)n * variables);
    expr *of_row = memory_array(expr, (size_t)n * variables), *along = memory_array(expr, n);
    expr_jacobian(p, n, s->right, variables, variable, of_right);
    for (uint32_t i = 0; i < n; i++) {
        expr_jacobian(p, n, s->matrix + i * n, variables, variable, of_row);
        for (uint32_t j = 0; j < variables; j++) {
            for (uint32_t l = 0; l < n; l++) along[l] = of_row[l * variables + j]; // dA_il/dv_j
            right[j * n + i] =
                expr_sub(p, of_right[i * variables + j], expr_dot(p, n, along, s->unknown));
        }
    }
    memory_free(of_right), memory_free(of_row), memory_free(along);
    return right;
}

// df_i/dv_j + sum_l df_i/dx_l dx_l/dv_j
static tape *through_system(const simulation *sim, uint32_t count, const expr *f,
                            uint32_t variables, const expr *variable, expr *entry) {
    pool *p = sim->m->pool;
    const matrix_system *of = &sim->o->system;
    expr *slope = memory_array(expr, (size_t)of->n * variables),
         *by_unknown = memory_array(expr, (size_t)of->n * count);
    for (uint32_t i = 0; i < of->n * variables; i++)
        slope[i] = expr_symbol(p, "slope", ROLE_PARAMETER);
    expr_jacobian(p, count, f, of->n, of->unknown, by_unknown);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < variables; j++)
            entry[i * variables + j] =
                expr_add(p, entry[i * variables + j],
                         expr_dot(p, of->n, by_unknown + i * of->n, slope + j * of->n));
    expr *right = slopes_of_system(p, of, variables, variable);
    const matrix_system both[] = {*of, {of->n, variables, of->symmetric, of->matrix, right, slope}};
    tape *t = tape_create_with(p, sim->o->size, sim->o->state, sim->m->time, sim->parameter_count,
                               sim->parameter, 2, both, count * variables, entry);
    memory_free(slope), memory_free(by_unknown), memory_free(right);
    return t;
}

tape *simulation_slopes(const simulation *sim, uint32_t count, const expr *f, uint32_t variables,
                        const expr *variable) {
    expr *entry = memory_array(expr, (size_t)count * variables);
    expr_jacobian(sim->m->pool, count, f, variables, variable, entry);
    tape *t = sim->o->system.n ? through_system(sim, count, f, variables, variable, entry)
                               : simulation_tape(sim, count * variables, entry);
    memory_free(entry);
    return t;
}

const tape *simulation_jacobian(simulation *sim) {
    const ode *o = sim->o;
    if (!sim->jacobian)
        sim->jacobian = simulation_slopes(sim, o->size, o->open_rate, o->size, o->state);
    return sim->jacobian;
}
