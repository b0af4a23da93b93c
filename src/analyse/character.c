// The character of a system.
#include "analyse/character.h"

#include "derive/basis.h"
#include "normal/normal.h"

// Does f really depend on q? A symbol that cancels does not count.
static bool really_depends(pool *p, expr f, expr q) {
    if (!expr_depends_on(p, f, 1, &q)) return false;
    const normal_budget budget = normal_budget_default();
    const expr d = expr_diff(p, f, q);
    return d != EXPR_ZERO && normal_is_zero(p, d, &budget) != NORMAL_YES;
}

static bool energy_or_force_depends(const mechanics *s, expr q) {
    if (really_depends(s->pool, s->lagrangian, q)) return true;
    for (uint32_t i = 0; i < s->n; i++)
        if (really_depends(s->pool, s->force[i], q)) return true;
    return false;
}

// Third derivatives of T in q' vanish: along a random-looking direction is not enough, so all second derivatives are looked at.
static bool kinetic_is_quadratic(const mechanics *s) {
    expr *gradient = arena_array(&s->model->ctx->arena, expr, s->n);
    expr_gradient(s->pool, s->kinetic, s->n, s->qd, gradient);
    for (uint32_t i = 0; i < s->n; i++) {
        expr *row = arena_array(&s->model->ctx->arena, expr, s->n);
        expr_gradient(s->pool, gradient[i], s->n, s->qd, row);
        for (uint32_t j = 0; j < s->n; j++)
            for (uint32_t k = 0; k < s->n; k++)
                if (really_depends(s->pool, row[j], s->qd[k])) return false;
    }
    return true;
}

static bool is_chaplygin(const mechanics *s, const velocity_basis *v) {
    if (!s->k || !v->explicit_velocities) return false;
    for (uint32_t i = 0; i < s->k; i++) {
        const constraint *c = &s->model->constraints[s->constraint[i]];
        if (c->order != 1 || !c->linear || !c->homogeneous || c->rheonomic) return false;
    }
    for (uint32_t j = 0; j < s->k; j++) {
        const expr z = s->q[s->dependent[j]];
        if (energy_or_force_depends(s, z)) return false;
        for (uint32_t i = 0; i < s->n; i++)
            if (really_depends(s->pool, v->velocity[i], z)) return false;
    }
    return true;
}

static bool is_rheonomic(const mechanics *s) {
    bool found = expr_depends_on_time(s->pool, s->lagrangian);
    for (uint32_t i = 0; i < s->n && !found; i++) found = expr_depends_on_time(s->pool, s->force[i]);
    for (uint32_t i = 0; i < s->k && !found; i++) found = s->model->constraints[s->constraint[i]].rheonomic;
    return found;
}

character character_of(const mechanics *s) {
    character c = {.cyclic = arena_array(&s->model->ctx->arena, bool, s->n)};
    c.voronec = s->k > 0;
    for (uint32_t i = 0; i < s->k; i++) c.voronec = c.voronec && s->model->constraints[s->constraint[i]].linear;
    enum { SMALL = 24 }; // second derivatives of T are n^2 expressions
    c.quadratic = s->n <= SMALL ? kinetic_is_quadratic(s) : true;
    c.rheonomic = is_rheonomic(s);
    for (uint32_t i = 0; i < s->n; i++) c.cyclic[i] = !energy_or_force_depends(s, s->q[i]);
    mechanics plain = *s; // Chaplygin's form is about the independent velocities, whatever quasi-velocities are declared
    if (s->has_quasi) return c.chaplygin = false, c;
    const velocity_basis v = basis_create(&plain);
    c.chaplygin = is_chaplygin(s, &v);
    return c;
}
