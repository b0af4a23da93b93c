// A sink: where rows go. One file with one descriptor, and one line in sinks.def; the ending of a
// file's name says which. What a sink can (be read back, be taken up again, hold wider numbers) is
// in its descriptor, and the errors that list what there is are made from these.
#ifndef HAMEL_RECORD_SINKS_H
#define HAMEL_RECORD_SINKS_H

#include "base/byte_writer.h"
#include "integrate/extended.h"
#include "record/record.h"
#include "record/stored.h"

// What a run was asked to do, as it was understood: kept with its rows, so that they explain
// themselves and the run can go on.
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
    const integration *in; // both are read while the run goes on
    const run_record *record;
    const run_terms *terms;
} sink_request;

typedef struct sink_kind {
    const char *id;     // "csv"
    const char *suffix; // of a file's name, ".csv"
    const char *about;  // what it is good for, in one line
    bool streams;       // can go to standard output
    bool extended;      // holds all the digits of wider numbers than double
    // NULL when it could not begin, which it says in `why`. sink->finish() closes and frees it.
    sink *(*open)(const sink_request *r, text *why);
    // The file of an earlier run, to write more rows into; the driver takes the run to where the
    // file stands. NULL: such a file cannot be taken up again.
    sink *(*reopen)(const sink_request *r, text *why);
    bool (*past)(const char *file, arena *a, run_past *out, text *why);
    // Its rows, as stored_read() gives them; NULL: they are not read back.
    hamel_status (*read)(context *ctx, const char *file, stored_rows *out);
} sink_kind;

uint32_t sink_count(void);
const sink_kind *sink_at(uint32_t index);
const sink_kind *sink_find(const char *file); // by the ending of its name; NULL: no such kind
const sink_kind *sink_streaming(void);        // the one for standard output

// ".csv, .h5 or .npz": those that can, in the arena
typedef bool sink_property(const sink_kind *k);
bool sink_writes(const sink_kind *k);  // all
bool sink_reads(const sink_kind *k);   // rows are read back
bool sink_resumes(const sink_kind *k); // a run can go on
const char *sink_suffixes(arena *a, sink_property *can);

// Rows go to both, that are released with it; `first` may be NULL.
sink *sink_tee(sink *first, sink *second);

const char *column_kind_name(column_kind k); // "coordinate"
bool column_should_stay(column_kind k);      // its change along the motion is drift

#endif
