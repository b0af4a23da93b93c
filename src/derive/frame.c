// A linear-affine frame and its inverse.
#include "derive/frame.h"

#include "derive/basis.h"
#include "normal/normal.h"

// q' from v = Z q' + z, in normal form where that stays small; by elimination otherwise.
static const expr *invert(const mechanics *s, const expr *symbol, const expr *form,
                          const expr *offset) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const normal_budget budget = normal_budget_default();
    expr *residual = arena_array(a, expr, s->n), *velocity = arena_array(a, expr, s->n);
    for (uint32_t i = 0; i < s->n; i++) residual[i] = expr_sub(p, form[i], symbol[i]);
    if (normal_solve(p, s->n, residual, s->qd, &budget, velocity)) return velocity;
    for (uint32_t i = 0; i < s->n; i++) residual[i] = expr_sub(p, symbol[i], offset[i]);
    basis_solve(s, 1, residual, velocity); // Z q' = v - z
    return velocity;
}

frame frame_create(const mechanics *s) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const uint32_t n = s->n;
    expr *symbol = arena_array(a, expr, n), *form = arena_array(a, expr, n),
         *offset = arena_array(a, expr, n);
    expr *matrix = arena_array(a, expr, n * n), *inverse = arena_array(a, expr, n * n),
         *zero = arena_array(a, expr, n);
    expr *column = arena_array(a, expr, n);
    for (uint32_t i = 0; i < n; i++) {
        form[i] = basis_form(s, i);
        symbol[i] =
            i < s->m
                ? s->eta[i]
                : expr_symbol(p,
                              arena_format(a, "omega[%s]",
                                           s->model->constraints[s->constraint[i - s->m]].name),
                              ROLE_QUASI);
    }
    expr_jacobian(p, n, form, n, s->qd, matrix);         // Z = dv/dq'
    expr_substitute(p, n, s->qd, zero, n, form, offset); // z = v at q' = 0
    frame f = {.symbol = symbol,
               .matrix = matrix,
               .offset = offset,
               .velocity = invert(s, symbol, form, offset)};
    for (uint32_t j = 0; j < n; j++) { // C = dq'/dv
        const expr one = EXPR_ONE;
        expr_pushforward(p, 1, &symbol[j], &one, n, f.velocity, column);
        for (uint32_t i = 0; i < n; i++) inverse[i * n + j] = column[i];
    }
    f.inverse = inverse;
    return f;
}

expr frame_express(const mechanics *s, const frame *f, expr e) {
    return expr_replace(s->pool, e, s->n, s->qd, f->velocity);
}

// On the constraints: the last k quasi-velocities are 0.
static expr on_constraints(const mechanics *s, const frame *f, expr e) {
    expr *zero = arena_array(&s->model->ctx->arena, expr, s->k);
    return expr_replace(s->pool, e, s->k, f->symbol + s->m, zero);
}

void frame_gradients(const mechanics *s, const frame *f, expr kinetic, expr *momentum,
                     expr *position) {
    expr_gradient(s->pool, kinetic, s->n, f->symbol, momentum);
    expr_gradient(s->pool, kinetic, s->n, s->q, position);
    for (uint32_t i = 0; i < s->n; i++) {
        momentum[i] = on_constraints(s, f, momentum[i]);
        position[i] = on_constraints(s, f, position[i]);
    }
}
