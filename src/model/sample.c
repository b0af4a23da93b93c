// Numbers at the state under study, where choices are made.
#include "expr/program.h"
#include "model/mechanics.h"

#include <math.h>
#include <string.h>

enum { REGULAR_BITS = 128 };

double *mechanics_sample(const mechanics *s) {
    const uint32_t now = pool_symbol_count(s->pool),
                   symbols = now > s->sample_count ? now : s->sample_count;
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

rank_margin mechanics_margin(const mechanics *s, const double *at) {
    arena *a = &s->model->ctx->arena;
    const uint32_t k = s->k;
    double *rows = mechanics_values(s, at, k * s->n, mechanics_slopes(s)),
           *block = arena_array(a, double, k *k);
    for (uint32_t i = 0; i < k; i++) {
        double norm = 0;
        for (uint32_t j = 0; j < s->n; j++) norm = fmax(norm, fabs(rows[i * s->n + j]));
        for (uint32_t j = 0; j < s->n && norm > 0; j++) rows[i * s->n + j] /= norm;
        for (uint32_t j = 0; j < k; j++) block[i * k + j] = rows[i * s->n + s->dependent[j]];
    }
    if (!s->has_quasi)
        return (rank_margin){pivots_smallest(k, s->n, rows), pivots_smallest(k, k, block)};
    double *frame = arena_array(a, double, s->n * s->n);
    memcpy(frame, mechanics_values(s, at, s->m * s->n, s->psi_velocity),
           sizeof(double) * s->m * s->n);
    memcpy(frame + s->m * s->n, rows, sizeof(double) * k * s->n);
    return (rank_margin){pivots_smallest(k, s->n, rows), pivots_smallest(s->n, s->n, frame)};
}

bool mechanics_is_regular_at(const mechanics *s, const completion_request *where) {
    static const double LEAST = 1e-3; // of the best choice there
    completion_request request = *where;
    state there;
    request.mode = COMPLETE_GENERIC;
    bool regular = state_find(&there, s->model, model_bits(s->model, REGULAR_BITS), &request);
    if (regular) {
        double *value = arena_array(&s->model->ctx->arena, double, there.capacity);
        for (uint32_t i = 0; i < there.capacity; i++) value[i] = ball_middle(there.value + i);
        const rank_margin margin = mechanics_margin(s, value);
        regular = s->has_quasi ? margin.block > 0 : !s->k || margin.block > LEAST * margin.rows;
    }
    state_clear(&there);
    return regular;
}
