// Expressions with the values that the model states.
#include "analyse/stated.h"

#include "model/state.h"

bool with_stated_values(const mechanics *s, uint32_t count, const expr *in, expr *out) {
    const model *m = s->model;
    arena *a = &m->ctx->arena;
    expr *from = arena_array(a, expr, m->parameters_count + 1),
         *to = arena_array(a, expr, m->parameters_count + 1),
         *before = arena_array(a, expr, count + 1);
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (m->parameters[i].value != EXPR_NONE)
            from[pairs] = m->parameters[i].symbol, to[pairs++] = m->parameters[i].value;
    for (uint32_t pass = 0; pass < m->parameters_count; pass++) // a value may use other parameters
        expr_substitute(s->pool, pairs, from, to, pairs, to, to);
    for (uint32_t i = 0; i < count; i++) before[i] = in[i];
    model_concrete(m, false, count, before, out);
    expr_substitute(s->pool, pairs, from, to, count, out, out);
    for (uint32_t i = 0; i < count; i++)
        if (out[i] != before[i]) return true;
    return false;
}
