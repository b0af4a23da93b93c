// Choices made from numbers at the sampled state.
#include "derive/sample_pivots.h"

#include "normal/normal.h"

static double *values_at_sample(const mechanics *s, uint32_t count, const expr *entry) {
    return mechanics_values(s, mechanics_sample(s), count, entry);
}

uint32_t sample_pivots_find(const mechanics *s, uint32_t size, const expr *matrix, uint32_t *row,
                            uint32_t *column) {
    return pivots_choose(size, size, values_at_sample(s, size * size, matrix), NULL,
                         INDEPENDENCE_THRESHOLD, row, column);
}

// Fill a sequence that ends early with the indices it does not hold.
static void complete_sequence(arena *a, uint32_t from, uint32_t to, uint32_t most,
                              uint32_t *sequence) {
    bool *used = arena_array(a, bool, most);
    for (uint32_t i = 0; i < from; i++) used[sequence[i]] = true;
    for (uint32_t i = 0; i < most && from < to; i++)
        if (!used[i]) sequence[from++] = i;
}

uint32_t sample_pivots_find_rows(const mechanics *s, uint32_t rows, uint32_t columns,
                                 const expr *matrix, uint32_t *row, uint32_t *column) {
    const uint32_t rank = pivots_choose(rows, columns, values_at_sample(s, rows * columns, matrix),
                                        NULL, INDEPENDENCE_THRESHOLD, row, column);
    complete_sequence(&s->model->ctx->arena, rank, rows, rows, row);
    complete_sequence(&s->model->ctx->arena, rank, rows, columns, column);
    return rank;
}

bool sample_pivots_choose_dependent(const mechanics *s, const bool *allowed, mechanics *out) {
    arena *a = &s->model->ctx->arena;
    double *value = values_at_sample(s, s->k * s->n, mechanics_slopes(s)),
           *cost = arena_array(a, double, s->k * s->n);
    for (uint32_t i = 0; i < s->k * s->n; i++) {
        cost[i] = expr_weight(s->pool, mechanics_slopes(s)[i]);
        if (!allowed[i % s->n]) value[i] = 0;
    }
    uint32_t *row = arena_array(a, uint32_t, s->k), *column = arena_array(a, uint32_t, s->k);
    if (pivots_choose(s->k, s->n, value, cost, INDEPENDENCE_THRESHOLD, row, column) < s->k)
        return false;
    bool *is_dependent = arena_array(a, bool, s->n);
    for (uint32_t i = 0; i < s->k; i++) is_dependent[column[i]] = true;
    uint32_t *dependent = arena_array(a, uint32_t, s->k),
             *independent = arena_array(a, uint32_t, s->m), d = 0, f = 0;
    for (uint32_t j = 0; j < s->n; j++) {
        if (is_dependent[j]) dependent[d++] = j;
        else independent[f++] = j;
    }
    *out = *s;
    out->dependent = dependent, out->independent = independent;
    expr *block = arena_array(a, expr, s->k * s->k);
    for (uint32_t i = 0; i < s->k; i++)
        for (uint32_t j = 0; j < s->k; j++)
            block[i * s->k + j] = mechanics_slopes(s)[i * s->n + dependent[j]];
    uint32_t *block_row = arena_array(a, uint32_t, s->k),
             *block_column = arena_array(a, uint32_t, s->k);
    sample_pivots_find(s, s->k, block, block_row, block_column);
    out->block = (pivot_order){block_row, block_column};
    *out = mechanics_without_quasi(out);
    return true;
}
