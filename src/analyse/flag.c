// The flag at a generic point.
#include "analyse/flag.h"

flag flag_generic(const directions *d, uint32_t generators, uint32_t full) {
    const uint32_t width = d->width;
    flag c = {.field = arena_array(&d->s->model->ctx->arena, expr, (MOST_FIELDS + 1) * width),
              .count = generators};
    if (generators > MOST_FIELDS) return c;
    for (uint32_t i = 0; i < generators * width; i++) c.field[i] = d->field[i];
    const uint32_t nodes = pool_size(d->s->pool);
    uint32_t rank = points_generic_rank(d->at, c.count, width, c.field), first = 0;
    while (rank >= generators && c.levels < MOST_LEVELS && !c.complete) {
        c.rank[c.levels++] = rank;
        const uint32_t last = c.count;
        for (uint32_t s = 0; s < generators && rank < full; s++)
            for (uint32_t y = first; y < last && rank < full && c.count < MOST_FIELDS; y++) {
                if (pool_size(d->s->pool) - nodes > MOST_NEW_NODES) return c;
                directions_bracket(d, c.field + s * width, c.field + y * width,
                                   c.field + c.count * width);
                const uint32_t now = points_generic_rank(d->at, c.count + 1, width, c.field);
                if (now > rank) rank = now, c.count++;
            }
        c.complete = c.count == last;
        first = last;
    }
    return c;
}

// X_0 = d/dt, and no direction depends on time
static bool drift_is_time(const directions *d) {
    const uint32_t width = d->width;
    const expr *drift = d->field + (d->fields - 1) * width;
    for (uint32_t i = 0; i + 1 < width; i++)
        if (drift[i] != EXPR_ZERO) return false;
    for (uint32_t i = 0; i < d->fields * width; i++)
        if (expr_depends_on_time(d->s->pool, d->field[i])) return false;
    return true;
}

flag flag_with_drift(const directions *d, const flag *without) {
    if (!drift_is_time(d) || without->count == MOST_FIELDS)
        return flag_generic(d, d->fields, d->width);
    flag c = *without;
    c.field = arena_array(&d->s->model->ctx->arena, expr, (c.count + 1) * d->width);
    for (uint32_t i = 0; i < c.count * d->width; i++) c.field[i] = without->field[i];
    for (uint32_t i = 0; i < d->width; i++)
        c.field[c.count * d->width + i] = d->field[(d->fields - 1) * d->width + i];
    c.count++;
    for (uint32_t i = 0; i < c.levels; i++) c.rank[i]++;
    return c;
}

bool flag_same_growth(const flag *a, const flag *b) {
    bool same = a->levels == b->levels;
    for (uint32_t i = 0; i < a->levels && same; i++) same = a->rank[i] == b->rank[i];
    return same;
}
