// Routh's reduction: with p_c = dL/dq'_c constant for the cyclic q_c and R = L -
// sum_c p_c q'_c(q, q'_rest, p, t),
//   d/dt dR/dq'_r - dR/dq_r = Q_r (+ reactions) for the others, and q'_c = -dR/dp_c afterwards.
// T15 prints L itself with q'_c eliminated, without - sum p_c q'_c, as the reduced Lagrangian: that
// reverses the sign of the centrifugal force.
#include "derive/routh.h"

#include "derive/ingredient.h"
#include "derive/sample_pivots.h"
#include "normal/normal.h"

// Marks coordinates that are present in L, in a force or, as a position, in the constraints, or
// have a force along them.
static void mark_present(const mechanics *s, bool *present) {
    for (uint32_t i = 0; i < s->n; i++) present[i] = present[i] || s->force[i] != EXPR_ZERO;
    normal_mark_dependence(s->pool, s->lagrangian, s->n, s->q, present);
    for (uint32_t i = 0; i < s->n; i++)
        normal_mark_dependence(s->pool, s->force[i], s->n, s->q, present);
    for (uint32_t nu = 0; nu < s->k; nu++)
        normal_mark_dependence(s->pool, s->phi[nu], s->n, s->q, present);
}

uint32_t routh_cyclic(const mechanics *s, uint32_t *out) {
    uint32_t count = 0;
    bool *present = memory_zeros(bool, s->n);
    for (uint32_t nu = 0; nu < s->k; nu++)
        normal_mark_dependence(s->pool, s->phi[nu], s->n, s->qd, present);
    mark_present(s, present);
    for (uint32_t c = 0; c < s->n; c++)
        if (!present[c]) out[count++] = c;
    memory_free(present);
    return count;
}

// q'_c from dL/dq'_c = p_c
static bool reconstruct(const mechanics *s, routh *r) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const normal_budget budget = normal_budget_default();
    expr *cyclic_velocity = arena_array(a, expr, r->count),
         *residual = arena_array(a, expr, r->count);
    expr *momentum = arena_array(a, expr, r->count), *meaning = arena_array(a, expr, r->count),
         *velocity = arena_array(a, expr, r->count);
    for (uint32_t i = 0; i < r->count; i++) {
        cyclic_velocity[i] = s->qd[r->cyclic[i]];
        meaning[i] = expr_diff(p, s->lagrangian, cyclic_velocity[i]); // dL/dq'_c
        // a constant of the motion: a parameter of the reduced system
        momentum[i] =
            expr_symbol(p, arena_format(a, "p[%s]", expr_symbol_name(s->pool, s->q[r->cyclic[i]])),
                        ROLE_PARAMETER);
        residual[i] = expr_sub(p, meaning[i], momentum[i]);
    }
    r->momentum = momentum, r->meaning = meaning, r->velocity = velocity;
    return normal_solve(p, r->count, residual, cyclic_velocity, &budget, velocity);
}

static void reduced_equations(const mechanics *s, routh *r) {
    pool *p = s->pool;
    expr *gone = arena_array(&s->model->ctx->arena, expr, r->count),
         *equation = arena_array(&s->model->ctx->arena, expr, r->rest_count);
    for (uint32_t i = 0; i < r->count; i++) gone[i] = s->qd[r->cyclic[i]];
    const expr rest = expr_replace(p, s->lagrangian, r->count, gone, r->velocity);
    // R = L - sum_c p_c q'_c
    r->function = expr_sub(p, rest, expr_dot(p, r->count, r->momentum, r->velocity));
    for (uint32_t i = 0; i < r->rest_count; i++) {
        const uint32_t j = r->rest[i]; // E_j(R) - Q_j
        const expr inertia = expr_sub(p, expr_ddt(p, expr_diff(p, r->function, s->qd[j])),
                                      expr_diff(p, r->function, s->q[j]));
        equation[i] =
            expr_sub(p, inertia, expr_replace(p, s->force[j], r->count, gone, r->velocity));
    }
    r->equation = equation;
}

// The other coordinates, in order.
static void set_rest(const mechanics *s, routh *r) {
    uint32_t *rest = arena_array(&s->model->ctx->arena, uint32_t, s->n), next = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (next < r->count && r->cyclic[next] == i) next++;
        else rest[r->rest_count++] = i;
    }
    r->rest = rest;
}

bool routh_reduce(const mechanics *s, routh *out) {
    uint32_t *cyclic = arena_array(&s->model->ctx->arena, uint32_t, s->n);
    *out = (routh){.count = routh_cyclic(s, cyclic), .cyclic = cyclic};
    if (!out->count || !reconstruct(s, out)) return false;
    set_rest(s, out);
    reduced_equations(s, out);
    return true;
}

// --- constraints that are levels of momenta ------------------------------------------------------

