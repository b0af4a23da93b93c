// Forces of contacts that rigid bodies leave undetermined: a table with more legs than it needs.
#include "model/mechanics.h"

static expr without(const model *m, expr e, const constraint *c) {
    return expr_at_zero(m->pool, e, 1, &c->multiplier);
}

static void drop(model *m, const constraint *c) {
    for (uint32_t i = 0; i < m->contacts_count; i++) {
        contact *t = &m->contacts[i];
        t->normal_force = without(m, t->normal_force, c);
        for (uint32_t k = 0; k < t->tangents; k++)
            t->tangent_force[k] = without(m, t->tangent_force[k], c);
    }
    for (uint32_t i = 0; i < m->events_count; i++)
        m->events[i].value = without(m, m->events[i].value, c);
    for (uint32_t i = 0; i < m->forces_count; i++)
        for (int k = 0; k < 3; k++)
            m->forces[i].force.at[k] = without(m, m->forces[i].force.at[k], c);
    for (uint32_t i = 0; i < m->torques_count; i++)
        for (int k = 0; k < 3; k++)
            m->torques[i].torque.at[k] = without(m, m->torques[i].torque.at[k], c);
}

// --- several that hold a body in the same direction ------------------------------------------------

// The contact of a plane that sticks by constraint c, UINT32_MAX without one
static uint32_t holder(const model *m, const constraint *c) {
    for (uint32_t i = 0; i < m->contacts_count; i++) {
        const contact *t = &m->contacts[i];
        if (t->mode == MODE_STICKING && t->tangents == 1 && t->tangent_force[0] == c->multiplier)
            return i;
    }
    return UINT32_MAX;
}

// One that is determined, beside contact i along the same line: the bodies there move alike
static uint32_t partner(const model *m, uint32_t i) {
    const contact *idle = &m->contacts[i];
    for (uint32_t k = 0; k < m->constraints_count; k++) {
        const constraint *c = &m->constraints[k];
        const uint32_t other =
            c->of_contact && c->status == CONSTRAINT_ACTIVE ? holder(m, c) : UINT32_MAX;
        if (other == UINT32_MAX) continue;
        const vec3 n = m->contacts[other].normal;
        bool same = true;
        for (int j = 0; j < 3; j++) same = same && n.at[j] == idle->normal.at[j];
        if (same) return other;
    }
    return UINT32_MAX;
}

// They slip together, where one of them bears what all could: R_t^2 = (sum of mu_s R_n)^2.
static void slip_together(model *m, uint32_t count, const uint32_t *with) {
    pool *p = m->pool;
    for (uint32_t i = 0; i < count; i++) {
        const contact *t = &m->contacts[i];
        expr most = expr_mul(p, t->static_friction, t->normal_force);
        bool shared = false;
        for (uint32_t k = 0; k < count; k++)
            if (with[k] == i) {
                const contact *other = &m->contacts[k];
                most = expr_add(p, most, expr_mul(p, other->static_friction, other->normal_force));
                shared = true;
            }
        if (!shared) continue;
        const expr limit = expr_sub(p, expr_square(p, t->tangent_force[0]), expr_square(p, most));
        m->events[t->slips].value = limit;
        for (uint32_t k = 0; k < count; k++)
            if (with[k] == i) m->events[m->contacts[k].slips].value = limit;
    }
}

// Constraints of contacts that follow from others have no reaction of their own: 0 is one of the
// values that it may have, and the others carry all.
void model_drop_idle_contacts(model *m) {
    uint32_t *with = arena_array(&m->ctx->arena, uint32_t, m->contacts_count + 1);
    for (uint32_t i = 0; i < m->contacts_count; i++) with[i] = UINT32_MAX;
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const constraint *c = &m->constraints[i];
        if (!c->of_contact ||
            (c->status != CONSTRAINT_REDUNDANT && c->status != CONSTRAINT_IDENTITY))
            continue;
        const uint32_t idle = holder(m, c);
        if (idle != UINT32_MAX) with[idle] = partner(m, idle);
        drop(m, c);
    }
    slip_together(m, m->contacts_count, with);
}
