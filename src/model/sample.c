// Numbers at the state under study, where choices are made.
#include "expr/program.h"
#include "model/mechanics.h"

#include <string.h>

double *mechanics_sample(const mechanics *s) {
    const uint32_t now = pool_symbol_count(s->pool), symbols = now > s->sample_count ? now : s->sample_count;
    double *at = arena_array(&s->model->ctx->arena, double, symbols);
    memcpy(at, s->sample, sizeof(double) * s->sample_count);
    return at;
}

double *mechanics_values(const mechanics *s, const double *at, uint32_t count, const expr *e) {
    arena *a = &s->model->ctx->arena;
    expr *concrete = arena_array(a, expr, count);
    double *value = arena_array(a, double, count);
    model_concrete(s->model, true, count, e, concrete);
    program *prog = program_create(s->pool, count, concrete);
    program_run_double(prog, at, value);
    program_free(prog);
    return value;
}
