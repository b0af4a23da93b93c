// Maggi's equations: sum_i N_i B_is = 0 with B = dq'/d eta a basis of the virtual displacements (M 16).
#include "derive/defect.h"
#include "derive/formalism.h"
#include "derive/manifold.h"
#include "derive/refusals.h"

static void derive(const mechanics *s, equations *eq) {
    arena *a = &s->model->ctx->arena;
    const manifold m = manifold_create(s);
    expr *defect = arena_array(a, expr, s->n), *value = arena_array(a, expr, s->m);
    lagrange_defect(s, defect);
    expr_substitute(s->pool, s->n, s->qdd, m.v.acceleration, s->n, defect, defect);
    project(&m, defect, value);
    deliver_projected(eq, &m, value);
}

const formalism formalism_maggi = {
    .id = "maggi",
    .name = "Maggi",
    .paper = "Maggi 1896, 1901; M (16)",
    .formula = "sum_i N_i B_is = 0, B = dq'/d eta",
    .applies = "always",
    .refusal = applies_always,
    .derive = derive,
};