static bool is_constant(const mechanics *s, expr e) {
    if (expr_depends_on_time(s->pool, e)) return false;
    for (uint32_t i = 0; i < s->n; i++)
        if (normal_depends_on(s->pool, e, s->q[i]) || normal_depends_on(s->pool, e, s->qd[i]))
            return false;
    return true;
}

// The constant that Phi_nu = 0 fixes dL/dq'_c at: put the q'_c that solves it into the momentum.
// EXPR_NONE if that is no constant.
static expr level_of(const mechanics *s, uint32_t nu, uint32_t c) {
    const normal_budget budget = normal_budget_default();
    expr velocity;
    if (!normal_depends_on(s->pool, s->phi[nu], s->qd[c])) return EXPR_NONE;
    if (!normal_solve(s->pool, 1, &s->phi[nu], &s->qd[c], &budget, &velocity)) return EXPR_NONE;
    const expr momentum = expr_diff(s->pool, s->lagrangian, s->qd[c]);
    const expr level =
        normal_simplify(s->pool, expr_replace(s->pool, momentum, 1, &s->qd[c], &velocity), &budget);
    return is_constant(s, level) ? level : EXPR_NONE;
}

const char *routh_levels(const mechanics *s, mechanics *chosen, routh *out) {
    arena *a = &s->model->ctx->arena;
    expr *level = arena_array(a, expr, s->n), *momentum = arena_array(a, expr, s->k),
         *meaning = arena_array(a, expr, s->k);
    expr *velocity = arena_array(a, expr, s->k);
    bool *fixed = arena_array(a, bool, s->n), *present = arena_array(a, bool, s->n);
    mark_present(s, present);
    for (uint32_t nu = 0; nu < s->k; nu++) {
        uint32_t c = 0;
        while (c < s->n && (fixed[c] || present[c] || (level[c] = level_of(s, nu, c)) == EXPR_NONE))
            c++;
        if (c == s->n)
            return arena_format(
                a, "constraint `%s` is no level of the momentum of a cyclic coordinate",
                s->model->constraints[s->constraint[nu]].name);
        fixed[c] = true;
    }
    if (!sample_pivots_choose_dependent(s, fixed, chosen))
        return "the momenta that the constraints fix do not determine velocities";
    const velocity_basis v = basis_create(chosen);
    if (!v.explicit_velocities) return "the momenta cannot be solved for velocities";
    *out = (routh){.count = s->k,
                   .cyclic = chosen->dependent,
                   .momentum = momentum,
                   .meaning = meaning,
                   .velocity = velocity};
    for (uint32_t i = 0; i < s->k; i++) {
        const uint32_t c = chosen->dependent[i];
        momentum[i] = level[c], velocity[i] = v.velocity[c];
        meaning[i] = expr_diff(s->pool, s->lagrangian, s->qd[c]);
    }
    set_rest(s, out);
    reduced_equations(chosen, out);
    return NULL;
}

void routh_define(const mechanics *s, equations *eq, bool with_momenta) {
    arena *a = &s->model->ctx->arena;
    routh r;
    uint32_t *cyclic = arena_array(a, uint32_t, s->n);
    if (!routh_cyclic(s, cyclic)) return;
    if (!ingredient_wanted(s)) {
        ingredient_leave_out(eq, "R, Routh");
        return;
    }
    if (!routh_reduce(s, &r)) {
        equations_leave_out(eq, "R, Routh",
                            "the velocities of the cyclic coordinates do not follow from their "
                            "momenta in short form");
        return;
    }
    const char *names = NULL;
    for (uint32_t i = 0; i < r.count; i++) {
        const expr q = s->q[r.cyclic[i]];
        const char *name = expr_symbol_name(s->pool, q);
        names = names ? arena_format(a, "%s, %s", names, name) : name;
        if (with_momenta)
            ingredient_define(eq, arena_format(a, "p[%s]", name),
                              arena_format(a, "p_{%s}", ingredient_base_latex(s, q)), r.meaning[i]);
    }
    ingredient_define(eq, "R", "R", r.function);
    for (uint32_t i = 0; i < r.rest_count; i++) {
        const expr q = s->q[r.rest[i]];
        ingredient_define(eq, arena_format(a, "Routh[%s]", expr_symbol_name(s->pool, q)),
                          arena_format(a,
                                       "\\tfrac{d}{dt} \\frac{\\partial R}{\\partial %s} - "
                                       "\\frac{\\partial R}{\\partial %s} - Q_{%s}",
                                       ingredient_latex(s, s->qd[r.rest[i]]),
                                       ingredient_base_latex(s, q), ingredient_base_latex(s, q)),
                          r.equation[i]);
    }
    for (uint32_t i = 0; i < r.count; i++) {
        const expr v = s->qd[r.cyclic[i]];
        ingredient_define(eq, expr_symbol_text(s->pool, v), ingredient_latex(s, v), r.velocity[i]);
    }
    ingredient_remark(
        eq, arena_format(
                a, "cyclic, with constant momentum: %s; Routh's equations of R are Routh[..] = %s",
                names, s->k ? "the reactions" : "0"));
}
