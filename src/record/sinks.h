// Where rows can go, and what is kept with them.
#ifndef HAMEL_RECORD_SINKS_H
#define HAMEL_RECORD_SINKS_H

#include "integrate/extended.h"

// Bytes to a file or to a callback. write() returns 0 when it could not.
typedef struct {
    int (*write)(const void *bytes, size_t size, void *data);
    bool (*close)(void *data); // NULL: nothing to close
    void *data;
} byte_writer;

bool open_file_writer(const char *name, byte_writer *out); // false: it cannot be opened

const char *column_kind_name(column_kind k); // "coordinate"
bool column_should_stay(column_kind k);      // its change along the motion is drift

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

// Each returns NULL when it could not begin, and says why in `why`.
// sink->finish() closes and frees it.
// The digits of `exact`, else those of doubles, which all the others store
sink *sink_csv(const simulation *s, const extended *exact, byte_writer to);
sink *sink_npz(const simulation *s, const char *file, text *why);
sink *sink_hdf5(const run *r, const run_terms *terms, const char *file, text *why);
// rows go to both, that are released with it; `first` may be NULL
sink *sink_tee(sink *first, sink *second);

// An earlier run in an HDF5 file: its terms, in the arena, where it stands and how it ended.
typedef struct {
    run_terms terms;
    double t;
    const char *outcome; // OUTCOME_NONE if nobody wrote one: it was killed
} run_past;

#define OUTCOME_NONE "unfinished"
#define OUTCOME_EVENT "stopped by an event"

bool hdf5_past(const char *file, arena *a, run_past *out, text *why);
// The same file, to write more rows into; run_begin() takes the run to where the file stands.
sink *sink_hdf5_again(const run *r, const run_terms *terms, const char *file, text *why);

#endif
