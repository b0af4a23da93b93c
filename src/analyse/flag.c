// The generic flag.
#include "analyse/flag.h"

flag flag_generic(const directions *d, uint32_t generators, uint32_t full) {
    const uint32_t w = d->width;
    flag c = {.field = arena_array(&d->s->model->ctx->arena, expr, (MOST_FIELDS + 1) * w), .count = generators};
    if (generators > MOST_FIELDS) return c;
    for (uint32_t i = 0; i < generators * w; i++) c.field[i] = d->field[i];
    uint32_t rank = generic_rank(d->at, c.count, w, c.field), first = 0;
    while (rank >= generators && c.levels < MOST_LEVELS && !c.complete) {
        c.rank[c.levels++] = rank;
        const uint32_t last = c.count;
        for (uint32_t s = 0; s < generators && rank < full; s++)
            for (uint32_t y = first; y < last && rank < full && c.count < MOST_FIELDS; y++) {
                lie_bracket(d, c.field + s * w, c.field + y * w, c.field + c.count * w);
                const uint32_t now = generic_rank(d->at, c.count + 1, w, c.field);
                if (now > rank) rank = now, c.count++;
            }
        c.complete = c.count == last;
        first = last;
    }
    return c;
}
