// The container of a state: one ball a symbol.
#include "model/state.h"

#include <stdlib.h>

void state_init(state *s, const model *m, slong precision) {
    *s = (state){.model = m, .precision = precision};
    state_reserve(s);
}

void state_clear(state *s) {
    if (s->value) _arb_vec_clear(s->value, s->capacity);
    memory_free(s->known);
    *s = (state){0};
}

void state_reserve(state *s) {
    const uint32_t count = pool_symbol_count(s->model->pool);
    if (count <= s->capacity) return;
    const uint32_t capacity = 2 * count;
    arb_ptr value = _arb_vec_init(capacity);
    memory_grow(s->known, capacity);
    for (uint32_t i = 0; i < s->capacity; i++) arb_swap(value + i, s->value + i);
    for (uint32_t i = s->capacity; i < capacity; i++) s->known[i] = false;
    if (s->value) _arb_vec_clear(s->value, s->capacity);
    s->value = value;
    s->capacity = capacity;
}

arb_ptr state_get(state *s, expr symbol) {
    const uint32_t index = expr_symbol_index(s->model->pool, symbol);
    if (index >= s->capacity) state_reserve(s);
    return s->value + index;
}

double *state_doubles(state *s, uint32_t count, const expr *e) {
    arena *a = &s->model->ctx->arena;
    expr *concrete = arena_array(a, expr, count);
    model_concrete(s->model, true, count, e, concrete);
    state_reserve(s);
    program *prog = program_create(s->model->pool, count, concrete);
    arb_ptr out = _arb_vec_init(count);
    program_run_arb(prog, s->value, s->precision, out);
    double *values = arena_array(a, double, count);
    for (uint32_t i = 0; i < count; i++) values[i] = arf_get_d(arb_midref(out + i), ARF_RND_NEAR);
    _arb_vec_clear(out, count);
    program_free(prog);
    return values;
}

void state_set(state *s, expr symbol, const arb_t value) {
    arb_set(state_get(s, symbol), value);
    s->known[expr_symbol_index(s->model->pool, symbol)] = true;
}
