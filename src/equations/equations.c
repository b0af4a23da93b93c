// The equations object and its affine structure.
#include "equations/equations.h"

#include <string.h>

equations *equations_create(const mechanics *s, const char *form) {
    equations *eq = arena_new(&s->model->ctx->arena, equations);
    eq->system = s;
    eq->form = form;
    eq->velocity = s->qd;
    eq->acceleration = s->qdd;
    eq->multiplier_count = s->k + s->h;
    eq->multiplier = s->multiplier;
    return eq;
}

void equations_free(equations *eq) {
    if (!eq) return;
    memory_free(eq->definitions);
    memory_free(eq->omissions);
    memory_free(eq->auxiliaries);
    memory_free(eq->arbitrary);
}

void equations_define(equations *eq, const char *name, const char *latex, expr value) {
    list_push(eq, definitions, (definition){name, latex, value, false});
}

void equations_define_silently(equations *eq, const char *name, expr value) {
    list_push(eq, definitions, (definition){name, name, value, true});
}

void equations_leave_out(equations *eq, const char *name, const char *why) {
    list_push(eq, omissions, (omission){name, why});
}

const definition *equations_find(const equations *eq, const char *name) {
    for (uint32_t i = 0; i < eq->definitions_count; i++)
        if (strcmp(eq->definitions[i].name, name) == 0) return &eq->definitions[i];
    return NULL;
}

bool equations_fix_velocities(const equations *eq) {
    for (uint32_t i = 0; i < eq->auxiliaries_count; i++)
        if (expr_as_symbol(eq->system->pool, eq->auxiliaries[i].symbol)->role == ROLE_COORDINATE)
            return true;
    return false;
}

bool equations_multiplier_is_state(const equations *eq, uint32_t nu) {
    return eq->multipliers_are_state || mechanics_order(eq->system, nu) > 2;
}

static expr ideal_reaction_of(const equations *eq, uint32_t nu, uint32_t i) {
    const mechanics *s = eq->system;
    pool *p = s->pool;
    const expr a = mechanics_slopes(s)[nu * s->n + i], lambda = s->multiplier[nu];
    if (!eq->multipliers_are_state) return expr_mul(p, lambda, a);
    const expr turning = expr_sub(p, expr_ddt(p, a), expr_diff(p, s->phi[nu], s->q[i])); // E_i(Phi)
    return expr_add(p, expr_mul(p, expr_symbol_derivative(p, lambda), a),
                    expr_mul(p, lambda, turning));
}

expr equations_reaction(const equations *eq, uint32_t i) {
    if (eq->system->chain && !eq->multipliers_are_state)
        return mechanics_chain_reaction(eq->system, i);
    expr sum = EXPR_ZERO;
    for (uint32_t nu = 0; nu < eq->multiplier_count; nu++)
        sum = expr_add(eq->system->pool, sum, ideal_reaction_of(eq, nu, i));
    return sum;
}

expr equations_acting_reaction_of(const equations *eq, uint32_t nu, uint32_t i) {
    const mechanics *s = eq->system;
    return mechanics_is_servo(s, nu) ? expr_mul(s->pool, s->multiplier[nu], s->servo[nu * s->n + i])
                                     : ideal_reaction_of(eq, nu, i);
}

expr equations_acting_reaction(const equations *eq, uint32_t i) {
    if (!eq->system->servo) return equations_reaction(eq, i);
    const uint32_t count = eq->multiplier_count;
    expr sum = EXPR_ZERO;
    for (uint32_t nu = 0; nu < count; nu++)
        sum = expr_add(eq->system->pool, sum, equations_acting_reaction_of(eq, nu, i));
    return sum;
}

void equations_affine(const equations *eq, expr *matrix, expr *rest) {
    pool *p = eq->system->pool;
    const uint32_t n = eq->unknown_count;
    expr *zero = memory_zeros(expr, n), *value = memory_array(expr, n);
    for (uint32_t i = 0; i < n; i++) value[i] = eq->residual[i].value;
    expr_jacobian(p, n, value, n, eq->unknown, matrix);
    expr_substitute(p, n, eq->unknown, zero, n, value, rest);
    memory_free(zero);
    memory_free(value);
}
