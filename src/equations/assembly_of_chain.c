// Kane's equations of a long chain, in axes of space and for all masses at once: each step below is
// one sweep over what they share, so that the work grows as the chain does.
#include "equations/assembly.h"

#include <string.h>

typedef struct {
    const mechanics *s;
    pool *p;
    arena *arena;
    uint32_t masses, count; // points and bodies; vectors: a velocity of each, then w of each body
    expr *u;                // 3 x count: in (q, eta, t)
    expr *slope;            // m times 3 x count: du/d eta_s
    expr *rate;             // 3 x count: du/dt at eta' = 0
} sweep;

static const expr ZEROS[3] = {EXPR_ZERO, EXPR_ZERO, EXPR_ZERO};

static vec3 vector_at(const expr *list, uint32_t i) {
    return vec3_make(list[3 * i], list[3 * i + 1], list[3 * i + 2]);
}

// v = d centre/dt of points and bodies, w of bodies in their own axes; then q' = V(q, eta, t)
static void find_velocities(sweep *w, const expr *velocity) {
    const mechanics *s = w->s;
    const model *m = s->model;
    w->masses = m->points_count + m->bodies_count, w->count = w->masses + m->bodies_count;
    w->u = arena_array(w->arena, expr, 3 * w->count);
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t body = i - m->points_count;
        const vec3 u = i < m->points_count ? vec3_ddt(w->p, m->points[i].position)
                       : i < w->masses
                           ? vec3_ddt(w->p, m->bodies[body].centre)
                           : rotation_omega_body(w->p, m->bodies[i - w->masses].orientation);
        memcpy(w->u + 3 * i, u.at, sizeof u.at);
    }
    expr_substitute(w->p, s->n, s->qd, velocity, 3 * w->count, w->u, w->u);
}

static void find_slopes_and_rates(sweep *w, const expr *velocity) {
    const mechanics *s = w->s;
    const uint32_t size = 3 * w->count;
    const expr one = EXPR_ONE;
    w->slope = arena_array(w->arena, expr, s->m * size);
    w->rate = arena_array(w->arena, expr, size);
    expr *from = arena_array(w->arena, expr, s->n + s->m),
         *to = arena_array(w->arena, expr, s->n + s->m);
    for (uint32_t j = 0; j < s->m; j++)
        expr_pushforward(w->p, 1, &s->eta[j], &one, size, w->u, w->slope + j * size);
    for (uint32_t i = 0; i < size; i++) w->rate[i] = expr_ddt(w->p, w->u[i]);
    memcpy(from, s->qd, sizeof(expr) * s->n), memcpy(to, velocity, sizeof(expr) * s->n);
    for (uint32_t j = 0; j < s->m; j++)
        from[s->n + j] = expr_symbol_derivative(w->p, s->eta[j]), to[s->n + j] = EXPR_ZERO;
    expr_substitute(w->p, s->n + s->m, from, to, size, w->rate, w->rate);
}

static expr mass_of(const model *m, uint32_t i) {
    return i < m->points_count ? m->points[i].mass : m->bodies[i - m->points_count].mass;
}

// m u, or I w
static vec3 momentum(const sweep *w, uint32_t i, vec3 u) {
    const model *m = w->s->model;
    return i < w->masses ? vec3_scale(w->p, mass_of(m, i), u)
                         : model_inertia_times(w->p, m->bodies[i - w->masses].inertia, u);
}

// m (u' - g), or I w' + w x I w
static vec3 inertial_force(const sweep *w, uint32_t i) {
    const model *m = w->s->model;
    const bool weighs = m->has_gravity && model_gravity_is_uniform(m);
    const vec3 g = weighs ? m->gravity : vector_at(ZEROS, 0), u = vector_at(w->u, i),
               rate = vector_at(w->rate, i);
    if (i < w->masses) return momentum(w, i, vec3_sub(w->p, rate, g));
    return vec3_add(w->p, momentum(w, i, rate), vec3_cross(w->p, u, momentum(w, i, u)));
}

// M_st = sum du/d eta_s . momentum(du/d eta_t), r_s = Q . dq'/d eta_s - sum du/d eta_s . force
static void add_up(const sweep *w, const expr *velocity, assembly *out) {
    const mechanics *s = w->s;
    const uint32_t size = 3 * w->count, m = s->m;
    const expr one = EXPR_ONE;
    expr *term = arena_array(w->arena, expr, w->count + 1), *q = arena_array(w->arena, expr, s->n),
         *column = arena_array(w->arena, expr, s->n);
    expr_gradient(w->p, s->model->potential, s->n, s->q, q);
    for (uint32_t i = 0; i < s->n; i++) q[i] = expr_sub(w->p, s->force[i], q[i]); // Q_i - dU/dq_i
    for (uint32_t j = 0; j < m; j++) {
        const expr *along = w->slope + j * size;
        for (uint32_t k = j; k < m; k++) {
            for (uint32_t i = 0; i < w->count; i++)
                term[i] = vec3_dot(w->p, vector_at(along, i),
                                   momentum(w, i, vector_at(w->slope + k * size, i)));
            out->matrix[j * m + k] = out->matrix[k * m + j] = expr_sum(w->p, w->count, term);
        }
        for (uint32_t i = 0; i < w->count; i++)
            term[i] = expr_neg(w->p, vec3_dot(w->p, vector_at(along, i), inertial_force(w, i)));
        expr_pushforward(w->p, 1, &s->eta[j], &one, s->n, velocity, column);
        term[w->count] = expr_dot(w->p, s->n, q, column);
        out->right[j] = expr_sum(w->p, w->count + 1, term);
    }
    expr_substitute(w->p, s->n, s->qd, velocity, m, out->right, out->right); // of Q
}

void assembly_of_chain(const equations *eq, assembly *out) {
    const mechanics *s = eq->system;
    sweep w = {.s = s, .p = s->pool, .arena = &s->model->ctx->arena};
    *out = (assembly){.matrix = arena_array(w.arena, expr, s->m * s->m + s->m),
                      .velocity = (expr *)eq->velocity};
    out->right = out->matrix + s->m * s->m;
    find_velocities(&w, eq->velocity);
    find_slopes_and_rates(&w, eq->velocity);
    add_up(&w, eq->velocity, out);
}
