// Rows that are in a file already: of an earlier run, or of anybody. `plot FILE` and `--resume`
// read a file with one call and free the table.
#ifndef HAMEL_RECORD_STORED_H
#define HAMEL_RECORD_STORED_H

#include "record/table.h"

typedef struct {
    // names and kinds, in the arena, as many as `rows` says; `value` is not used
    column *column;
    table rows; // a gap is NAN; table_free() releases it
    bool has_events;
    uint32_t event_count;
    const event_record *event;
    // of the column `ended` of a sweep, whose numbers they are of; 0: there is none
    uint32_t word_count;
    const char **word;
    // of a sweep in an .h5 file: so many columns in front are varied, and which of them run along
    // grids; else 0 and NULL
    uint32_t varied_count;
    const bool *is_axis;
} stored_rows;

// HAMEL_USAGE after saying what is wrong with the file, HAMEL_LIMIT if it is too large.
hamel_status stored_read(context *ctx, const char *file, stored_rows *out);

// Names come to a terminal and into XML. What is wrong with one; NULL if nothing is.
enum { STORED_LONGEST_NAME = 200 }; // bytes
const char *stored_name_fault(const char *name, size_t length);

#endif
