// The stationary case of T15 (26)-(27): A_Gamma(q) eta' + Q(q, eta) = Gamma^T F, q' = Gamma(q) eta.
#include "derive/stationary.h"

#include "derive/refusal.h"

static bool none_depends_on_time(pool *p, uint32_t count, const expr *f) {
    for (uint32_t i = 0; i < count; i++)
        if (expr_depends_on_time(p, f[i])) return false;
    return true;
}

bool stationary_is_free_of_time(const mechanics *s) {
    return none_depends_on_time(s->pool, 1, &s->lagrangian) &&
           none_depends_on_time(s->pool, s->n, s->force) &&
           none_depends_on_time(s->pool, s->k, s->phi) &&
           none_depends_on_time(s->pool, s->m, s->psi);
}

// f = (its gradient in q', free of q') . q'
static bool is_linear_form(const mechanics *s, expr f) {
    return expr_at_zero(s->pool, f, s->n, s->qd) == EXPR_ZERO;
}

// Quadratic in q' with second derivatives free of q' and neither linear nor free part
static bool is_quadratic_form(const mechanics *s, expr f) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    expr *gradient = arena_array(a, expr, s->n), *second = arena_array(a, expr, s->n);
    if (expr_at_zero(p, f, s->n, s->qd) != EXPR_ZERO) return false;
    expr_gradient(p, f, s->n, s->qd, gradient);
    for (uint32_t i = 0; i < s->n; i++) {
        if (!is_linear_form(s, gradient[i])) return false;
        expr_gradient(p, gradient[i], s->n, s->qd, second);
        if (expr_any_depends_on(p, s->n, second, s->n, s->qd)) return false;
    }
    return true;
}

bool stationary_holds(const mechanics *s) {
    if (!stationary_is_free_of_time(s) || refusal_unless_linear_frame(s)) return false;
    for (uint32_t i = 0; i < s->k; i++)
        if (!is_linear_form(s, s->phi[i])) return false;
    for (uint32_t i = 0; i < s->m; i++)
        if (!is_linear_form(s, s->psi[i])) return false;
    // a stated Lagrangian stands in s->kinetic with its potential: its part
    // free of q' does not count
    return is_quadratic_form(
        s, expr_sub(s->pool, s->kinetic, expr_at_zero(s->pool, s->kinetic, s->n, s->qd)));
}
