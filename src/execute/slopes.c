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

// --- along the motion ----------------------------------------------------------------------------

// D = d/dt + sum_i dz_i/dt d/dz_i, in which unknowns are as constants
typedef struct {
    uint32_t count;
    expr *variable, *direction;
} motion_direction;

static motion_direction direction_of(const simulation *sim) {
    const uint32_t size = sim->o->size;
    expr *variable = memory_array(expr, 2 * ((size_t)size + 1)), *direction = variable + size + 1;
    for (uint32_t i = 0; i < size; i++)
        variable[i] = sim->o->state[i], direction[i] = sim->o->open_rate[i];
    variable[size] = sim->m->time, direction[size] = expr_int(sim->m->pool, 1);
    return (motion_direction){size + 1, variable, direction};
}

// D f + sum_l df/dx_l dx_l/dt, where A dx/dt = D b - (D A) x
static tape *along_through_system(const simulation *sim, uint32_t count, const expr *f,
                                  const motion_direction *d, expr *entry) {
    pool *p = sim->m->pool;
    const matrix_system *of = &sim->o->system;
    const uint32_t n = of->n;
    expr *slope = memory_array(expr, 2 * (size_t)n), *right = slope + n,
         *by_unknown = memory_array(expr, (size_t)n * count),
         *of_matrix = memory_array(expr, (size_t)n * n);
    for (uint32_t i = 0; i < n; i++) slope[i] = expr_symbol(p, "slope", ROLE_PARAMETER);
    expr_jacobian(p, count, f, n, of->unknown, by_unknown);
    for (uint32_t i = 0; i < count; i++)
        entry[i] = expr_add(p, entry[i], expr_dot(p, n, by_unknown + i * n, slope));
    expr_pushforward(p, d->count, d->variable, d->direction, n, of->right, right);
    expr_pushforward(p, d->count, d->variable, d->direction, n * n, of->matrix, of_matrix);
    for (uint32_t i = 0; i < n; i++)
        right[i] = expr_sub(p, right[i], expr_dot(p, n, of_matrix + i * n, of->unknown));
    const matrix_system both[] = {*of, {n, 1, of->symmetric, of->matrix, right, slope}};
    tape *t = tape_create_with(p, sim->o->size, sim->o->state, sim->m->time, sim->parameter_count,
                               sim->parameter, 2, both, count, entry);
    memory_free(slope), memory_free(by_unknown), memory_free(of_matrix);
    return t;
}

tape *simulation_slopes_along(const simulation *sim, uint32_t count, const expr *f) {
    const motion_direction d = direction_of(sim);
    expr *entry = memory_array(expr, (size_t)count + 1);
    expr_pushforward(sim->m->pool, d.count, d.variable, d.direction, count, f, entry);
    tape *t = sim->o->system.n ? along_through_system(sim, count, f, &d, entry)
                               : simulation_tape(sim, count, entry);
    memory_free(d.variable), memory_free(entry);
    return t;
}

const tape *simulation_jacobian(simulation *sim) {
    const ode *o = sim->o;
    if (!sim->jacobian)
        sim->jacobian = simulation_slopes(sim, o->size, o->open_rate, o->size, o->state);
    return sim->jacobian;
}
