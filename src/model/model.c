// Creation and release of a model.
#include "model/model.h"

#include "model/mechanics.h"

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
    memory_free(m->included);
    memory_free(m->parameters);
    memory_free(m->coordinates);
    memory_free(m->givens);
    memory_free(m->points);
    memory_free(m->bodies);
    memory_free(m->generalised_forces);
    memory_free(m->forces);
    memory_free(m->torques);
    memory_free(m->constraints);
    memory_free(m->independent);
    memory_free(m->quasis);
    memory_free(m->supplementary);
    memory_free(m->cartesians);
    memory_free(m->initial);
    memory_free(m->events);
    memory_free(m->invariants);
    memory_free(m->observables);
    memory_free(m->claims);
    memory_free(m->variations);
    memory_free(m->quantities);
    memory_free(m->draws);
}
