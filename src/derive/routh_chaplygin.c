// The Routh-Chaplygin system (RS (4.21)-(4.22)): the constraints are x'_c = Phi_c(u, y, y', t),
// solved from the constant momenta dL/dx'_c = u_c of cyclic coordinates. With the Routh functions R
// = L - sum_c u_c x'_c and R_0 = R with x' = Phi,
//   E_k(R_0) = Q_k for the y,   x'_c = Phi_c,   x''_c = d/dt Phi_c,   u'_c = 0.
// Where the model has no constraints the u are state; where its constraints are the momentum levels
// they fix the u, and their multipliers come out 0.
#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/routh.h"

#include <string.h>

typedef struct {
    mechanics system; // with the x' as its dependent velocities, if they are constrained
    routh r;
} reduction;

static const char *reduce(const mechanics *s, reduction *out) {
    out->system = *s;
    if (s->k) return routh_levels(s, &out->system, &out->r);
    uint32_t *cyclic = arena_array(&s->model->ctx->arena, uint32_t, s->n);
    if (!routh_cyclic(s, cyclic)) return "no coordinate is cyclic";
    return routh_reduce(s, &out->r)
               ? NULL
               : "the momenta of the cyclic coordinates cannot be solved for their velocities";
}

static const char *refusal(const mechanics *s) {
    reduction made;
    return reduce(s, &made);
}

// Without constraints the u are variables of the state, constant along the motion: symbols of their
// own in the place of Routh's constants.
static expr *state_momenta(equations *eq, const mechanics *s, const routh *r) {
    arena *a = &s->model->ctx->arena;
    expr *u = arena_array(a, expr, r->count);
    for (uint32_t i = 0; i < r->count; i++) {
        const expr q = s->q[r->cyclic[i]];
        u[i] = expr_symbol(s->pool, arena_format(a, "u[%s]", expr_symbol_name(s->pool, q)),
                           ROLE_MOMENTUM);
        list_push(eq, auxiliaries, (auxiliary){u[i], r->meaning[i]});
    }
    return u;
}

static void define_functions(equations *eq, const mechanics *s, const routh *r, const expr *u) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    expr full = s->lagrangian;
    for (uint32_t i = 0; i < r->count; i++) {
        const expr q = s->q[r->cyclic[i]];
        full = expr_sub_product(p, full, u[i], s->qd[r->cyclic[i]]);
        ingredient_define(eq, arena_format(a, "u[%s]", expr_symbol_name(s->pool, q)),
                          arena_format(a, "u_{%s}", ingredient_base_latex(s, q)), r->meaning[i]);
    }
    const expr reduced = expr_replace(p, r->function, r->count, r->momentum, u);
    ingredient_define(eq, "R", "R", full);
    ingredient_define(eq, "R_0", "R_0", reduced);
    // of second order in x' - Phi: E_k(R) = E_k(R_0)
    ingredient_define(eq, "R - R_0", "R - R_0", expr_sub(p, full, reduced));
}

// q' and q'': the y keep theirs, the x follow from Phi.
static void set_kinematics(equations *eq, const mechanics *s, const routh *r, const expr *u) {
    pool *p = s->pool;
    expr *velocity = arena_array(&s->model->ctx->arena, expr, s->n),
         *acceleration = arena_array(&s->model->ctx->arena, expr, s->n);
    memcpy(velocity, s->qd, sizeof(expr) * s->n);
    memcpy(acceleration, s->qdd, sizeof(expr) * s->n);
    for (uint32_t i = 0; i < r->count; i++) {
        velocity[r->cyclic[i]] = expr_replace(p, r->velocity[i], r->count, r->momentum, u);
        acceleration[r->cyclic[i]] =
            expr_replace(p, expr_ddt(p, r->velocity[i]), r->count, r->momentum, u);
    }
    eq->explicit_velocities = true;
    eq->velocity = velocity, eq->acceleration = acceleration;
}

static void derive(const mechanics *given, equations *eq) {
    reduction made;
    reduce(given, &made);
    const mechanics *s = &made.system;
    const routh *r = &made.r;
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const expr *u = s->k ? r->momentum : state_momenta(eq, s, r);
    const uint32_t total = r->rest_count + (s->k ? 0 : r->count);
    residual *value = arena_array(a, residual, total);
    expr *unknown = arena_array(a, expr, total);
    define_functions(eq, s, r, u);
    set_kinematics(eq, s, r, u);
    for (uint32_t i = 0; i < r->rest_count; i++) { // E_k(R_0) - Q_k
        value[i] = (residual){expr_replace(p, r->equation[i], r->count, r->momentum, u),
                              RESIDUAL_MOTION, i};
        unknown[i] = s->qdd[r->rest[i]];
    }
    for (uint32_t i = r->rest_count; i < total; i++) { // u'_c = 0
        unknown[i] = expr_symbol_derivative(p, u[i - r->rest_count]);
        value[i] = (residual){unknown[i], RESIDUAL_MOTION, i};
    }
    eq->unknown_count = total;
    eq->unknown = unknown;
    eq->residual = value;
    eq->symmetric = true;
    eq->recovery = deliver_recovery(eq, s);
}

const formalism formalism_routh_chaplygin = {
    .id = "routh-chaplygin",
    .name = "Routh-Chaplygin equations",
    .paper = "Routh 1877; RS (4.21)-(4.22)",
    .formula = "E_k(R_0) = Q_k, x'_c = Phi_c(u, y, y', t) from dL/dx'_c = u_c, R_0 = (L - sum_c "
               "u_c x'_c)~",
    .latex = "E_{k}(R_{0}) = Q_{k}, \\quad \\frac{\\partial L}{\\partial \\dot{x}_{c}} = u_{c}, "
             "\\quad R_{0} = L - \\sum_{c} u_{c} \\dot{x}_{c}",
    .history = "Routh removed cyclic coordinates in 1877 by a Legendre transformation in part; "
               "seen from here their momenta are constraints that happen to be integrals.",
    .use = "For systems with cyclic coordinates, to see Routh's function and the reduced motion.",
    .lists =
        "u[c] = dL/dx'_c, R = L - sum_c u_c x'_c, R_0 the same with the x' eliminated, R - R_0",
    .applies =
        "cyclic coordinates and no constraints, or constraints that are levels of cyclic momenta",
    .mechanics = "routh-chaplygin",
    .refusal = refusal,
    .derive = derive,
};
