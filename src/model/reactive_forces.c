// Forces that hold multipliers, Q_i = F_i + sum_nu lambda_nu c_nu,i, as friction does: which of the
// multipliers they name exist.
#include "model/mechanics.h"

typedef struct { // one statement, with its components
    const char *what;
    expr part[3];
    uint32_t parts;
    span at;
} stated_force;

static uint32_t stated_count(const model *m) {
    return m->generalised_forces_count + m->forces_count + m->torques_count;
}

static stated_force stated_at(const model *m, uint32_t i) {
    if (i < m->generalised_forces_count) {
        const assignment *f = &m->generalised_forces[i];
        return (stated_force){"this force", {f->value, EXPR_ZERO, EXPR_ZERO}, 1, f->at};
    }
    i -= m->generalised_forces_count;
    const bool turns = i >= m->forces_count;
    const vec3 v = turns ? m->torques[i - m->forces_count].torque : m->forces[i].force;
    return (stated_force){turns ? "this torque" : "this force",
                          {v.at[0], v.at[1], v.at[2]},
                          3,
                          turns ? m->torques[i - m->forces_count].at : m->forces[i].at};
}

static void report_lost(const model *m, const stated_force *f, const constraint *c) {
    const char *lambda = expr_symbol_name(m->pool, c->multiplier);
    if (c->status == CONSTRAINT_COMBINED)
        diag_error(m->ctx, f->at,
                   "state the constraints so that none depends on the others: `check` shows the "
                   "combinations that are kept",
                   "%s holds %s, which is not determined: others depend on constraint `%s`",
                   f->what, lambda, c->name);
    else
        diag_error(m->ctx, f->at,
                   c->status == CONSTRAINT_IDENTITY
                       ? "leave it out: what holds anyway needs no reaction"
                       : "take the multipliers of those it follows from",
                   "%s holds %s, and constraint `%s`, which says nothing of its own, has no "
                   "multiplier",
                   f->what, lambda, c->name);
}

hamel_status mechanics_settle_forces(mechanics *s) {
    const model *m = s->model;
    const uint32_t count = m->constraints_count;
    expr *lambda = memory_array(expr, count + 1);
    bool *occurs = memory_array(bool, count + 1);
    for (uint32_t j = 0; j < count; j++) lambda[j] = m->constraints[j].multiplier;
    s->forces_hold_multipliers = false;
    for (uint32_t i = 0; i < stated_count(m) && count; i++) {
        const stated_force f = stated_at(m, i);
        expr_occurrences(m->pool, f.parts, f.part, count, lambda, occurs);
        for (uint32_t j = 0; j < count; j++) {
            if (!occurs[j]) continue;
            s->forces_hold_multipliers = true;
            if (m->constraints[j].status != CONSTRAINT_ACTIVE)
                report_lost(m, &f, &m->constraints[j]);
        }
    }
    memory_free(lambda), memory_free(occurs);
    return context_status(m->ctx);
}

void model_warn_of_factors_in_forces(const model *m, const constraint *c,
                                     void (*look)(const model *m, const constraint *c, span at,
                                                  const char *what)) {
    for (uint32_t i = 0; i < stated_count(m) && c->status == CONSTRAINT_ACTIVE; i++) {
        const stated_force f = stated_at(m, i);
        if (expr_any_depends_on(m->pool, f.parts, f.part, 1, &c->multiplier))
            look(m, c, f.at, f.what);
    }
}
