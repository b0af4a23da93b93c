// Points and bodies in motion.
#include "derive/particles.h"

static moving_mass move(pool *p, const char *name, expr mass, vec3 position) {
    moving_mass m = {.name = name, .mass = mass, .position = position};
    m.velocity = vec3_ddt(p, position);
    m.acceleration = vec3_ddt(p, m.velocity);
    return m;
}

static turning_body turn(pool *p, const rigid_body *b) {
    turning_body t = {
        .name = b->name, .inertia = b->inertia, .omega = rotation_omega_body(p, b->orientation)};
    t.omega_rate = vec3_ddt(p, t.omega);
    t.moment = vec3_add(p, model_inertia_times(p, b->inertia, t.omega_rate),
                        vec3_cross(p, t.omega, model_inertia_times(p, b->inertia, t.omega)));
    return t;
}

particles particles_of(const mechanics *s) {
    const model *m = s->model;
    arena *a = &m->ctx->arena;
    particles out = {.mass_count = m->points_count + m->bodies_count,
                     .body_count = m->bodies_count};
    out.masses = arena_array(a, moving_mass, out.mass_count);
    out.bodies = arena_array(a, turning_body, out.body_count);
    for (uint32_t i = 0; i < m->points_count; i++)
        out.masses[i] = move(s->pool, m->points[i].name, m->points[i].mass, m->points[i].position);
    for (uint32_t i = 0; i < m->bodies_count; i++) {
        out.masses[m->points_count + i] =
            move(s->pool, m->bodies[i].name, m->bodies[i].mass, m->bodies[i].centre);
        out.bodies[i] = turn(s->pool, &m->bodies[i]);
    }
    return out;
}
