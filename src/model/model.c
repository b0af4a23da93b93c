// Creation and release of a model.
#include "model/model.h"

#include "model/mechanics.h"

#include <stdlib.h>

model *model_create(context *ctx, pool *p) {
    model *m = arena_new(&ctx->arena, model);
    m->ctx = ctx;
    m->pool = p;
    m->lagrangian = EXPR_NONE;
    m->simulate = (simulate_defaults){EXPR_NONE, EXPR_NONE, EXPR_NONE, EXPR_NONE, NULL, NULL, {0}};
    m->time = expr_symbol(p, "t", ROLE_TIME);
    return m;
}

void model_free(model *m) {
    if (!m) return;
    if (m->scope) m->scope_free(m->scope);
    free(m->included);
    free(m->parameters);
    free(m->coordinates);
    free(m->givens);
    free(m->points);
    free(m->bodies);
    free(m->generalised_forces);
    free(m->forces);
    free(m->torques);
    free(m->constraints);
    free(m->independent);
    free(m->quasis);
    free(m->supplementary);
    free(m->cartesians);
    free(m->initial);
    free(m->events);
    free(m->invariants);
    free(m->observables);
    free(m->claims);
    free(m->variations);
    free(m->quantities);
    free(m->draws);
}
