// Rows kept in memory: what a plot or a page is made of. Reports and figures read runs from it.
#ifndef HAMEL_RECORD_TABLE_H
#define HAMEL_RECORD_TABLE_H

#include "record/record.h"

typedef struct {
    uint32_t column_count;
    uint64_t row_count, row_capacity;
    double *value; // row by row
} table;

// `out` is filled while the run goes on, and is the caller's
sink *sink_table(const simulation *sim, table *out);
void table_free(table *t);

// Within the limits of a context, else HAMEL_LIMIT: one more row; this many rows, to be filled in.
hamel_status table_add_within(context *ctx, table *t, const double *row);
hamel_status table_set_rows(context *ctx, table *t, uint64_t count);

static inline double table_at(const table *t, uint64_t row, uint32_t column) {
    return t->value[row * t->column_count + column];
}

#endif
