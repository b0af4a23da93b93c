// Rows kept in memory.
#include "simulate/table.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    sink base;
    table *to;
} keeper;

static bool row(sink *s, const double *value) {
    table *t = ((keeper *)s)->to;
    if (t->row_count == t->row_capacity) {
        t->row_capacity = t->row_capacity ? 2 * t->row_capacity : 256;
        t->value = memory_resize(t->value, t->row_capacity * t->column_count * sizeof *t->value);
    }
    memcpy(t->value + t->row_count++ * t->column_count, value, t->column_count * sizeof *value);
    return true;
}

static bool finish(sink *s, const char *outcome) {
    (void)outcome;
    free(s);
    return true;
}

sink *sink_table(const simulation *s, table *out) {
    keeper *k = memory_resize(NULL, sizeof *k);
    *k = (keeper){.base = {.row = row, .finish = finish}, .to = out};
    *out = (table){.column_count = s->column_count};
    return &k->base;
}

void table_free(table *t) {
    free(t->value);
    *t = (table){0};
}
