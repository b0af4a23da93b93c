// Nielsen (Mangeron-Deleanu): dT'/dq'_i - 2 dT/dq_i - F_i, with T' = dT/dt, projected on the
// virtual displacements. Since d/dt(dT/dq'_i) = dT'/dq'_i - dT/dq_i, this is E_i(T) - F_i.
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/refusal.h"

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const manifold m = manifold_create(s);
    const expr rate = expr_ddt(p, m.kinetic); // T'(q, q', q'', t)
    expr *by_velocity = arena_array(a, expr, s->n), *by_position = arena_array(a, expr, s->n),
         *value = arena_array(a, expr, s->m);
    expr_gradient(p, rate, s->n, s->qd, by_velocity);     // dT'/dq'_i
    expr_gradient(p, m.kinetic, s->n, s->q, by_position); // dT/dq_i
    for (uint32_t i = 0; i < s->n; i++) {                 // dT'/dq'_i - 2 dT/dq_i - F_i
        by_velocity[i] = expr_sub_product(p, by_velocity[i], EXPR_TWO, by_position[i]);
        by_velocity[i] = expr_sub(p, by_velocity[i], m.force[i]);
    }
    expr_substitute(p, s->n, s->qdd, m.v.acceleration, s->n, by_velocity, by_velocity);
    manifold_project(&m, by_velocity, value); // sum_i (..)_i B_is
    equations_define(eq, "dT/dt", "\\dot T", rate);
    deliver_projected(eq, &m, value);
}

const formalism formalism_nielsen = {
    .id = "nielsen",
    .name = "Nielsen's equations",
    .paper = "Nielsen 1935, Mangeron and Deleanu 1962",
    .formula = "sum_i (dT'/dq'_i - 2 dT/dq_i - F_i) B_is = 0",
    .latex = "\\sum_{i} \\left(\\frac{\\partial \\dot{T}}{\\partial \\dot{q}_{i}} - 2 "
             "\\frac{\\partial T}{\\partial q_{i}} - F_{i}\\right) B_{is} = 0",
    .history = "Nielsen's lectures of 1935 differentiate T by time before differentiating by "
               "velocities; Mangeron and Deleanu (1962) went on to higher derivatives.",
    .use = "As an independent check: it never forms d/dt of a momentum.",
    .lists = "dT/dt in q', q''",
    .applies = "always",
    .refusal = refusal_never,
    .derive = derive,
};
