// Formats of rows: one file with one descriptor each, and one line in sinks.def. The ending of a
// file's name says which format it is. Whether rows go to standard output too, can be read back,
// and how many digits they have stands in the descriptor, and error messages list the formats from
// there. Files are made from a run on record (recording.h), never while the run goes on.
#ifndef HAMEL_RECORD_SINKS_H
#define HAMEL_RECORD_SINKS_H

#include "base/byte_writer.h"
#include "record/recording.h"
#include "record/stored.h"

typedef struct {
    const char *file; // NULL: bytes go to `to`
    byte_writer to;
    const simulation *sim;    // whose columns the rows have
    const run_record *record; // read while the run goes on: events, counts, drift
    const run_terms *terms;
    // A value of the row that is being written, with all the digits of wider numbers than double;
    // NULL: the values are doubles
    void (*put_exact)(const void *exact, uint32_t column, text *out);
    const void *exact;
    bool *short_of_memory; // set where that alone is why it cannot be opened; NULL: nobody asks
} sink_request;

typedef enum {
    RECALL_NO_ROWS,
    RECALL_ALL_ROWS,
    RECALL_ROWS_TO_POSITION, // those before the state that a run goes on from
} recall_rows;

typedef struct sink_kind {
    const char *id;     // "csv"
    const char *suffix; // of a file's name, ".csv"
    const char *about;  // what it is good for, in one line
    // A file of this name, which is not there yet, from a run on record; false after saying why.
    bool (*write)(const recording *r, const char *file, text *why);
    // Rows to r->to as they come; NULL: not to standard output.
    sink *(*stream)(const sink_request *r, text *why);
    // The line of a row, with all its digits, as the file has it; NULL: it has doubles only.
    void (*put_line)(const sink_request *r, const double *value, text *out);
    // The run in such a file as bytes of a record, handed to `take`. NULL: a run cannot be had from
    // it. After saying why: HAMEL_USAGE if the file is not what it should be, HAMEL_NUMERICS if the
    // system refused something, HAMEL_LIMIT if it takes too much memory.
    hamel_status (*recall)(context *ctx, const char *file, recall_rows which,
                           const byte_writer *take, text *why);
    // Its rows, as stored_read() gives them; NULL: they are not read back.
    hamel_status (*read)(context *ctx, const char *file, stored_rows *out);
} sink_kind;

const sink_kind *sink_find(const char *file); // by the ending of its name; NULL: no such kind
const sink_kind *sink_streaming(void);        // the one for standard output

// ".csv, .h5 or .npz": the endings of the kinds that can do this, in the arena
typedef enum { SINK_WRITES, SINK_READS, SINK_RESUMES } sink_ability;
const char *sink_suffixes(arena *a, sink_ability can);

// Rows go to both, and both are finished with it; `first` may be NULL. Only the first can be an
// earlier run.
sink *sink_tee(sink *first, sink *second);

#endif
