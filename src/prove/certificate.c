// Certificates: q'' and lambda in closed form, put into the residual, which is then brought to normal form.
#include "prove/certificate.h"

#include <string.h>

static normal_budget certificate_budget(void) { return (normal_budget){.terms = 20000, .generators = 60}; }

// lambda from the recovery equations with q'' and q' in place
static const expr *solve_multipliers(const closed_motion *m) {
    const equations *eq = m->eq;
    const mechanics *s = eq->system;
    const normal_budget budget = certificate_budget();
    expr *residual = arena_array(&s->model->ctx->arena, expr, s->k), *out = arena_array(&s->model->ctx->arena, expr, s->k);
    if (!s->k || !eq->recovery) return NULL;
    expr_substitute(s->pool, s->n, s->qdd, eq->acceleration, s->k, eq->recovery, residual);
    expr_substitute(s->pool, s->n, s->qd, eq->velocity, s->k, residual, residual);
    expr_substitute(s->pool, eq->unknown_count, eq->unknown, m->rate, s->k, residual, residual);
    return normal_solve(s->pool, s->k, residual, s->multiplier, &budget, out) ? out : NULL;
}

closed_motion closed_motion_create(const equations *eq) {
    const mechanics *s = eq->system;
    const normal_budget budget = certificate_budget();
    closed_motion m = {.eq = eq};
    if (!eq->explicit_velocities || eq->auxiliaries_count) return m;
    expr *residual = arena_array(&s->model->ctx->arena, expr, eq->unknown_count), *rate = arena_array(&s->model->ctx->arena, expr, eq->unknown_count);
    for (uint32_t i = 0; i < eq->unknown_count; i++) residual[i] = eq->residual[i].value;
    m.solved = normal_solve(s->pool, eq->unknown_count, residual, eq->unknown, &budget, rate);
    m.rate = rate;
    if (m.solved) m.multiplier = solve_multipliers(&m);
    return m;
}

normal_truth certificate_is_zero(const closed_motion *m, expr e) {
    if (!m->solved) return NORMAL_UNKNOWN;
    const equations *eq = m->eq;
    const mechanics *s = eq->system;
    const normal_budget budget = certificate_budget();
    if (s->k && expr_depends_on(s->pool, e, s->k, s->multiplier)) {
        if (!m->multiplier) return NORMAL_UNKNOWN;
        e = expr_replace(s->pool, e, s->k, s->multiplier, m->multiplier);
    }
    e = expr_replace(s->pool, e, s->n, s->qdd, eq->acceleration);
    e = expr_replace(s->pool, e, s->n, s->qd, eq->velocity);
    e = expr_replace(s->pool, e, eq->unknown_count, eq->unknown, m->rate);
    for (uint32_t i = 0; i < s->k; i++) // positions on a holonomic constraint are no independent generators
        if (s->model->constraints[s->constraint[i]].order == 0 && normal_is_zero(s->pool, e, &budget) != NORMAL_YES) return NORMAL_UNKNOWN;
    return normal_is_zero(s->pool, e, &budget);
}
