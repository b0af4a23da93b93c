// Rows for two places at once.
#include "simulate/sinks.h"

#include <stdlib.h>

typedef struct {
    sink base;
    sink *part[2];
} both;

static bool row(sink *s, const double *value) {
    both *b = (both *)s;
    return b->part[0]->row(b->part[0], value) && b->part[1]->row(b->part[1], value);
}

static bool pulse(sink *s) {
    both *b = (both *)s;
    for (int i = 0; i < 2; i++)
        if (b->part[i]->pulse && !b->part[i]->pulse(b->part[i])) return false;
    return true;
}

static bool finish(sink *s, const char *outcome) {
    both *b = (both *)s;
    const bool first = b->part[0]->finish(b->part[0], outcome),
               second = b->part[1]->finish(b->part[1], outcome);
    memory_free(b);
    return first && second;
}

static bool restore(sink *s, run *r) {
    both *b = (both *)s;
    return b->part[0]->restore(b->part[0], r);
}

sink *sink_both(sink *first, sink *second) {
    if (!first) return second;
    both *b = memory_new(both);
    *b = (both){.base = {.row = row,
                         .pulse = pulse,
                         .finish = finish,
                         .restore = first->restore ? restore : NULL},
                .part = {first, second}};
    return &b->base;
}
