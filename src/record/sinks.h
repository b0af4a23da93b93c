// Kinds of sinks: one file with one descriptor each, and one line in sinks.def. The ending of a
// file's name says which kind it is. Whether its rows can be read back, whether a run can go on in
// it and how many digits it holds stands in the descriptor, and error messages list the kinds from
// there.
#ifndef HAMEL_RECORD_SINKS_H
#define HAMEL_RECORD_SINKS_H

#include "base/byte_writer.h"
#include "record/record.h"
#include "record/stored.h"

// What a run was asked to do, with every default filled in: kept with its rows, so that they
// explain themselves and the run can go on.
typedef struct {
    const char *version, *name, *title; // of the program, of the model
    const char *text;                   // of the model
    uint32_t included_count;
    const char **included; // texts of the files it includes
    // changes to parameters and to the initial state, as they were given; "" for none
    const char *set, *at;
    const char *form, *method, *execution, *precision;
    double tolerance, interval, until, step;
    bool project;
} run_terms;

// An earlier run in a file: its terms, in the arena, where it stands and how it ended.
typedef struct {
    run_terms terms;
    double t;
    const char *outcome; // OUTCOME_NONE if nobody wrote one: it was killed
} run_past;

#define OUTCOME_NONE "unfinished"
#define OUTCOME_EVENT "stopped by an event"

typedef struct {
    const char *file; // NULL: bytes go to `to`
    byte_writer to;
    const simulation *sim;    // whose columns the rows have
    const run_record *record; // read while the run goes on: events, counts, drift
    const run_terms *terms;
    double start; // the time of the first row
    // A value of the row that is being written, with all the digits of wider numbers than double;
    // NULL: the values are doubles
    void (*put_exact)(const void *exact, uint32_t column, text *out);
    const void *exact;
} sink_request;

typedef struct sink_kind {
    const char *id;     // "csv"
    const char *suffix; // of a file's name, ".csv"
    const char *about;  // what it is good for, in one line
    bool streams;       // can go to standard output
    bool extended;      // holds all the digits of wider numbers than double
    // NULL when it could not begin, which it says in `why`. sink->finish() closes and frees it.
    sink *(*open)(const sink_request *r, text *why);
    // The file of an earlier run, to write more rows into; sink->restore() then takes the run to
    // where it stood. NULL: a run cannot go on in such a file.
    sink *(*reopen)(const sink_request *r, text *why);
    bool (*past)(const char *file, arena *a, run_past *out, text *why);
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
