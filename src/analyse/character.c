// The character of a system.
#include "analyse/character.h"

#include "derive/basis.h"
#include "normal/normal.h"

#include <stdlib.h>

// Does f really depend on q? A symbol that cancels does not count.
static bool really_depends(pool *p, expr f, expr q) {
    if (expr_is_number(p, f) || !expr_depends_on(p, f, 1, &q)) return false;
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

enum { NOT_POLYNOMIAL = 1000 };

// A bound for the degree of a node in the velocities, from those of its operands.
static uint32_t degree_of_node(pool *p, expr e, const uint32_t *degree) {
    const expr_kind kind = expr_kind_of(p, e);
    uint32_t sum = 0, largest = 0;
    for (uint32_t i = 0; i < expr_operand_count(p, e); i++) {
        const uint32_t d = degree[expr_operand(p, e, i)];
        int64_t exponent = 0;
        if (d > largest) largest = d;
        if (kind != EXPR_PRODUCT || !d) continue;
        if (expr_is_integer(p, expr_operand(p, e, i + 1), &exponent) && exponent > 0 && exponent < NOT_POLYNOMIAL)
            sum += d * (uint32_t)exponent;
        else
            sum = NOT_POLYNOMIAL;
        if (sum > NOT_POLYNOMIAL) sum = NOT_POLYNOMIAL;
    }
    if (kind == EXPR_SUM) return largest;
    return kind == EXPR_PRODUCT ? sum : largest ? NOT_POLYNOMIAL : 0;
}

// Degree at most 2 by structure; where only cancellation would show it, the third derivatives are looked at.
static bool kinetic_is_quadratic(const mechanics *s) {
    pool *p = s->pool;
    uint32_t count;
    expr *nodes = expr_reachable(p, 1, &s->kinetic, &count);
    uint32_t *degree = arena_array(&s->model->ctx->arena, uint32_t, (size_t)s->kinetic + 1);
    for (uint32_t i = 0; i < count; i++) {
        const symbol *v = expr_as_symbol(p, nodes[i]);
        degree[nodes[i]] = v ? v->role == ROLE_COORDINATE && v->order == 1 : degree_of_node(p, nodes[i], degree);
    }
    free(nodes);
    if (degree[s->kinetic] <= 2) return true;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j <= i; j++) {
            const expr second = expr_diff(p, expr_diff(p, s->kinetic, s->qd[i]), s->qd[j]);
            for (uint32_t k = 0; k <= j; k++)
                if (really_depends(p, second, s->qd[k])) return false;
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
    c.holonomic = true;
    for (uint32_t i = 0; i < s->k; i++) {
        c.voronec = c.voronec && s->model->constraints[s->constraint[i]].linear;
        c.holonomic = c.holonomic && s->model->constraints[s->constraint[i]].order == 0;
    }
    c.quadratic = kinetic_is_quadratic(s);
    c.rheonomic = is_rheonomic(s);
    for (uint32_t i = 0; i < s->n; i++) c.cyclic[i] = !energy_or_force_depends(s, s->q[i]);
    const mechanics plain = mechanics_without_quasi(s); // Chaplygin's form is about the independent velocities
    const velocity_basis v = basis_create(&plain);
    c.chaplygin = is_chaplygin(s, &v);
    return c;
}
