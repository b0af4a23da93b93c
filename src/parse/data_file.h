// Data beside a model: a text of comma-separated values whose first line names the columns. One
// column over the time becomes a spline (expr/spline.h) of exact numbers, several are rows of
// numbers; whatever is wrong is reported with its line and column in the data.
#ifndef HAMEL_PARSE_DATA_FILE_H
#define HAMEL_PARSE_DATA_FILE_H

#include "base/context.h"
#include "expr/spline.h"

// The column of this name over the column `t`, or over the first where none is called so. NULL:
// reported, `at` is where the model asks for it.
spline *data_file_column(context *ctx, const source *text, const char *column, bool linear,
                         span at);

// The numbers of all rows in these columns, row by row; NULL: reported
double *data_file_rows(context *ctx, const source *text, uint32_t count, const char *const *column,
                       uint64_t *rows, span at);

#endif
