// Functions on the constraint manifold.
#include "derive/manifold.h"

#include "derive/lagrange.h"

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
    expr_gradient(s->pool, s->potential, s->n, s->q, force); // dU/dq_i
    for (uint32_t i = 0; i < s->n; i++) force[i] = expr_sub(s->pool, s->force[i], force[i]);
    m->kinetic = s->kinetic;
    m->force = force;
}

manifold manifold_create(const mechanics *s) {
    manifold m = {.system = s, .v = basis_create(s)};
    split_energy(&m);
    return m;
}

// --- f* and its derivatives ----------------------------------------------------------------------

expr manifold_star(const manifold *m, expr f) {
    if (!m->v.explicit_velocities) return f;
    return expr_replace(m->system->pool, f, m->system->n, m->system->qd, m->v.velocity);
}

expr manifold_rate(const manifold *m, expr f) {
    const mechanics *s = m->system;
    const uint32_t n = s->n;
    expr *from = memory_array(expr, 2 * n), *to = memory_array(expr, 2 * n);
    memcpy(from, s->qdd, sizeof(expr) * n); // q'' = d/dt V
    memcpy(to, m->v.acceleration, sizeof(expr) * n);
    memcpy(from + n, s->qd, sizeof(expr) * n); // q' = V
    memcpy(to + n, m->v.velocity, sizeof(expr) * n);
    const expr rate = expr_replace(s->pool, expr_ddt(s->pool, f), 2 * n, from, to);
    memory_free(from);
    memory_free(to);
    return rate;
}

void manifold_eta_gradient(const manifold *m, expr f, expr *out) {
    const mechanics *s = m->system;
    if (m->v.explicit_velocities) {
        expr_gradient(s->pool, manifold_star(m, f), s->m, s->eta, out);
        return;
    }
    expr *gradient = memory_array(expr, s->n);
    expr_gradient(s->pool, f, s->n, s->qd, gradient);
    manifold_project(m, gradient, out); // df*/d eta_s = sum_i df/dq'_i B_is
    memory_free(gradient);
}

void manifold_q_gradient(const manifold *m, expr f, expr *out) {
    const mechanics *s = m->system;
    const uint32_t n = s->n;
    if (m->v.explicit_velocities) {
        expr_gradient(s->pool, manifold_star(m, f), n, s->q, out);
        return;
    }
    expr *momentum = memory_array(expr, n), *jacobian = memory_array(expr, (size_t)n * n);
    expr_gradient(s->pool, f, n, s->qd, momentum);
    expr_gradient(s->pool, f, n, s->q, out);
    manifold_velocity_jacobian(m, jacobian);
    for (uint32_t j = 0; j < n; j++) // df*/dq_j = df/dq_j + sum_i df/dq'_i dV_i/dq_j
        out[j] = expr_add(s->pool, out[j], expr_dot_column(s->pool, n, momentum, jacobian, n, j));
    memory_free(momentum);
    memory_free(jacobian);
}

void manifold_velocity_jacobian(const manifold *m, expr *out) {
    const mechanics *s = m->system;
    const uint32_t n = s->n;
    if (m->v.explicit_velocities) {
        expr_jacobian(s->pool, n, m->v.velocity, n, s->q, out);
        return;
    }
    // (Psi, Phi)(q, V, t) = (eta, 0)  =>  [dPsi/dq'; dPhi/dq'] dV/dq = -[dPsi/dq; dPhi/dq]
    expr *r = memory_array(expr, (size_t)n * n);
    for (uint32_t i = 0; i < n; i++) {
        expr_gradient(s->pool, basis_form(s, i), n, s->q, r + i * n);
        for (uint32_t j = 0; j < n; j++) r[i * n + j] = expr_neg(s->pool, r[i * n + j]);
    }
    basis_solve(s, n, r, out);
    memory_free(r);
}

// --- projections ---------------------------------------------------------------------------------

expr manifold_basis(const manifold *m, uint32_t i, uint32_t s) {
    return m->v.column[i * m->system->m + s];
}

expr manifold_along(const manifold *m, const expr *covector, uint32_t s) {
    const mechanics *system = m->system;
    return expr_dot_column(system->pool, system->n, covector, m->v.column, system->m, s);
}

void manifold_project(const manifold *m, const expr *covector, expr *out) {
    const mechanics *s = m->system;
    expr *c = memory_array(expr, s->n);
    memcpy(c, covector, sizeof(expr) * s->n);
    if (m->v.explicit_velocities) expr_substitute(s->pool, s->n, s->qd, m->v.velocity, s->n, c, c);
    for (uint32_t r = 0; r < s->m; r++) out[r] = manifold_along(m, c, r);
    memory_free(c);
}

void manifold_force(const manifold *m, expr *out) { manifold_project(m, m->force, out); }

void manifold_particle_force(const manifold *m, expr *out) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    if (m->kinetic == s->kinetic) {
        manifold_force(m, out);
        return;
    }
    expr *force = arena_array(arena_of(m), expr, s->n);
    lagrange_derivatives(s, s->potential, force);
    for (uint32_t i = 0; i < s->n; i++) // F_i = Q_i + d/dt dU/dq'_i - dU/dq_i
        force[i] =
            expr_add(p, s->force[i], expr_replace(p, force[i], s->n, s->qdd, m->v.acceleration));
    manifold_project(m, force, out);
}
