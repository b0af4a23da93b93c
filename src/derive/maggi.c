// Maggi's equations: sum_i N_i B_is = 0 with B = dq'/d eta a basis of the virtual displacements (M
// (16)). With constraints of order 2 these are B K, K the kernel of dPhi/dq'' B, and the h
// equations Phi = 0 stand beside the m - h projections.
#include "derive/formalism.h"
#include "derive/lagrange.h"
#include "derive/rates.h"
#include "derive/refusal.h"

static void derive(const mechanics *s, equations *eq) {
    arena *a = &s->model->ctx->arena;
    const manifold m = manifold_create(s);
    expr *defect = arena_array(a, expr, s->n), *value = arena_array(a, expr, s->m),
         *kept = arena_array(a, expr, s->m);
    lagrange_defect(s, defect);                                                     // N_i(q'')
    expr_substitute(s->pool, s->n, s->qdd, m.v.acceleration, s->n, defect, defect); // q'' = d/dt V
    manifold_project(&m, defect, value); // sum_i N_i B_is
    const rate_chart rates = rates_create(&m);
    rates_project(&rates, value, kept); // .. times K, where constraints of order 2 bind some eta'
    rates_deliver(eq, &rates, kept);
}

const formalism formalism_maggi = {
    .id = "maggi",
    .name = "Maggi's equations",
    .paper = "Maggi 1896, Maggi 1901; M (16)",
    .formula = "sum_i N_i B_is = 0, B = dq'/d eta",
    .latex = "\\sum_{i} N_{i} B_{is} = 0, \\quad B_{is} = \\frac{\\partial \\dot{q}_{i}}{\\partial "
             "\\eta_{s}}",
    .history = "Maggi printed these equations in his lectures of 1896 and defended them in 1901: "
               "project Lagrange's equations onto the directions the constraints allow. Moshkin "
               "derives every classical form from them.",
    .use = "The default of hamel: always applicable, no multipliers, no differentiated kinetic "
           "energy of a reduced system. Start here.",
    .applies = "always, up to constraints of order 2",
    .highest_order = 2,
    .refusal = refusal_never,
    .derive = derive,
};
