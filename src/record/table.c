// Rows kept in memory.
#include "record/table.h"

#include <string.h>

typedef struct {
    sink base;
    table *to;
} keeper;

static void add(table *t, const double *value) {
    if (t->row_count == t->row_capacity) {
        t->row_capacity = t->row_capacity ? 2 * t->row_capacity : 16;
        memory_grow(t->value, t->row_capacity * t->column_count);
    }
    memcpy(t->value + t->row_count++ * t->column_count, value, t->column_count * sizeof *value);
}

static bool row(sink *s, const double *value) {
    add(((keeper *)s)->to, value);
    return true;
}

static bool finish(sink *s, const run_position *here, const char *outcome, text *why) {
    (void)here, (void)outcome, (void)why;
    memory_free(s);
    return true;
}

sink *sink_table(const simulation *sim, table *out) {
    keeper *k = memory_new(keeper);
    *k = (keeper){.base = {.row = row, .finish = finish}, .to = out};
    *out = (table){.column_count = sim->column_count};
    return &k->base;
}

static hamel_status check_size(context *ctx, const table *t, uint64_t rows) {
    const uint64_t most = ctx->limits.table_bytes / sizeof *t->value;
    if (rows <= most / t->column_count) return HAMEL_OK;
    context_exhaust_limit(ctx, (span){0}, "bytes", "bytes of rows in memory",
                          ctx->limits.table_bytes);
    return HAMEL_LIMIT;
}

hamel_status table_add_within(context *ctx, table *t, const double *value) {
    const hamel_status status = check_size(ctx, t, t->row_count + 1);
    if (!status) add(t, value);
    return status;
}

hamel_status table_set_rows(context *ctx, table *t, uint64_t count) {
    const hamel_status status = check_size(ctx, t, count);
    if (status) return status;
    t->row_count = t->row_capacity = count;
    memory_grow(t->value, count * t->column_count);
    return HAMEL_OK;
}

void table_free(table *t) {
    memory_free(t->value);
    *t = (table){0};
}
