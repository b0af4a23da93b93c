// Functions on the constraint manifold.
#include "derive/manifold.h"

#include "derive/defect.h"

#include <stdlib.h>
#include <string.h>

static arena *arena_of(const manifold *m) { return &m->system->model->ctx->arena; }

// --- T and F -------------------------------------------------------------------------------------

// F_i = Q_i - dU/dq_i with T; where U depends on velocities L takes the place of T and F_i = Q_i.
static void split_energy(manifold *m) {
    const mechanics *s = m->system;
    if (s->potential == EXPR_ZERO || expr_depends_on(s->pool, s->potential, s->n, s->qd)) {
        m->kinetic = s->lagrangian;
        m->force = s->force;
        return;
    }
    expr *force = arena_array(arena_of(m), expr, s->n);
    expr_gradient(s->pool, s->potential, s->n, s->q, force);
    for (uint32_t i = 0; i < s->n; i++) force[i] = expr_sub(s->pool, s->force[i], force[i]);
    m->kinetic = s->kinetic;
    m->force = force;
}

manifold manifold_create(const mechanics *system) {
    manifold m = {.system = system, .v = basis_create(system)};
    split_energy(&m);
    return m;
}

// --- f* and its derivatives ----------------------------------------------------------------------

expr on_manifold(const manifold *m, expr f) {
    if (!m->v.explicit_velocities) return f;
    return expr_replace(m->system->pool, f, m->system->n, m->system->qd, m->v.velocity);
}

expr rate_on_manifold(const manifold *m, expr f) {
    const mechanics *s = m->system;
    const uint32_t n = s->n;
    expr *from = memory_array(expr, 2 * n), *to = memory_array(expr, 2 * n);
    memcpy(from, s->qdd, sizeof(expr) * n);
    memcpy(to, m->v.acceleration, sizeof(expr) * n);
    memcpy(from + n, s->qd, sizeof(expr) * n);
    memcpy(to + n, m->v.velocity, sizeof(expr) * n);
    const expr rate = expr_replace(s->pool, expr_ddt(s->pool, f), 2 * n, from, to);
    memory_free(from);
    memory_free(to);
    return rate;
}

expr basis_entry(const manifold *m, uint32_t i, uint32_t s) {
    return m->v.column[i * m->system->m + s];
}

void project(const manifold *m, const expr *covector, expr *out) {
    const mechanics *w = m->system;
    expr *c = memory_array(expr, w->n), *column = memory_array(expr, w->n);
    memcpy(c, covector, sizeof(expr) * w->n);
    if (m->v.explicit_velocities) expr_substitute(w->pool, w->n, w->qd, m->v.velocity, w->n, c, c);
    for (uint32_t s = 0; s < w->m; s++) {
        for (uint32_t i = 0; i < w->n; i++) column[i] = basis_entry(m, i, s);
        out[s] = expr_dot(w->pool, w->n, c, column);
    }
    memory_free(c);
    memory_free(column);
}

void project_force(const manifold *m, expr *out) { project(m, m->force, out); }

void project_particle_force(const manifold *m, expr *out) {
    const mechanics *w = m->system;
    pool *p = w->pool;
    if (m->kinetic == w->kinetic) {
        project_force(m, out);
        return;
    }
    expr *force = arena_array(arena_of(m), expr, w->n),
         *position = arena_array(arena_of(m), expr, w->n);
    expr_gradient(p, w->potential, w->n, w->qd, force);
    expr_gradient(p, w->potential, w->n, w->q, position);
    for (uint32_t i = 0; i < w->n; i++) {
        const expr rate = expr_replace(p, expr_ddt(p, force[i]), w->n, w->qdd, m->v.acceleration);
        force[i] = expr_add(p, w->force[i], expr_sub(p, rate, position[i]));
    }
    project(m, force, out);
}

