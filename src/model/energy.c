// Kinetic energy of points and bodies, potential of gravity, forces projected to the coordinates.
#include "model/mechanics.h"

#include "normal/normal.h"

static expr half(pool *p, expr e) { return expr_mul(p, EXPR_HALF, e); }

// 1/2 m |v|^2
static expr kinetic_of_mass(pool *p, expr mass, vec3 position) {
    const vec3 v = vec3_ddt(p, position);
    return half(p, expr_mul(p, mass, vec3_dot(p, v, v)));
}

vec3 model_inertia_times(pool *p, const expr inertia[6], vec3 w) {
    const expr row[3][3] = {{inertia[0], inertia[3], inertia[4]},
                            {inertia[3], inertia[1], inertia[5]},
                            {inertia[4], inertia[5], inertia[2]}};
    return vec3_make(expr_dot(p, 3, row[0], w.at), expr_dot(p, 3, row[1], w.at),
                     expr_dot(p, 3, row[2], w.at));
}

// 1/2 w . I w in body axes
static expr kinetic_of_rotation(pool *p, const rigid_body *b) {
    const vec3 w = rotation_omega_body(p, b->orientation);
    return half(p, vec3_dot(p, w, model_inertia_times(p, b->inertia, w)));
}

static expr total_kinetic(const model *m) {
    pool *p = m->pool;
    expr t = m->kinetic;
    for (uint32_t i = 0; i < m->points_count; i++)
        t = expr_add(p, t, kinetic_of_mass(p, m->points[i].mass, m->points[i].position));
    for (uint32_t i = 0; i < m->bodies_count; i++) {
        t = expr_add(p, t, kinetic_of_mass(p, m->bodies[i].mass, m->bodies[i].centre));
        t = expr_add(p, t, kinetic_of_rotation(p, &m->bodies[i]));
    }
    return t;
}

// A gravity that depends on no coordinate has the potential -m g.X; any other acts as a force.
bool model_gravity_is_uniform(const model *m) {
    for (int i = 0; i < 3; i++)
        if (expr_order(m->pool, m->gravity.at[i]) >= 0) return false;
    return true;
}

static expr total_potential(const model *m) {
    pool *p = m->pool;
    expr u = m->potential;
    if (!m->has_gravity || !model_gravity_is_uniform(m)) return u;
    for (uint32_t i = 0; i < m->points_count; i++)
        u = expr_sub(
            p, u, expr_mul(p, m->points[i].mass, vec3_dot(p, m->gravity, m->points[i].position)));
    for (uint32_t i = 0; i < m->bodies_count; i++)
        u = expr_sub(p, u,
                     expr_mul(p, m->bodies[i].mass, vec3_dot(p, m->gravity, m->bodies[i].centre)));
    return u;
}

static void add_to(pool *p, uint32_t n, expr *sum, const expr *term) {
    for (uint32_t i = 0; i < n; i++) sum[i] = expr_add(p, sum[i], term[i]);
}

// Q_i += F . dX/dq_i
static void project_force(const model *m, vec3 force, vec3 position, expr *q_force, expr *scratch) {
    expr_pullback(m->pool, 3, position.at, force.at, m->coordinates_count, m->coordinates, scratch);
    add_to(m->pool, m->coordinates_count, q_force, scratch);
}

static void project_forces(const model *m, const expr *qd, expr *force) {
    pool *p = m->pool;
    const uint32_t n = m->coordinates_count;
    expr *scratch = arena_array(&m->ctx->arena, expr, n);
    for (uint32_t i = 0; i < m->forces_count; i++)
        project_force(m, m->forces[i].force, m->forces[i].position, force, scratch);
    for (uint32_t i = 0; i < m->torques_count; i++) { // Q_i += M . d omega/dq'_i
        const vec3 omega = rotation_omega(p, m->bodies[m->torques[i].body].orientation);
        expr_pullback(p, 3, omega.at, m->torques[i].torque.at, n, qd, scratch);
        add_to(p, n, force, scratch);
    }
    if (m->has_gravity && !model_gravity_is_uniform(m)) {
        for (uint32_t i = 0; i < m->points_count; i++)
            project_force(m, vec3_scale(p, m->points[i].mass, m->gravity), m->points[i].position,
                          force, scratch);
        for (uint32_t i = 0; i < m->bodies_count; i++)
            project_force(m, vec3_scale(p, m->bodies[i].mass, m->gravity), m->bodies[i].centre,
                          force, scratch);
    }
    expr_gradient(p, m->dissipation, n, qd, scratch); // Q_i -= dD/dq'_i
    for (uint32_t i = 0; i < n; i++) force[i] = expr_sub(p, force[i], scratch[i]);
}

energies model_energies(const model *m) {
    pool *p = m->pool;
    const uint32_t n = m->coordinates_count;
    energies e = {.force = arena_array(&m->ctx->arena, expr, n)};
    expr *qd = arena_array(&m->ctx->arena, expr, n);
    for (uint32_t i = 0; i < n; i++) qd[i] = expr_symbol_of_order(p, m->coordinates[i], 1);
    for (uint32_t j = 0; j < m->generalised_forces_count; j++)
        for (uint32_t i = 0; i < n; i++)
            if (m->generalised_forces[j].symbol == m->coordinates[i])
                e.force[i] = expr_add(p, e.force[i], m->generalised_forces[j].value);
    project_forces(m, qd, e.force);
    const normal_budget budget = normal_budget_default();
    if (m->lagrangian != EXPR_NONE) {
        e.kinetic = m->lagrangian;
        e.potential = EXPR_ZERO;
    } else {
        e.kinetic = normal_simplify(p, total_kinetic(m), &budget);
        e.potential = normal_simplify(p, total_potential(m), &budget);
    }
    e.lagrangian = expr_sub(p, e.kinetic, e.potential);
    return e;
}
