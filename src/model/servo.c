// Servo constraints (`constraint c: .. by x: E`): N_i = sum_nu lambda_nu b_nu,i with a stated
// direction b in the place of a_nu,i = dPhi_nu/dq'_i. Forms know ideal reactions, lambda a; the
// rest, lambda (b - a), joins the forces.
#include "model/mechanics.h"

bool mechanics_is_servo(const mechanics *s, uint32_t nu) {
    return s->model->constraints[s->constraint[nu]].servo != NULL;
}

static bool has_servo(const model *m) {
    for (uint32_t i = 0; i < m->constraints_count; i++)
        if (m->constraints[i].servo) return true;
    return false;
}

// Does this constraint, which was set aside, follow from those that act without a servo?
static bool follows_from_ideal(const mechanics *s, const constraint *c, state *here) {
    arena *a = &s->model->ctx->arena;
    const uint32_t n = s->n;
    uint32_t rows = 0, *row = arena_array(a, uint32_t, s->k + 1),
             *column = arena_array(a, uint32_t, s->k + 1);
    expr *slope = arena_array(a, expr, (s->k + 1) * n);
    for (uint32_t nu = 0; nu < s->k; nu++) {
        if (mechanics_is_servo(s, nu)) continue;
        for (uint32_t i = 0; i < n; i++) slope[rows * n + i] = mechanics_slopes(s)[nu * n + i];
        rows++;
    }
    expr_gradient(s->pool, c->velocity_phi, n, s->qd, slope + rows * n);
    const double *value = state_doubles(here, (rows + 1) * n, slope);
    const uint32_t before = pivots_choose(rows, n, value, NULL, 1, row, column);
    return pivots_choose(rows + 1, n, value, NULL, 1, row, column) == before;
}

static void report_twice(const mechanics *s, const constraint *c) {
    diag_error(s->model->ctx, c->at, "leave one of them out, or let the servo hold something else",
               c->servo
                   ? "servo constraint `%s` says what follows from other constraints: it would "
                     "be prescribed twice, and its reaction is not determined"
                   : "constraint `%s` follows from servo constraints: what it says would be "
                     "prescribed twice, and the reactions are not determined",
               c->name);
}

// lambda_nu (b_nu - a_nu) joins the forces
static void add_direction(mechanics *s, uint32_t nu, expr *force, expr *direction) {
    const constraint *c = &s->model->constraints[s->constraint[nu]];
    pool *p = s->pool;
    for (uint32_t i = 0; i < s->n; i++) {
        direction[i] = c->servo[i];
        force[i] = expr_add_product(p, force[i], s->multiplier[nu], c->servo[i]);
        force[i] =
            expr_sub_product(p, force[i], s->multiplier[nu], mechanics_slopes(s)[nu * s->n + i]);
    }
}

hamel_status mechanics_settle_servo(mechanics *s, state *here) {
    const model *m = s->model;
    arena *a = &m->ctx->arena;
    if (!has_servo(m)) return HAMEL_OK;
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const constraint *c = &m->constraints[i];
        if (c->status == CONSTRAINT_ACTIVE || c->status == CONSTRAINT_IDENTITY) continue;
        if (c->servo || !follows_from_ideal(s, c, here)) report_twice(s, c);
    }
    const uint32_t acting = s->k + s->h;
    expr *force = arena_array(a, expr, s->n), *servo = arena_array(a, expr, acting * s->n + 1);
    for (uint32_t i = 0; i < s->n; i++) force[i] = s->applied[i];
    for (uint32_t nu = 0; nu < acting; nu++) {
        if (!mechanics_is_servo(s, nu)) continue;
        add_direction(s, nu, force, servo + nu * s->n);
        s->forces_hold_multipliers = true;
    }
    s->force = force, s->servo = servo;
    return context_status(m->ctx);
}
