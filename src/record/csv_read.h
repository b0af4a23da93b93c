// Rows from comma-separated values of anybody (RFC 4180): a line of names, then lines of numbers,
// where an empty cell is a gap. csv_read() is the reading half of the descriptor in csv.c; what is
// wrong with a file is said with its place.
#ifndef HAMEL_RECORD_CSV_READ_H
#define HAMEL_RECORD_CSV_READ_H

#include "record/sinks.h"

hamel_status csv_read(context *ctx, const char *file, stored_rows *out); // see sinks.h

#endif
