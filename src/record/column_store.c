// Rows kept in memory column by column.
#include "record/column_store.h"

typedef struct {
    sink base;
    column_store *to;
} keeper;

// The C library moves large arrays by their pages, so that growing is no copy.
static void set_capacity(column_store *s, uint64_t rows) {
    for (uint32_t i = 0; i < s->column_count; i++) memory_grow(s->column[i], rows);
    s->row_capacity = rows;
}

static column_store empty(uint32_t columns) {
    return (column_store){.column_count = columns, .column = memory_zeros(double *, columns)};
}

static bool row(sink *s, const double *value) {
    enum { FIRST = 256 };
    column_store *to = ((keeper *)s)->to;
    if (to->row_count == to->row_capacity)
        set_capacity(to, to->row_capacity ? 2 * to->row_capacity : FIRST);
    for (uint32_t i = 0; i < to->column_count; i++) to->column[i][to->row_count] = value[i];
    to->row_count++;
    return true;
}

static bool finish(sink *s, const run_position *here, const char *outcome, text *why) {
    (void)here, (void)outcome, (void)why;
    memory_free(s);
    return true;
}

sink *sink_columns(const simulation *sim, column_store *out) {
    keeper *k = memory_new(keeper);
    *k = (keeper){.base = {.row = row, .finish = finish}, .to = out};
    *out = empty(sim->column_count);
    return &k->base;
}

void column_store_of(const table *rows, column_store *out) {
    *out = empty(rows->column_count);
    set_capacity(out, rows->row_count);
    out->row_count = rows->row_count;
    for (uint64_t i = 0; i < rows->row_count; i++)
        for (uint32_t k = 0; k < rows->column_count; k++) out->column[k][i] = table_at(rows, i, k);
}

void column_store_trim(column_store *s) {
    if (s->row_count < s->row_capacity) set_capacity(s, s->row_count);
}

void column_store_hand_over(column_store *s) {
    for (uint32_t i = 0; i < s->column_count; i++) memory_hand_over(s->column[i]);
    memory_hand_over(s->column);
}

void column_store_free(column_store *s) {
    for (uint32_t i = 0; i < s->column_count; i++) memory_free(s->column[i]);
    memory_free(s->column);
    *s = (column_store){0};
}
