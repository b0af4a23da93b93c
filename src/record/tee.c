// Rows for two places at once.
#include "record/sinks.h"

#include <stdlib.h>

typedef struct {
    sink base;
    sink *part[2];
} tee;

static bool row(sink *s, const double *value) {
    tee *t = (tee *)s;
    return t->part[0]->row(t->part[0], value) && t->part[1]->row(t->part[1], value);
}

static bool pulse(sink *s) {
    tee *t = (tee *)s;
    for (int i = 0; i < 2; i++)
        if (t->part[i]->pulse && !t->part[i]->pulse(t->part[i])) return false;
    return true;
}

static bool finish(sink *s, const char *outcome) {
    tee *t = (tee *)s;
    const bool first = t->part[0]->finish(t->part[0], outcome),
               second = t->part[1]->finish(t->part[1], outcome);
    memory_free(t);
    return first && second;
}

static bool restore(sink *s, integration *in, run_record *record) {
    tee *t = (tee *)s;
    return t->part[0]->restore(t->part[0], in, record);
}

sink *sink_tee(sink *first, sink *second) {
    if (!first) return second;
    tee *t = memory_new(tee);
    *t = (tee){.base = {.row = row,
                        .pulse = pulse,
                        .finish = finish,
                        .restore = first->restore ? restore : NULL},
               .part = {first, second}};
    return &t->base;
}
