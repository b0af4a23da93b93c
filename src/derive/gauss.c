// Gauss' principle of least constraint: of all accelerations that the constraints allow (also those
// of order 2), the motion has the one that makes
//   Z = (q'' - a).M (q'' - a)/2,  a = M^-1 h,
// least. Up to a constant Z = q''.M q''/2 - q''.h, which needs no inverse of M.
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/lagrange.h"
#include "derive/rates.h"
#include "derive/refusal.h"

// Z as a function of q'': N = M q'' - h is affine in q'', so Z = q''.(N(q'') + N(0))/2.
static expr constraint_measure(const mechanics *s) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    expr *defect = arena_array(a, expr, s->n), *at_rest = arena_array(a, expr, s->n),
         *zero = arena_array(a, expr, s->n);
    lagrange_defect(s, defect);                                    // N(q'') = M q'' - h
    expr_substitute(p, s->n, s->qdd, zero, s->n, defect, at_rest); // N(0) = -h
    for (uint32_t i = 0; i < s->n; i++) defect[i] = expr_add(p, defect[i], at_rest[i]);
    return expr_mul(p, EXPR_HALF, expr_dot(p, s->n, s->qdd, defect));
}

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    const manifold m = manifold_create(s);
    const expr measure = constraint_measure(s);
    const rate_chart rates = rates_create(&m);
    // Z of the accelerations that the constraints allow, a function of the free eta'
    const expr allowed = rates_substitute(
        &rates, manifold_star(&m, expr_replace(p, measure, s->n, s->qdd, m.v.acceleration)));
    expr *value = arena_array(&s->model->ctx->arena, expr, s->m);
    expr_gradient(p, allowed, rates.free_count, rates.free_rate, value); // dZ/d eta'_s = 0
    equations_define(eq, "Z", "Z", measure);
    ingredient_remark(eq, "Z is listed up to a term free of q'': q''.M q''/2 - q''.h, h = M a");
    rates_deliver(eq, &rates, value);
}

const formalism formalism_gauss = {
    .id = "gauss",
    .name = "Gauss' principle of least constraint",
    .paper = "Gauss 1829",
    .formula = "(q'' - a).M (q'' - a)/2 least under d/dt Phi = 0",
    .latex = "\\tfrac{1}{2} \\left(\\ddot{q} - a\\right) \\cdot M \\left(\\ddot{q} - a\\right) = "
             "\\min, \\quad \\tfrac{d}{dt} \\Phi = 0",
    .history = "Gauss's principle of 1829: of all accelerations that the constraints allow, nature "
               "takes the one nearest to the free one, masses being the weights.",
    .use = "For nonlinear constraints and constraints on accelerations, where virtual "
           "displacements are in doubt but accelerations are not.",
    .lists = "Z in q'', up to a term free of q''",
    .applies = "always, up to constraints of order 2",
    .highest_order = 2,
    .refusal = refusal_never,
    .derive = derive,
};