void eta_gradient(const manifold *m, expr f, expr *out) {
    const mechanics *w = m->system;
    if (m->v.explicit_velocities) {
        expr_gradient(w->pool, on_manifold(m, f), w->m, w->eta, out);
        return;
    }
    expr *gradient = memory_array(expr, w->n);
    expr_gradient(w->pool, f, w->n, w->qd, gradient); // df*/d eta_s = sum_i df/dq'_i B_is
    project(m, gradient, out);
    memory_free(gradient);
}

void q_gradient(const manifold *m, expr f, expr *out) {
    const mechanics *w = m->system;
    const uint32_t n = w->n;
    if (m->v.explicit_velocities) {
        expr_gradient(w->pool, on_manifold(m, f), n, w->q, out);
        return;
    }
    expr *p = memory_array(expr, n), *jacobian = memory_array(expr, (size_t)n * n);
    expr *column = memory_array(expr, n);
    expr_gradient(w->pool, f, n, w->qd, p);
    expr_gradient(w->pool, f, n, w->q, out);
    velocity_q_jacobian(m, jacobian);
    for (uint32_t j = 0; j < n; j++) { // df*/dq_j = df/dq_j + sum_i df/dq'_i dV_i/dq_j
        for (uint32_t i = 0; i < n; i++) column[i] = jacobian[i * n + j];
        out[j] = expr_add(w->pool, out[j], expr_dot(w->pool, n, p, column));
    }
    memory_free(p);
    memory_free(jacobian);
    memory_free(column);
}

void velocity_q_jacobian(const manifold *m, expr *out) {
    const mechanics *w = m->system;
    const uint32_t n = w->n;
    if (m->v.explicit_velocities) {
        expr_jacobian(w->pool, n, m->v.velocity, n, w->q, out);
        return;
    }
    // (Psi, Phi)(q, V, t) = (eta, 0)  =>  [dPsi/dq'; dPhi/dq'] dV/dq = -[dPsi/dq; dPhi/dq]
    expr *r = memory_array(expr, (size_t)n * n);
    for (uint32_t i = 0; i < n; i++) {
        expr_gradient(w->pool, i < w->m ? w->psi[i] : w->phi[i - w->m], n, w->q, r + i * n);
        for (uint32_t j = 0; j < n; j++) r[i * n + j] = expr_neg(w->pool, r[i * n + j]);
    }
    basis_solve(w, n, r, out);
    memory_free(r);
}

void frame_inverse(const mechanics *w, expr *out) {
    expr *unit = memory_zeros(expr, (size_t)w->n * w->n);
    for (uint32_t i = 0; i < w->n; i++) unit[i * w->n + i] = EXPR_ONE;
    basis_solve(w, w->n, unit, out);
    memory_free(unit);
}

// --- delivery ------------------------------------------------------------------------------------

const expr *multiplier_recovery(const mechanics *s) {
    pool *p = s->pool;
    const uint32_t count = s->k + s->h, *carrier = s->h ? s->carrier : s->dependent;
    expr *defect = arena_array(&s->model->ctx->arena, expr, s->n),
         *recovery = arena_array(&s->model->ctx->arena, expr, count);
    lagrange_defect(s, defect);
    for (uint32_t j = 0; j < count; j++) {
        const uint32_t i = carrier[j];
        recovery[j] = defect[i];
        for (uint32_t nu = 0; nu < count; nu++)
            recovery[j] = expr_sub(p, recovery[j],
                                   expr_mul(p, s->multiplier[nu], s->phi_velocity[nu * s->n + i]));
    }
    return recovery;
}

void deliver_projected(equations *eq, const manifold *m, const expr *value) {
    const mechanics *s = m->system;
    residual *r = arena_array(arena_of(m), residual, s->m);
    for (uint32_t i = 0; i < s->m; i++) r[i] = (residual){value[i], RESIDUAL_MOTION, i};
    eq->unknown_count = s->m;
    eq->unknown = m->v.eta_rate;
    eq->residual = r;
    eq->symmetric = true;
    eq->explicit_velocities = m->v.explicit_velocities;
    eq->velocity = m->v.velocity;
    eq->acceleration = m->v.acceleration;
    eq->recovery = multiplier_recovery(s);
}
