// Rows kept in memory column by column, each column in one array: what programs get that want the
// numbers of a run. A run fills it through its sink; a table of rows from a file is turned into it.
#ifndef HAMEL_RECORD_COLUMN_STORE_H
#define HAMEL_RECORD_COLUMN_STORE_H

#include "record/table.h"

typedef struct column_store {
    uint32_t column_count;
    uint64_t row_count, row_capacity;
    double **column;
} column_store;

// `out` is filled while the run goes on, and is the caller's
sink *sink_columns(const simulation *sim, column_store *out);
void column_store_of(const table *rows, column_store *out);
// No more rows come: what was taken for them is given back.
void column_store_trim(column_store *s);
// It belongs to no call and no context from here on.
void column_store_hand_over(column_store *s);
void column_store_free(column_store *s);

#endif
