// Which chart a run goes on in where its own has got poor.
#include "simulate/chart_choice.h"

#include "model/state.h"
#include "normal/normal.h"

#include <stdlib.h>
#include <string.h>

double *chart_choice_weights(const mechanics *s) {
    double *weight = arena_array(&s->model->ctx->arena, double, s->k * s->n + 1);
    for (uint32_t i = 0; i < s->k * s->n; i++)
        weight[i] = expr_weight(s->pool, mechanics_slopes(s)[i]);
    return weight;
}

static int by_size(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool chart_choice_find(uint32_t k, uint32_t n, const double *slopes, const double *weights,
                       uint32_t *choice) {
    uint32_t *row = choice + k, *column = row + k;
    if (pivots_choose(k, n, slopes, weights, FREE_THRESHOLD, row, choice) < k) return false;
    qsort(choice, k, sizeof *choice, by_size);
    double *block = memory_array(double, (size_t)k *k + 1);
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) block[i * k + j] = slopes[i * n + choice[j]];
    const uint32_t rank = pivots_choose(k, k, block, NULL, INDEPENDENCE_THRESHOLD, row, column);
    memory_free(block);
    return rank == k;
}

bool chart_choice_is_of(const mechanics *s, const uint32_t *choice) {
    const size_t size = sizeof *choice * s->k;
    return memcmp(s->dependent, choice, size) == 0 &&
           memcmp(s->block.row, choice + s->k, size) == 0 &&
           memcmp(s->block.column, choice + 2 * s->k, size) == 0;
}
