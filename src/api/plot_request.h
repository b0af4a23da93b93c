// What was asked to be drawn: "x:y,z=NAME" as columns against columns. request_read() takes one
// panel apart and finds its columns among those of a run or of a file, or says which there are.
// plot_figure.h makes figures of them.
#ifndef HAMEL_API_PLOT_REQUEST_H
#define HAMEL_API_PLOT_REQUEST_H

#include "record/table.h"

// Rows to draw from, of a run or of a file.
typedef struct {
    context *ctx;
    const hamel_plot *asked;
    uint32_t column_count;
    const column *column; // names and kinds
    bool is_file;         // where no panel is asked for, all columns are drawn against the first
    const table *rows;    // NULL or empty: they are not there yet
    uint32_t event_count;
    const event_record *event;
} plot_rows;

typedef struct { // a column, or its error
    const char *name;
    uint32_t column;
    bool is_error;
} drawn;

typedef struct {
    drawn x, y;
    const char *label; // in the legend; NULL: the name of y
} pair;

typedef struct {
    const char *words; // as it was asked for
    LIST(pair, pairs);
} request; // of one panel

size_t request_count(const plot_rows *r);
// The i-th panel; false after saying what there is not. memory_free(out->pairs)
// comes after it in every case.
bool request_read(const plot_rows *r, size_t i, request *out);

#endif
