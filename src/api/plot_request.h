// The panels that a plot asks for, in words: "x:y,z=NAME". plot_request_read() takes one apart and
// finds its columns, those of the usual panel where none is asked for; it needs names only, so that
// a misspelt column is an error before a long run.
#ifndef HAMEL_API_PLOT_REQUEST_H
#define HAMEL_API_PLOT_REQUEST_H

#include "api/plot_figure.h"

typedef struct { // a column, or its error
    const char *name;
    uint32_t column;
    bool is_error;
} plot_quantity;

typedef struct {
    plot_quantity x, y;
    const char *label; // in the legend; NULL: the name of y
} plot_pair;

typedef struct {
    const char *words; // as it was asked for
    LIST(plot_pair, pairs);
} plot_request; // of one panel

size_t plot_request_count(const plot_rows *r);
// The i-th panel; false after an error that names what is missing. The caller frees out->pairs in
// every case.
bool plot_request_read(const plot_rows *r, size_t i, plot_request *out);

// The columns of all panels, each once, where they stand alone (x, not t:x nor error(x)); those of
// the usual panel where none is asked for. Their number, 0 after saying what is wrong.
uint32_t plot_request_columns(const plot_rows *r, const char *what, uint32_t *column);

#endif
