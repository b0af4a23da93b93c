// The reduced bracket. With the fields X_s = sum_i B_is d/dq_i that span the admissible velocities,
// q' = sum_s X_s eta_s, the functions p~_s = sum_i p_i B_is have the canonical brackets
//   {q_i, q_j} = 0,   {q_i, p~_s} = B_is,   {p~_r, p~_s} = -sum_i p_i [X_r, X_s]_i,
// and restricted to the submanifold of the constraints, p = dL/dq'(q, B eta), they are those of (q,
// p~). A bracket that leaves the span of the X_s brings in momenta along the constrained
// directions, and Jacobi's identity fails with it. With H~ = sum_s p~_s eta_s - L*:
//   q'_i = sum_s B_is dH~/dp~_s,   p~'_s
//   = -sum_i B_is dH~/dq_i + sum_r {p~_s, p~_r} dH~/dp~_r + sum_i Q_i B_is.
// Proof: dH~/dp~_r = eta_r, dH~/dq_i = -dL/dq_i - sum_jr p_j dB_jr/dq_i eta_r; what is left is d/dt
// p~_s with p' = dL/dq + Q + reactions.
#include "derive/almost_poisson.h"

#include "derive/manifold.h"
#include "derive/refusal.h"
#include "derive/sample_pivots.h"
#include "expr/matrix.h"
#include "normal/normal.h"

// q' = B(q) eta, with nothing beside it and no t in it?
static bool is_homogeneous(const manifold *m) {
    const mechanics *s = m->system;
    const normal_budget budget = normal_budget_default();
    if (!m->v.explicit_velocities) return false;
    for (uint32_t i = 0; i < s->n; i++) {
        const expr offset = expr_at_zero(s->pool, m->v.velocity[i], s->m, s->eta);
        if (expr_depends_on_time(s->pool, m->v.velocity[i]) ||
            normal_is_zero(s->pool, offset, &budget) != NORMAL_YES)
            return false;
    }
    return true;
}

bool almost_poisson_velocities(const mechanics *s, uint32_t count, const expr *momentum,
                               const expr *u, const expr *p, expr *out) {
    arena *a = &s->model->ctx->arena;
    expr *mass = arena_array(a, expr, count * count), *rest = arena_array(a, expr, count),
         *zero = arena_array(a, expr, count);
    uint32_t *row = arena_array(a, uint32_t, count), *column = arena_array(a, uint32_t, count);
    expr_jacobian(s->pool, count, momentum, count, u, mass);
    for (uint32_t i = 0; i < count * count; i++)
        for (uint32_t j = 0; j < count; j++)
            if (normal_depends_on(s->pool, mass[i], u[j])) return false;
    if (sample_pivots_find(s, count, mass, row, column) < count) return false;
    expr_substitute(s->pool, count, u, zero, count, momentum, rest);
    expr_substitute(s->pool, count, u, zero, count * count, mass, mass);
    for (uint32_t i = 0; i < count; i++) rest[i] = expr_sub(s->pool, p[i], rest[i]);
    matrix_solve(s->pool, count, mass, 1, rest, row, column, out);
    return true;
}

// eta(q, p~, t) from p~_s = dL*/d eta_s
static bool legendre(const manifold *m, almost_poisson *out, expr *eta) {
    const mechanics *s = m->system;
    arena *a = &s->model->ctx->arena;
    const normal_budget budget = normal_budget_default();
    expr *momentum = arena_array(a, expr, s->m), *meaning = arena_array(a, expr, s->m),
         *residual = arena_array(a, expr, s->m);
    manifold_eta_gradient(m, s->lagrangian, meaning);
    for (uint32_t r = 0; r < s->m; r++) {
        momentum[r] =
            expr_symbol(s->pool, arena_format(a, "p~[%s]", expr_symbol_name(s->pool, s->eta[r])),
                        ROLE_MOMENTUM);
        residual[r] = expr_sub(s->pool, meaning[r], momentum[r]);
    }
    out->momentum = momentum, out->meaning = meaning;
    return normal_solve(s->pool, s->m, residual, s->eta, &budget, eta) ||
           almost_poisson_velocities(s, s->m, meaning, s->eta, momentum, eta);
}

// [X_r, X_s]_i = sum_j B_jr dB_is/dq_j - B_js dB_ir/dq_j
static expr lie_bracket(const manifold *m, const expr *field_q, uint32_t r, uint32_t s,
                        uint32_t i) {
    const uint32_t n = m->system->n, width = m->system->m;
    pool *p = m->system->pool;
    expr sum = EXPR_ZERO;
    for (uint32_t j = 0; j < n; j++) {
        sum = expr_add_product(p, sum, manifold_basis(m, j, r), field_q[(i * width + s) * n + j]);
        sum = expr_sub_product(p, sum, manifold_basis(m, j, s), field_q[(i * width + r) * n + j]);
    }
    const normal_budget budget = normal_budget_default();
    return normal_simplify(p, sum, &budget);
}

static const expr *brackets(const manifold *m, const expr *eta) {
    const mechanics *s = m->system;
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    expr *field_q = arena_array(a, expr, (size_t)s->n * s->m * s->n),
         *momentum = arena_array(a, expr, s->n);
    expr *out = arena_array(a, expr, s->m * s->m);
    expr_jacobian(p, s->n * s->m, m->v.column, s->n, s->q, field_q);
    expr_gradient(p, s->lagrangian, s->n, s->qd, momentum);
    for (uint32_t i = 0; i < s->n; i++)
        momentum[i] = expr_replace(p, manifold_star(m, momentum[i]), s->m, s->eta, eta);
    for (uint32_t r = 0; r < s->m; r++)
        for (uint32_t t = r + 1; t < s->m; t++) {
            expr sum = EXPR_ZERO; // {p~_r, p~_s} = -sum_i p_i [X_r, X_s]_i
            for (uint32_t i = 0; i < s->n; i++)
                sum = expr_sub_product(p, sum, momentum[i], lie_bracket(m, field_q, r, t, i));
            out[r * s->m + t] = sum;
            out[t * s->m + r] = expr_neg(p, sum);
        }
    return out;
}

const char *almost_poisson_create(const mechanics *s, almost_poisson *out) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const char *nonlinear = refusal_unless_linear_frame(s);
    if (nonlinear) return nonlinear;
    const manifold m = manifold_create(s);
    expr *eta = arena_array(a, expr, s->m), *force = arena_array(a, expr, s->m);
    if (!is_homogeneous(&m))
        return "q' is not linear and homogeneous in eta with coefficients of q alone";
    if (!legendre(&m, out, eta)) return "L* is not quadratic in eta: eta has no closed form in p~";
    const expr lagrangian = expr_replace(p, manifold_star(&m, s->lagrangian), s->m, s->eta, eta);
    manifold_project(&m, s->force, force);
    expr_substitute(p, s->m, s->eta, eta, s->m, force, force);
    out->field = m.v.column;
    out->bracket = brackets(&m, eta);
    out->force = force;
    // H~ = sum_s p~_s eta_s - L*
    out->hamiltonian = expr_sub(p, expr_dot(p, s->m, out->momentum, eta), lagrangian);
    return NULL;
}
