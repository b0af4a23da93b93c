// The character of a system.
#include "analyse/character.h"

#include "derive/chaplygin.h"

#include "normal/normal.h"

// Coordinates that are absent from L, and from forces and constraints as well
static void find_cyclic(const mechanics *s, character *c) {
    const model *m = s->model;
    bool *depends = memory_zeros(bool, s->n);
    normal_mark_dependence(s->pool, s->lagrangian, s->n, s->q, depends);
    for (uint32_t i = 0; i < s->n; i++) c->ignorable[i] = !depends[i];
    for (uint32_t i = 0; i < s->n; i++)
        normal_mark_dependence(s->pool, s->force[i], s->n, s->q, depends);
    for (uint32_t i = 0; i < m->constraints_count; i++)
        if (m->constraints[i].status == CONSTRAINT_ACTIVE)
            normal_mark_dependence(s->pool, m->constraints[i].phi, s->n, s->q, depends);
    for (uint32_t i = 0; i < s->n; i++) c->cyclic[i] = !depends[i];
    memory_free(depends);
}

// Degree at most 2 by structure; where only cancellation would show it, the third derivatives are
// looked at.
static bool kinetic_is_quadratic(const mechanics *s) {
    pool *p = s->pool;
    if (expr_degree(p, s->kinetic, s->n, s->qd, NULL) <= 2) return true;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j <= i; j++) {
            const expr second = expr_diff(p, expr_diff(p, s->kinetic, s->qd[i]), s->qd[j]);
            for (uint32_t k = 0; k <= j; k++)
                if (normal_depends_on(p, second, s->qd[k])) return false;
        }
    return true;
}

static bool is_rheonomic(const mechanics *s) {
    bool found = expr_depends_on_time(s->pool, s->lagrangian);
    for (uint32_t i = 0; i < s->n && !found; i++)
        found = expr_depends_on_time(s->pool, s->force[i]);
    for (uint32_t i = 0; i < s->k + s->h && !found; i++)
        found = s->model->constraints[s->constraint[i]].rheonomic;
    return found;
}

character character_of(const mechanics *s) {
    character c = {.cyclic = arena_array(&s->model->ctx->arena, bool, s->n),
                   .ignorable = arena_array(&s->model->ctx->arena, bool, s->n)};
    c.voronec = s->k > 0;
    c.holonomic = true;
    for (uint32_t i = 0; i < s->k; i++) {
        c.voronec = c.voronec && s->model->constraints[s->constraint[i]].linear;
        c.holonomic = c.holonomic && s->model->constraints[s->constraint[i]].order == 0;
    }
    c.quadratic = kinetic_is_quadratic(s);
    c.rheonomic = is_rheonomic(s);
    find_cyclic(s, &c);
    mechanics chosen;
    c.chaplygin = chaplygin_type(s, &chosen) == NULL;
    return c;
}
