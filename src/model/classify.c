// Order and type of each constraint.
#include "model/mechanics.h"

#include "expr/vanish.h"
#include "normal/normal.h"

// By normal form; in F_p where that is too large. (Long rolling constraints are:
// what is not proved 0 is not 0.)
static bool is_zero(pool *p, expr e) {
    if (e == EXPR_ZERO) return true;
    const normal_budget budget = normal_budget_default();
    const normal_truth truth = normal_is_zero(p, e, &budget);
    return truth == NORMAL_YES || (truth == NORMAL_UNKNOWN && expr_all_vanish(p, 1, &e));
}

// Is f free of all the given symbols, also after simplification of what
// only seems to depend on them?
static bool is_free_of(pool *p, expr f, uint32_t count, const expr *symbols) {
    if (!expr_depends_on(p, f, count, symbols)) return true;
    expr *d = arena_array(&pool_context(p)->arena, expr, count);
    expr_gradient(p, f, count, symbols, d);
    for (uint32_t i = 0; i < count; i++)
        if (!is_zero(p, d[i])) return false;
    return true;
}

// Homogeneous in q', of any small degree d: sum q'_i dPhi/dq'_i = d*Phi (Euler). Then ideal
// reactions do no work. For a linear constraint: Phi vanishes where q' does.
static bool is_homogeneous(pool *p, const constraint *c, uint32_t n, const expr *top,
                           const expr *coefficient) {
    enum { LARGEST_DEGREE = 4 };
    if (c->linear) {
        expr *rest = arena_array(&pool_context(p)->arena, expr, n);
        return is_zero(p, expr_replace(p, c->velocity_phi, n, top, rest));
    }
    const expr euler = expr_dot(p, n, coefficient, top);
    for (int degree = 1; degree <= LARGEST_DEGREE; degree++)
        if (is_zero(p, expr_sub(p, euler, expr_mul(p, expr_int(p, degree), c->velocity_phi))))
            return true;
    return false;
}

// Does time occur, and not only in terms that cancel? What a given or its rates
// bring in counts as it is written.
static bool is_rheonomic(const model *m, expr phi) {
    pool *p = m->pool;
    if (!expr_depends_on_time(p, phi)) return false;
    for (uint32_t i = 0; i < m->givens_count; i++)
        for (expr f = m->givens[i].symbol, order = 0; order < 4;
             order++, f = expr_symbol_derivative(p, f))
            if (expr_depends_on(p, phi, 1, &f)) return true;
    return !is_zero(p, expr_diff(p, phi, m->time));
}

void constraint_classify(model *m, constraint *c) {
    enum { HEAVIEST = 1000 }; // of a link of a chain: beyond, its normal form has no chance
    pool *p = m->pool;
    const uint32_t n = m->coordinates_count;
    const normal_budget budget = normal_budget_default();
    arena *a = &m->ctx->arena;
    const bool chain = constraint_chain_may_be(m->constraints_count);
    if (!chain || !expr_is_heavier(p, c->phi, HEAVIEST))
        c->phi = normal_is_zero(p, c->phi, &budget) == NORMAL_YES
                     ? EXPR_ZERO
                     : normal_simplify(p, c->phi, &budget);
    if (c->phi == EXPR_ZERO) c->status = CONSTRAINT_IDENTITY;
    c->order = expr_order(p, c->phi);
    if (c->order < 0) c->order = 0;
    c->rheonomic = is_rheonomic(m, c->phi);
    c->velocity_phi = c->order == 0 ? expr_ddt(p, c->phi) : c->phi;

    const uint32_t order = c->order ? (uint32_t)c->order : 1;
    expr *top = arena_array(a, expr, n), *coefficient = arena_array(a, expr, n);
    for (uint32_t i = 0; i < n; i++) top[i] = expr_symbol_of_order(p, m->coordinates[i], order);
    c->linear = true;
    if (chain && // all slopes of a chain would be N^2/2
        expr_degree(p, c->velocity_phi, n, top, NULL) <= 1) {
        c->homogeneous = is_homogeneous(p, c, n, top, NULL);
        return;
    }
    expr_gradient(p, c->velocity_phi, n, top, coefficient);
    for (uint32_t i = 0; i < n && c->linear; i++)
        c->linear = coefficient[i] == EXPR_ZERO || is_free_of(p, coefficient[i], n, top);
    c->homogeneous = is_homogeneous(p, c, n, top, coefficient);
}
